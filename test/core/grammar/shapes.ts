import type { ArgShape, CommandShape } from '../../../src/core/grammar/shapes.ts';

const word: ArgShape = { place: 'word', widget: 'text', optional: false };
const maybe: ArgShape = { ...word, optional: true };
const rest: ArgShape = { ...word, place: 'rest' };
const option: ArgShape = { ...word, place: 'option', optional: true };
const toggle: ArgShape = { ...option, widget: 'toggle' };

/** Made-up commands with every kind of argument. */
export const commands = [
  { path: 'list', args: { filter: maybe } },
  { path: 'restart', args: { servers: { ...rest, many: true }, now: toggle } },
  { path: 'status', args: { server: maybe } },
  { path: 'rename', args: { order: word, name: rest } },
  { path: 'stats', args: { server: word, what: maybe, span: maybe, max_points: option } },
  { path: 'zone list', args: { domain: word } },
  { path: 'zone add', args: { domain: word, host: word, type: word, value: rest, ttl: option, prio: option } },
  { path: 'zone apply', args: { domain: word, zone: rest } },
  { path: 'mark', args: { order: word, labels: { ...word, many: true }, note: { ...rest, optional: true } } },
  { path: 'share', args: { order: maybe, people: { ...option, many: true, optional: false } } },
] as const satisfies readonly CommandShape[];
