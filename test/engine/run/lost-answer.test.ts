import { expect, test } from 'vitest';
import { text as textOf } from '../../../src/core/view/view.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import { wasInterrupted } from '../../../src/engine/operation/ends.ts';
import type { Operation, OperationStep } from '../../../src/engine/operation/record.ts';
import { markLost, notifyLost } from '../../../src/engine/run/lost-answer.ts';

/** Notes what is stored, audited and posted, in their order. */
function open({ moves = true } = {}) {
  const done: unknown[] = [];
  const context = {
    store: {
      steps: { move: async (...given: unknown[]) => done.push({ step: given }) > 0 && moves },
      operations: { move: async (...given: unknown[]) => void done.push({ operation: given }) },
      messages: { find: async (key: string) => (key === 'lost:op1:2' ? {} : undefined) },
    },
    audit: async (entry: unknown) => void done.push({ audit: entry }),
    policies: { standing: async () => 'known' },
    settings: {},
    outbox: {
      put: async (message: unknown) => void done.push({ message }),
      putCard: async (id: string) => {
        done.push({ card: id });
        return { id };
      },
    },
  };
  // Nothing else of it is used here.
  return { done, context: context as unknown as EngineContext };
}

// The fields that the words about a lost response need.
const operation = {
  ...{ id: 'op1', channel: 'C1', thread: '1.0', requester: 'U1' },
  plan: { title: 'Restart web-1' },
} as Operation;
const step = { n: 2, note: null } as OperationStep;

test.each([
  ['socket hang up', 'The response was lost (socket hang up).'],
  ['', 'The response was lost.'],
])('a lost response (%j) is noted with its reason, and announced with that note', async (why, note) => {
  const { done, context } = open();
  await markLost(context, operation, step, why);
  expect(done.slice(0, 3)).toEqual([
    { step: ['op1', 2, 'running', 'reading', { note }] },
    { operation: ['op1', 'running', 'reading', { outcome: { by: null, wasLost: true } }] },
    {
      audit: {
        ...{ actor: 'U1', channel: 'C1', operation: 'op1', kind: 'lost', unlessThere: 'same' },
        ...{ text: `Restart web-1: ${note}`, data: { step: 2 } },
      },
    },
  ]);
  expect(done).toHaveLength(5);
});

test('a response is not announced again when its loss was recorded, or when its step has ended', async () => {
  const { done, context } = open({ moves: false });
  await markLost(context, operation, step, '');
  expect(done).toHaveLength(1);
});

test.each([
  [null, 'Restart web-1: ', 'The provider did not respond'],
  [
    `it ${wasInterrupted}`,
    `Restart web-1: it ${wasInterrupted}`,
    'The bot was interrupted before it stored the response',
  ],
])('the loss of a step with the note %j is in the audit, in the thread and on the card', async (note, text, words) => {
  const { done, context } = open();
  await notifyLost(context, operation, { ...step, note, state: 'reading', startedAt: 1_000 });
  const said = textOf(
    `${words}: “Restart web-1” may have begun. Not retried`,
    ['; checking until ', 'about ', { date: 351_000, style: 'full' }],
    '.',
  );
  expect(done).toMatchObject([
    { operation: ['op1', 'running', 'reading', { outcome: { wasLost: true } }] },
    { audit: { kind: 'lost', text } },
    {
      message: {
        ...{ key: 'lost:op1:2', channel: 'C1', threadTs: '1.0' },
        view: { parts: [{ kind: 'notice', tone: 'warning', text: said }] },
      },
    },
    { card: 'op1' },
  ]);
});
