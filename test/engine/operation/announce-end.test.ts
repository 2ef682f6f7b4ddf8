import { describe, expect, test } from 'vitest';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';
import type { PutMessage } from '../../../src/engine/context/outbox.ts';
import { announceEnd } from '../../../src/engine/operation/announce-end.ts';
import { end } from '../../../src/engine/operation/end.ts';
import { readOperation } from '../../../src/engine/operation/read-operation.ts';
import type { CardRows } from '../../../src/store/records/cards.ts';
import { type NewOperation, newOperationRow, type OperationRow } from '../../../src/store/records/operation-row.ts';
import { newStepRow } from '../../../src/store/records/steps.ts';
import type { VoteRow } from '../../../src/store/records/votes.ts';

// The end of a request: one process writes it, and its announcements are written at least once.

describe('an end that is written', () => {
  function open(moves: boolean) {
    const done: unknown[] = [];
    const context = {
      store: { operations: { move: async (...given: unknown[]) => done.push(given) > 0 && moves } },
      meter: { operation: (...counted: unknown[]) => void done.push({ counted }) },
    };
    // All that it touches.
    return { context: context as unknown as Parameters<typeof end>[0], done };
  }
  const operation = { id: 'op1', command: 'restart' };
  const ending = { endText: 'Not run.', endReason: 'impossible' };

  test('is counted by the process that wrote it, and names the person who ended it', async () => {
    const { context, done } = open(true);
    expect(await end(context, operation, ['running', 'reading'], 'failed', ending)).toBe(true);
    expect(done).toEqual([['op1', ['running', 'reading'], 'failed', ending], { counted: ['restart', 'failed'] }]);
    await end(context, operation, 'waiting', 'declined', ending, 'U2');
    expect(done[2]).toEqual(['op1', 'waiting', 'declined', { ...ending, outcome: { by: 'U2' } }]);
  });

  test('is not counted where the request has moved on', async () => {
    const { context, done } = open(false);
    expect(await end(context, operation, 'waiting', 'expired', ending)).toBe(false);
    expect(done).toHaveLength(1);
  });
});

const made = {
  ...{ id: 'op1', command: 'restart', args: {}, channel: 'C1', thread: null, requester: 'U1', place: {} },
  ...{ risk: 'routine', rule: { rule: 'confirm', isSolo: false }, policyVersion: '3', factsHash: '' },
  plan: { title: 'Restart web-1', subject: [], targets: [], effect: '', details: [], facts: {} },
} satisfies NewOperation;
const ended = { state: 'done', endText: 'web-1 restarted.', createdAt: 1_000, startedAt: 2_000, endedAt: 61_000 };

interface Given {
  readonly row?: Partial<OperationRow> | object;
  readonly votes?: readonly (readonly [user: string, at: number, isVoid?: boolean])[];
  readonly standing?: string;
  readonly ends?: string;
}

async function announce({ row = {}, votes = [], standing = 'ok', ends = 'usual' }: Given) {
  const done: unknown[] = [];
  const drawn: PutMessage[] = [];
  const rows: CardRows = {
    operation: { ...newOperationRow(made, 1_000), ...ended, ...row } as OperationRow,
    steps: [newStepRow('op1', { n: 0, target: 'order:34-1', label: 'web-1', data: {} })],
    votes: votes.map(([userId, at, isVoid = false]): VoteRow => {
      const vote = { operationId: 'op1', vote: 'confirm', why: null } as const;
      return { ...vote, userId, at, isVoid };
    }),
  };
  const context = {
    commands: [],
    now: () => 90_000,
    settings: { isPaused: false, admins: ['U9'], auditChannel: 'C9' },
    store: {
      // The audit has no entry of a killed process about a new request.
      audit: { list: async () => [] },
      locks: { release: async (id: string) => void done.push({ released: id }) },
      values: { get: async () => ({ isOn: true, access: true, ends, quiet: null }) },
    },
    policies: { standing: async (channel: string) => (channel === 'C1' ? standing : 'ok') },
    audit: async (entry: unknown) => void done.push({ audit: entry }),
    alerts: { attempted: async () => {} },
    outbox: {
      put: async ({ key }: PutMessage) => void done.push({ message: key }),
      putCard: async (id: string, draw: (rows: CardRows) => readonly PutMessage[]) => {
        done.push({ card: id });
        drawn.push(...draw(rows));
      },
    },
  };
  await announceEnd(
    // The announcement uses nothing else of the context.
    context as unknown as EngineContext,
    readOperation(rows.operation),
  );
  const [shown, ...replies] = drawn;
  return {
    ...{ done, shown, replies },
    audited: done.flatMap((one) => (one as { audit?: object }).audit ?? [])[0],
    isMentioned: replies.map(({ view }) => JSON.stringify(view).includes('{"user":"U1"}')),
  };
}

const unlessThere = ['declined', 'expired', 'withdrawn', 'refused', 'ended'];
const about = { channel: 'C1', operation: 'op1', unlessThere };

describe('the announcement of an end', () => {
  test('is a line in the audit, the release of its locks, the card and a reply in its thread', async () => {
    const { done, shown, replies } = await announce({});
    const audit = { ...about, actor: 'U1', kind: 'ended', text: 'web-1 restarted.', data: { end: 'done' } };
    expect(done).toEqual([{ released: 'op1' }, { audit }, { card: 'op1' }]);
    expect(shown).toMatchObject({ key: 'card:op1', channel: 'C1' });
    expect(replies).toMatchObject([{ key: 'end:op1', channel: 'C1', parentKey: 'card:op1' }]);
  });

  const states = ['declined', 'expired', 'withdrawn', 'refused'];
  test.each(states)('the audit entry of a request that is %s has a separate kind', async (state) => {
    const { audited } = await announce({ row: { state, outcome: { by: 'U2' }, endText: null } });
    expect(audited).toEqual({ ...about, actor: 'U2', kind: state, text: state });
  });

  test.each([
    ['done', true],
    ['unverified', true],
    ['failed', false],
    ['refused', false],
  ])('an end that is %s is announced in channels whose grants reach further now: %s', async (state, isTold) => {
    const plan = { ...made.plan, widens: [{ channel: 'C2', grants: [] }] };
    const { done } = await announce({ row: { state, plan } });
    expect(done.filter((one) => Object.hasOwn(one as object, 'message'))).toEqual(
      isTold ? [{ message: 'widened:done:op1:C2' }] : [],
    );
  });

  test.each([
    ['its requester withdrew has no reply', null, []],
    ['its requester withdrew by a click has no reply', { by: 'U1' }, []],
    ['an admin withdrew has a reply that mentions the requester', { by: 'U9' }, [true]],
  ])('a request that %s', async (_, outcome, mentions) => {
    const { shown, isMentioned } = await announce({ row: { state: 'withdrawn', startedAt: null, outcome } });
    expect([shown?.key, isMentioned]).toEqual(['card:op1', mentions]);
  });

  test.each(['shared', 'became_public'])('in a %s channel the requester gets a direct message', async (standing) => {
    const { shown, replies } = await announce({ standing, votes: [['U1', 60_000]] });
    expect(JSON.stringify(shown?.view)).not.toContain('web-1 restarted');
    expect(replies.map(({ channel }) => channel)).toEqual(['U1', 'C9']);
  });
});

describe('the reply', () => {
  const click = (at: number): [[string, number]] => [['U1', at]];
  const own: [string, number] = ['U1', 60_000];
  test.each<[string, boolean, Given]>([
    ['does not mention a requester who clicked in the last half minute', false, { votes: click(31_000) }],
    ['mentions the requester after half a minute', true, { votes: click(30_999) }],
    ['counts from the request where nobody had to click', false, { row: { endedAt: 31_000 } }],
    ['mentions the requester later than that', true, { row: { endedAt: 31_001 } }],
    ['mentions the requester where somebody else clicked last', true, { votes: [own, ['U2', 60_500]] }],
    ['mentions the requester then, with the votes in any order', true, { votes: [['U2', 60_500], own] }],
    ['does not mention a requester who clicked last', false, { votes: [['U2', 59_500], own] }],
    ['counts no click that became void', false, { votes: [['U2', 60_500, true], own] }],
    ['mentions the requester for any other end', true, { row: { state: 'failed' }, votes: [own] }],
    [
      'mentions the requester after the thread said that nobody knew',
      true,
      { row: { outcome: { by: null, wasLost: true } }, votes: [own] },
    ],
    ['mentions the requester where somebody else stopped it', true, { row: { stopBy: 'U2' }, votes: [own] }],
    ['does not mention a requester who stopped it', false, { row: { stopBy: 'U1' }, votes: [own] }],
    ['mentions nobody who never wants it', false, { ends: 'never' }],
    ['mentions nobody for trouble alone where it is done', false, { ends: 'trouble' }],
    ['mentions the requester for trouble', true, { ends: 'trouble', row: { state: 'failed' } }],
  ])('%s: %s', async (_, isMentioned, given) => {
    expect((await announce(given)).isMentioned).toEqual([isMentioned]);
  });

  test('mentions the requester in a shared channel, unless the requester sees the card', async () => {
    expect((await announce({ standing: 'shared' })).isMentioned[0]).toBe(true);
    expect((await announce({ standing: 'shared', votes: [own] })).isMentioned[0]).toBe(false);
  });
});
