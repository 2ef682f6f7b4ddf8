import type { ArgShape, CommandShape } from '../../../src/core/grammar/command-shape.ts';

const word: ArgShape = { place: 'word', widget: 'text', optional: false };
const maybe: ArgShape = { ...word, optional: true };
const rest: ArgShape = { ...word, place: 'rest' };
const option: ArgShape = { ...word, place: 'option', optional: true };
const toggle: ArgShape = { ...option, widget: 'toggle' };

/** Made-up commands with every kind of argument. */
export const commands = [
  { path: 'list', kind: 'query', risk: 'safe', args: { filter: maybe } },
  { path: 'restart', kind: 'action', risk: 'disruptive', args: { servers: { ...rest, many: true }, now: toggle } },
  { path: 'status', kind: 'query', risk: 'safe', args: { server: maybe } },
  { path: 'rename', kind: 'action', risk: 'routine', args: { order: word, name: rest } },
  { path: 'stats', kind: 'query', risk: 'safe', args: { server: word, what: maybe, span: maybe, max_points: option } },
  { path: 'zone list', kind: 'query', risk: 'safe', args: { domain: word } },
  {
    path: 'zone add',
    kind: 'action',
    risk: 'disruptive',
    args: { domain: word, host: word, type: word, value: rest, ttl: option, prio: option },
  },
  { path: 'zone apply', kind: 'action', risk: 'disruptive', args: { domain: word, zone: rest } },
  {
    path: 'mark',
    kind: 'action',
    risk: 'routine',
    args: { order: word, labels: { ...word, many: true }, note: { ...rest, optional: true } },
  },
  {
    path: 'share',
    kind: 'action',
    risk: 'routine',
    args: { order: maybe, people: { ...option, many: true, optional: false } },
  },
] as const satisfies readonly CommandShape[];
