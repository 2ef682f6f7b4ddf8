import { expect, test } from 'vitest';
import { notBegunStates, type StepState, stepTransitions } from '../../../src/core/plan/operation.ts';
import { abandon } from '../../../src/engine/run/abandon.ts';

// A request whose turns always fail gets an end that claims no more than is known.

type Given = Parameters<typeof abandon>[0];

/** A store with one request, which records the writes. */
function open({ state = 'running', steps = [] as StepState[], plan = {} } = {}) {
  const moves: unknown[][] = [];
  const ends: unknown[][] = [];
  const logged: [Record<string, unknown>, string][] = [];
  const context = {
    log: { error: (...given: [Record<string, unknown>, string]) => void logged.push(given) },
    meter: { operation: (...given: unknown[]) => void ends.push(given) },
    store: {
      operations: {
        find: async (id: string) => (id === 'op1' ? { id, command: 'restart', state, plan } : undefined),
        move: async (...given: unknown[]) => ends.push(given) > 0,
      },
      steps: {
        list: async () => steps.map((one, n) => ({ n, state: one })),
        move: async (...given: unknown[]) => void moves.push(given),
      },
    },
  };
  const error = new Error('cannot read this');
  return {
    ...{ moves, ends, logged, error },
    // All that it touches.
    giveUp: (id = 'op1') => abandon(context as unknown as Given, id, error),
  };
}

const whose = /something is wrong on the bot's side\. An admin finds the cause in the log under incident [0-9a-f]{8}\./;
const wordsOf = (before: string, after: string) =>
  expect.stringMatching(new RegExp(`^${before}${whose.source}${after}$`));

test.each([...notBegunStates, 'approved'])('a request that is %s is refused, and no step moves', async (state) => {
  const { giveUp, moves, ends } = open({ state, steps: ['pending'] });
  await giveUp();
  const endText = wordsOf('Not run: ', ' Nothing was done\\.');
  expect(ends).toEqual([
    ['op1', state, 'refused', { endReason: 'impossible', endText }],
    ['restart', 'refused'],
  ]);
  expect(moves).toEqual([]);
});

test.each([
  ['pending', ['skipped']],
  ['running', ['reading', 'unknown']],
  ['reading', ['unknown']],
  ['accepted', ['unverified']],
  ['verifying', ['unverified']],
  ['done', []],
  ['unverified', []],
  ['failed', []],
  ['unknown', []],
  ['skipped', []],
] as const)('a step that is %s ends through the allowed states %j', async (state, ways) => {
  const { giveUp, moves } = open({ steps: [state] });
  await giveUp();
  const states = [state, ...ways];
  const note = 'The response was lost.';
  expect(moves).toEqual(ways.map((to, at) => ['op1', 0, states[at], to, to === 'reading' ? { note } : {}]));
  for (const [, , from, to] of moves) expect(stepTransitions[from as StepState]).toContain(to);
  expect(stepTransitions[states.at(-1) ?? 'pending']).toEqual([]);
});

test.each([
  [['pending', 'skipped'], 'failed', ' Nothing was sent\\.'],
  [['done', 'pending'], 'unknown', null],
  [['pending', 'running'], 'unknown', null],
] as const)('a request with the steps %j ends as %s', async (steps, to, after) => {
  for (const [plan, title] of [
    [{ title: 'Restart web-1' }, 'Restart web-1'],
    [{}, 'restart \\(unreadable\\)'],
  ] as const) {
    const { giveUp, ends } = open({ steps: [...steps], plan });
    await giveUp();
    const endText =
      after === null
        ? wordsOf(`${title}: it was sent once, and its result is unknown: `, " Check it in the provider's panel\\.")
        : wordsOf(`${title}: `, after);
    expect(ends).toEqual([
      ['op1', ['running', 'reading'], to, { endText }],
      ['restart', to],
    ]);
  }
});

test('the log has the error under the number that the end names, and nothing about a request that is not in the store', async () => {
  const { giveUp, logged, ends, error } = open();
  await giveUp('op2');
  expect(ends).toEqual([]);
  await giveUp();
  const incident = /incident ([0-9a-f]{8})/.exec(JSON.stringify(ends))?.[1];
  expect(logged).toEqual([
    [{ err: error, operation: 'op1', incident }, 'operation abandoned: all of its turns failed'],
  ]);
});
