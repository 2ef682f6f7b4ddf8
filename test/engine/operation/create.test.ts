import { describe, expect, test } from 'vitest';
import { hashOf } from '../../../src/core/text/json.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import type { PutMessage } from '../../../src/engine/context/outbox.ts';
import { operationId } from '../../../src/engine/context/request.ts';
import { card } from '../../../src/engine/operation/card.ts';
import { type Proposal, propose, redraw, show } from '../../../src/engine/operation/create.ts';
import { nextButtons } from '../../../src/engine/operation/next-buttons.ts';
import { type Operation, readOperation, readStepLeniently } from '../../../src/engine/operation/read-operation.ts';
import type { CardRows } from '../../../src/store/records/cards.ts';
import { type NewOperation, newOperationRow } from '../../../src/store/records/operation-row.ts';
import { newStepRow } from '../../../src/store/records/steps.ts';

// The rows and the card of a request, on a store and an outbox in memory.

const hour = 3_600_000;
const command = { path: 'restart', risk: 'routine', args: {} };
const web = { kind: 'order', id: '34-1', name: 'web-1', tags: [], project: null } as const;
const plan = {
  title: 'Restart web-1',
  subject: ['web-1'],
  targets: [web],
  effect: 'It is away for a minute.',
  details: [],
  facts: { power: 'on' },
  steps: [{ target: web, label: 'web-1', data: { id: '34-1' } }],
};
const { steps: _, ...shownPlan } = plan;
const proposal = {
  ...{ id: 'op1', askedAt: 500, command, canonical: { server: ['web-1'] }, plan },
  ...{ requester: 'U1', channel: 'C1', thread: '1.0', rule: 'confirm', isSolo: false, policyVersion: 3 },
} as unknown as Proposal;

/** Records all audit entries, rows, messages, counts and wake-ups, in their order. */
function open(options: { isNew?: boolean; standing?: string; rows?: CardRows } = {}) {
  const { isNew = true, standing = 'ok', rows: given } = options;
  const done: unknown[] = [];
  const rows = new Map<string, CardRows>(given && [[given.operation.id, given]]);
  const asked: string[] = [];
  let drawings = 0;
  const context = {
    commands: [command],
    settings: { version: '1.0.0', isPaused: true, admins: ['U9'] },
    store: {
      // Nothing is pinned.
      values: { all: async () => new Map() },
      operations: {
        find: async (id: string) => rows.get(id)?.operation,
        move: async (...moved: unknown[]) => done.push({ moved }) > 0,
      },
    },
    audit: async (entry: unknown) => void done.push({ audit: entry }),
    outbox: {
      put: async ({ key }: PutMessage) => void done.push({ message: key }),
      putNew: async (...stored: unknown[]) => {
        done.push({ stored });
        if (isNew) await (stored[3] as { change: (on: unknown) => Promise<boolean> } | undefined)?.change('the commit');
        return isNew;
      },
      putCard: async (id: string, draw: (rows: CardRows) => unknown) => {
        const found = rows.get(id);
        if (found === undefined) return undefined;
        // An endless loop of drawings has to end with its test.
        drawings += 1;
        if (drawings > 9) throw new Error('drawn too often');
        const drawn = draw(found);
        if (drawn !== undefined) done.push({ drawn });
        return found.operation;
      },
    },
    policies: {
      all: async () => new Map(),
      get: async () => undefined,
      standing: async (channel: string) => {
        asked.push(channel);
        return standing;
      },
    },
    directory: {
      person: async (user: string) => {
        asked.push(user);
        return { name: user.toLowerCase() };
      },
      groupName: async () => undefined,
      groupMembers: async () => new Set(),
    },
    meter: { operation: (...counted: unknown[]) => void done.push({ counted }) },
    wake: (...woken: unknown[]) => void done.push({ woken }),
    now: () => 1_000,
  };
  // Making and showing a request use nothing else of it.
  return { context: context as unknown as EngineContext, done, rows, asked };
}

/** The columns of the row as they are stored. */
const made = (own: object = {}) => ({
  ...{ id: 'op1', command: 'restart', args: { server: ['web-1'] }, channel: 'C1', thread: '1.0', requester: 'U1' },
  ...{ token: null, risk: 'routine', rule: { rule: 'confirm', isSolo: false } },
  ...{ policyVersion: '3', factsHash: hashOf(plan.facts), state: 'waiting', decidedAt: null },
  ...{ createdAt: 1_000, expiresAt: 1_000 + hour / 4, startsAt: null, begins: { kind: 'now' } as const },
  plan: { ...shownPlan, isSeveral: false, madeBy: '1.0.0' },
  ...own,
});
const planned = [{ n: 0, target: 'order:34-1', label: 'web-1', data: { id: '34-1' } }];

function rowsOf(own: object = {}, steps: object = {}): CardRows {
  return {
    operation: { ...newOperationRow(made() as NewOperation, 1_000), ...own },
    steps: planned.map((step) => ({ ...newStepRow('op1', step), ...steps })),
    votes: [],
  };
}

/** The card for people who may see the end, and the rows of the card. */
const shown = (rows: CardRows, facts: object = {}) => ({
  ...{ key: 'card:op1', channel: 'C1', threadTs: '1.0' },
  view: card(readOperation(rows.operation), rows.steps.map(readStepLeniently), [], {
    ...{ isPaused: true, admins: ['U9'], next: [], ...facts },
  }),
});

test('the same request has the same id, which nobody mistakes for another', () => {
  expect(operationId('a request')).toBe(operationId('a request'));
  expect(operationId('a request')).not.toBe(operationId('another'));
  expect(operationId('a request')).toBe('xn4mfbenfh');
});

describe('a request that is made', () => {
  test('is audited first, then stored with its steps and its card, and waits', async () => {
    const { context, done, asked } = open();
    const left = { nothingToDo: 'It is so.', instead: [] };
    const operation = await propose(context, { ...proposal, plan: { ...proposal.plan, ...left } });
    const rows = rowsOf();
    expect(done).toEqual([
      {
        audit: {
          ...{ actor: 'U1', channel: 'C1', operation: 'op1', kind: 'asked', unlessThere: ['asked'] },
          text: 'Restart web-1: It is away for a minute.',
          data: {
            ...{ command: 'restart', args: { server: ['web-1'] }, rule: 'confirm', policyVersion: 3 },
            facts: { power: 'on' },
          },
        },
      },
      { stored: [made(), planned, shown(rows, { requesterName: '@u1' }), undefined] },
    ]);
    expect(operation).toEqual(readOperation(rows.operation));
    expect(asked).toEqual(['U1']);
  });
});

const replaces = {
  ...{ id: 'op0', command: 'stop', args: { server: ['web-1'], parallel: ['2'] }, plan: { title: 'Stop web-1' } },
} as unknown as Operation;

describe('a request that replaces another', () => {
  test.each([
    ['web-1', 'Replaced by the same request, one at a time. Nothing was done.'],
    ['web-2', 'Replaced by a new request. Nothing was done.'],
  ])('about %s ends the other in the name of the requester, and counts that end', async (server, endText) => {
    const { context, done } = open();
    await propose(context, { ...proposal, canonical: { server: [server] }, replaces });
    expect(done.slice(1)).toMatchObject([
      { stored: [{}, {}, {}, { id: 'op0' }] },
      { moved: ['op0', 'waiting', 'withdrawn', { endText, outcome: { by: 'U1' } }, 'the commit'] },
      { counted: ['stop', 'withdrawn'] },
    ]);
  });

  test('is not made where the other was decided meanwhile', async () => {
    const { context, done } = open({ isNew: false });
    const error = await propose(context, { ...proposal, replaces }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'closed' });
    expect(String(error)).toContain('Stop web-1 was decided meanwhile, so nothing was requested in its place.');
    expect(done).toHaveLength(2);
  });
});

describe('a card that is drawn again', () => {
  test.each([
    ['has the name of the requester, looked up once, while it waits', 'waiting', { requesterName: '@u1' }, ['U1']],
    ['reads nothing from Slack while the request runs', 'running', {}, []],
  ])('%s', async (_, state, facts, lookups) => {
    const rows = rowsOf({ state });
    const { context, done, asked } = open({ rows, standing: state === 'running' ? 'shared' : 'ok' });
    expect(await redraw(context, 'op1')).toEqual(readOperation(rows.operation));
    expect(done).toEqual([{ drawn: [shown(rows, facts)] }]);
    expect(asked).toEqual(lookups);
  });

  const ended = { state: 'failed', endText: 'web-1: no.', endedAt: 2_000, undo: null };
  test.each([
    ['ok', ended],
    ['unknown', ended],
    ['ok', { state: 'reading' }],
  ])('says how it ended in a channel that is %s', async (standing, own) => {
    const rows = rowsOf(own, { state: 'failed', note: 'no', receipt: { text: 'job 8', data: null } });
    const { context, done, asked } = open({ rows, standing });
    await redraw(context, 'op1');
    expect(done).toEqual([{ drawn: [shown(rows, { next: nextButtons(context, readOperation(rows.operation), []) })] }]);
    expect(asked).toEqual(['C1']);
  });

  test.each([
    ['shared', ended],
    ['became_public', ended],
    ['shared', { state: 'reading' }],
  ])('does not say how it ended in a channel that is %s', async (standing, own) => {
    const more = { ...own, undo: { line: 'start web-1' } };
    const over = { state: 'failed', startedAt: 1_000, endedAt: 2_000 };
    const [one] = rowsOf({}, { ...over, note: 'web-1: no', receipt: { text: 'job 8', data: null } }).steps;
    const endText = 'This channel is shared or public now: the requester was notified directly.';
    const [hidden] = rowsOf({}, over).steps;
    for (const count of [1, 2]) {
      const rows = { ...rowsOf(more), steps: Array(count).fill(one) };
      const { context, done } = open({ rows, standing });
      await redraw(context, 'op1');
      const view = card(readOperation(rowsOf({ ...own, endText }).operation), Array(count).fill(hidden), []);
      expect(done).toEqual([{ drawn: [{ key: 'card:op1', channel: 'C1', threadTs: '1.0', view }] }]);
    }
  });

  test.each([
    ['approved', [{ woken: ['op1'] }]],
    ['waiting', []],
  ])('makes a request due that is decided: %s', async (state, after) => {
    const { context, done } = open({ rows: rowsOf({ state }) });
    await show(context, 'op1');
    expect(done.slice(1)).toEqual(after);
  });
});
