import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEnd } from '../../src/core/operation.ts';
import { policySchema } from '../../src/core/policy.ts';
import { openRoom, opsGroup, type Room } from '../support/room.ts';

/**
 * Whatever people click, in whatever order, twice, on two replicas, with a provider that loses answers: each approved
 * write is sent exactly once, each request comes to exactly one end, and no lock is left behind.
 */

const servers = { 'web-1': '34-12345', 'web-2': '34-12399', 'db-1': '34-12346' } as const;
const actions = ['restart', 'stop', 'start', 'hard-reset'] as const;

const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      who: fc.constantFrom('operator', 'lead', 'reader'),
      action: fc.constantFrom(...actions),
      server: fc.constantFrom(...(Object.keys(servers) as (keyof typeof servers)[])),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('press' as const),
      who: fc.constantFrom('operator', 'lead', 'reader', 'admin'),
      label: fc.constantFrom('Confirm', 'Approve', 'Cancel', 'Withdraw'),
      first: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('lose', 'drop', 'job', 'busy'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'settle' as const }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const faults = {
  lose: { kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 },
  drop: { kind: 'drop', match: 'POST /vps/{order_id}/stop/', times: 1 },
  job: { kind: 'nextJob', end: 'error', times: 1 },
  busy: {
    kind: 'answer',
    match: 'POST /vps/{order_id}/start/',
    status: 409,
    body: { detail: 'Another operation is in progress.' },
    times: 1,
  },
} as const;

const policy = policySchema.parse({
  grants: [
    { to: ['everyone'], can: ['read'] },
    { to: [`group:${opsGroup}`], can: ['operate'] },
  ],
  rules: { dangerous: { approve: 1, by: [`group:${opsGroup}`] } },
});

async function play(room: Room, acts: readonly Act[]): Promise<void> {
  let id = 0;
  // Deliveries of one payload arrive at both replicas at once, as Slack's retries do.
  const deliver = (times: number, one: (more: { replica: number; id: string }) => Promise<unknown>) => {
    const key = `p${++id}`;
    return Promise.all(Array.from({ length: times }, (_, replica) => one({ replica, id: key }).catch(noButton)));
  };
  for (const one of acts) {
    if (one.kind === 'say') await deliver(one.times, (more) => room.say(one.who, `${one.action} ${one.server}`, more));
    else if (one.kind === 'press')
      await deliver(one.times, (more) => room.press(one.who, one.label, { ...more, first: one.first }));
    else if (one.kind === 'pass') await room.pass(one.minutes * 60_000);
    else if (one.kind === 'fault') room.sim.fault(faults[one.fault]);
    else await room.settle();
  }
}

function noButton(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('no button')) throw error;
}

async function check(room: Room): Promise<void> {
  await room.settle();
  await room.pass(25 * 3_600_000);
  await room.until(async () => (await room.store.operations.open()).length === 0, 'everything to end');
  await room.settle();
  const sent = room.sim.requests().filter((request) => request.method === 'POST');
  const operations = await room.store.operations.list({ limit: 1_000 });
  for (const operation of operations) expect(isEnd(operation.state), operation.id).toBe(true);
  const attempts: string[] = [];
  for (const operation of operations) {
    for (const step of await room.store.steps.list(operation.id)) {
      if (step.attempt !== null) attempts.push(`${operation.command} ${step.target}`);
    }
    const ends = room.posted.filter((message) => message.key === `end:${operation.id}`);
    expect(ends.length, operation.id).toBe(operation.state === 'withdrawn' ? 0 : 1);
  }
  const requests = sent.map((request) => {
    const [, order = '', verb = ''] = /\/vps\/([^/]+)\/(\w+)\/$/.exec(request.path) ?? [];
    return `${verb.replace('_', '-')} order:${order}`;
  });
  expect(requests.sort()).toEqual(attempts.sort());
  expect(await room.store.locks.list()).toEqual([]);
  expect(await room.store.audit.verify()).toMatchObject({ ok: true });
  expect(room.log.filter((line) => line.startsWith('error'))).toEqual([]);
}

describe.each([
  { engine: 'sqlite', replicas: 1, runs: 6 },
  { engine: 'postgres', replicas: 2, runs: 4 },
] as const)('on $engine with $replicas', ({ engine, replicas, runs }) => {
  test('each approved write once, each request one end', { timeout: 90_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
        const room = await openRoom({ engine, replicas, policy, pace: 0.001, jobMs: { min: 1, max: 20 } });
        await play(room, acts);
        await check(room);
        await room.close();
      }),
      { numRuns: runs },
    );
  });
});
