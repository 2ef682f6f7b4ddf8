import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Form } from '../../../src/core/view/form.ts';
import type { View } from '../../../src/core/view/view.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { drawForm, drawHome, drawNotice } from '../../../src/slack/outbound/modals.ts';
import { firstAttempt, isView, type SlackSurface, surfaces } from '../../../src/slack/outbound/pen.ts';
import { usedBlocks, usedElements } from '../../docs/used-blocks.ts';
import { form, view } from '../arbitrary.ts';
import { emptyForm } from '../support.ts';

// docs/slack.md is written from these tables; this test compares them with the drawn blocks.

type Uses = Record<string, Set<SlackSurface>>;

const rare = { label: 'Plans', intent: { do: 'run', line: 'plans' } } as const;
const long: View = {
  summary: 'A long list, and a question',
  parts: [
    { kind: 'table', columns: [{ name: 'Name' }], rows: Array.from({ length: 60 }, (_, n) => [`web-${n}`]) },
    { kind: 'notice', tone: 'warning', text: 'Short enough for an alert' },
    { kind: 'heading', text: 'Heading' },
    { kind: 'text', text: 'Text' },
    { kind: 'context', text: 'Context' },
    { kind: 'picture', file: 'cpu.png', alt: 'Curve', id: 'F0PICTURE' },
    { kind: 'tasks', title: 'Steps: 0 of 1 done', tasks: [{ label: 'web-1', status: 'running', word: 'running' }] },
    { kind: 'code', text: 'a\nb', folded: 'Text: 2 lines' },
    { kind: 'table', columns: [{ name: 'Name' }], rows: [['web-1']] },
    { kind: 'buttons', buttons: [{ label: 'List', intent: { do: 'run', line: 'list' } }] },
    { kind: 'find', label: 'Find' },
    { kind: 'menu', label: 'More', options: [{ label: 'Jobs', intent: { do: 'run', line: 'jobs' } }] },
    { kind: 'menu', label: 'Rare', options: [rare], isOverflow: true },
  ],
};

const options = Array.from({ length: 30 }, (_, n) => ({ value: `v${n}`, label: `Option ${n}` }));
const manyChecks: Form = {
  ...emptyForm,
  fields: [{ widget: 'checks', name: 'many', label: 'Many', optional: true, initial: [], options }],
};

function drawn(): { blocks: Uses; elements: Uses } {
  const blocks: Uses = {};
  const elements: Uses = {};
  const note = (uses: Uses, type: string, surface: SlackSurface) => {
    uses[type] = (uses[type] ?? new Set()).add(surface);
  };
  const look = (surface: SlackSurface, shown: readonly object[]) => {
    for (const block of shown) {
      const {
        type = '',
        elements: row = [],
        element,
        accessory,
        tasks = [],
        child_blocks: children = [],
      } = block as Record<string, unknown> & { type?: string };
      note(blocks, type, surface);
      for (const inner of [tasks, children]) if (Array.isArray(inner)) look(surface, inner);
      const inside = [element, accessory, ...(type === 'actions' && Array.isArray(row) ? row : [])];
      for (const one of inside) {
        if (typeof one === 'object' && one !== null && 'type' in one) note(elements, String(one.type), surface);
      }
    }
  };
  const short: View = { summary: 'Short', parts: long.parts.slice(1) };
  const views = [long, short, ...fc.sample(view, { numRuns: 3, seed: 7 })];
  for (const given of views) {
    for (const surface of surfaces) {
      const usual = firstAttempt(surface);
      const plainer = { ...usual, rung: 'sections' as const };
      for (const attempt of [usual, plainer]) {
        if (surface === 'home') look(surface, drawHome(given, attempt).blocks);
        else if (isView(surface)) look(surface, drawNotice('Title', given, { attempt }).blocks);
        else look(surface, drawMessage(given, attempt).blocks);
      }
    }
  }
  for (const given of [manyChecks, ...fc.sample(form, { numRuns: 40, seed: 7 })]) look('modal', drawForm(given).blocks);
  return { blocks, elements };
}

const inTable = (table: Readonly<Record<string, { on: readonly SlackSurface[] }>>) =>
  Object.fromEntries(Object.entries(table).map(([type, { on }]) => [type, new Set(on)]));

it('the tables list the blocks and elements that are drawn, by surface', () => {
  const { blocks, elements } = drawn();
  expect(blocks).toEqual(inTable(usedBlocks));
  expect(elements).toEqual(inTable(usedElements));
});
