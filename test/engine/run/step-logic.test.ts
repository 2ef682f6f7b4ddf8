import { describe, expect, test } from 'vitest';
import type { ReadContext } from '../../../src/core/command/command.ts';
import type { Receipt, Verdict } from '../../../src/core/plan/plan.ts';
import { ProviderError, Refusal } from '../../../src/core/view/errors.ts';
import { type PolledStep, phases, send } from '../../../src/engine/run/step-logic.ts';
import type { Reader } from '../../../src/provider/client.ts';

// One step from its write to its end, as values for its row.

const minute = 60_000;
const endpoint = 'POST /vps/{order_id}/restart/';
const so: Verdict = { is: 'so', text: 'the power is on' };
const not: Verdict = { is: 'not', text: 'the power is off' };
const unsure: Verdict = { is: 'unsure', text: 'the power is unknown' };
const receipt: Receipt = { text: 'job 812', data: { id: 812 } };
const jobOfStep = { kind: 'job', orderId: '34-12345', jobId: 812, action: 'restart' } as const;

type AnyStep = PolledStep['step'];

const step = (own: Partial<AnyStep> = {}): AnyStep => ({
  recheckTarget: async () => null,
  comesBack: () => undefined,
  foresee: () => undefined,
  execute: async () => receipt,
  follow: () => undefined,
  verify: async () => so,
  reconcile: async () => so,
  ...own,
});

interface Job {
  readonly job_state: string;
  readonly completed?: boolean;
  readonly note?: string;
}

/** A reader that knows one job; these steps read nothing else. */
function readerOf(job: () => Job, asked: unknown[] = []): ReadContext<Reader> {
  const logDetails = async (which: unknown) => {
    asked.push(which);
    return { completed: false, note: '', ...job() };
  };
  return { reader: { vps: { logDetails } } } as unknown as ReadContext<Reader>;
}

const polled = (own: Partial<PolledStep> = {}): PolledStep => ({
  step: step(),
  doing: 'Restart web-1',
  receipt,
  seen: { wasOffline: false },
  read: async () => readerOf(() => ({ job_state: 'in_process' })),
  looks: 1,
  elapsedMs: 1_000,
  random: 0.5,
  usualMs: async () => [],
  isSeveral: false,
  ...own,
});

const fails = (error: unknown) => async () => {
  throw error;
};
const away = new ProviderError('unavailable', endpoint, { words: 'Maintenance' });
const silent = new ProviderError('unavailable', endpoint);
const bug = new TypeError('of ours');

describe('a write', () => {
  // The steps read nothing of it.
  const context = {} as Parameters<typeof send>[1];
  const how = { doing: 'Restart web-1', wasSent: () => true, incident: () => 'a1b2c3d4' };
  const sent = (execute: AnyStep['execute'], more: Partial<typeof how> = {}) =>
    send(step({ execute }), context, { ...how, ...more });

  test('an accepted write has its receipt, and separately the secret for one person', async () => {
    const secret = { title: 'Password', value: 'hunter2' };
    expect(await sent(async () => ({ ...receipt, secret }))).toEqual({ kind: 'accepted', receipt, secret });
    expect(await sent(async () => receipt)).toEqual({ kind: 'accepted', receipt, secret: undefined });
  });

  const slow = 'no answer within 15000 ms';
  test.each<[error: Error, result: object]>([
    [
      new ProviderError('rejected', endpoint, { status: 409, words: 'Busy.' }),
      { kind: 'failed', note: 'Restart web-1: the provider answered 409: Busy. Nothing was changed.' },
    ],
    [new ProviderError('lost', endpoint, { words: slow }), { kind: 'lost', why: slow }],
    [new ProviderError('shape', endpoint, { words: slow }), { kind: 'lost', why: slow }],
    [new Refusal('changed', 'web-1 is gone.'), { kind: 'failed', note: 'web-1 is gone.' }],
    [
      new Refusal('changed', 'web-1 is gone.', { hint: 'Ask again.' }),
      { kind: 'failed', note: 'web-1 is gone. Ask again.' },
    ],
  ])('a write that ends with %o is lost or has failed', async (error, result) => {
    expect(await sent(fails(error))).toEqual({ ...result, error });
  });

  test('a write that an error of the bot stops is lost when it may have been sent, and failed before that', async () => {
    const incidents: unknown[] = [];
    const incident = (...about: unknown[]) => `incident${incidents.push(about)}`;
    const seen = await sent(fails(bug), { incident });
    expect(seen).toEqual({ kind: 'lost', why: 'an error of the bot, in the log under incident incident1', error: bug });
    expect(await sent(fails(bug), { incident, wasSent: () => false })).toEqual({
      kind: 'failed',
      note: 'Restart web-1: the bot could not send it. Nothing was changed. An admin finds the cause in the log under incident incident2.',
      error: bug,
    });
    expect(incidents).toEqual([
      [bug, 'Restart web-1'],
      [bug, 'Restart web-1'],
    ]);
  });
});

const ends = (state: string, note: string) => ({ kind: 'end', state, note });
const waits = (ms: number, more: object = {}) => ({ kind: 'wait', ms, ...more });
describe('a job of the provider', () => {
  const follow = () => jobOfStep;
  const accepted = (job: Job | ProviderError, own: Partial<PolledStep> = {}, asked: unknown[] = []) => {
    const read = job instanceof ProviderError ? fails(job) : async () => readerOf(() => job, asked);
    return phases.accepted(polled({ step: step({ follow }), read, ...own }));
  };
  const running: Job = { job_state: 'in_process' };
  const late = { elapsedMs: 120 * minute };
  const inError = "Restart web-1: the provider's job ended in error.";
  const notEnded = "the provider's job has not ended in 2 h; the power is on";
  const unseen = "the provider's job could not be seen to end in 2 h; it could not be read: Maintenance";

  test('a job is read by its server and its number', async () => {
    const asked: unknown[] = [];
    await accepted(running, {}, asked);
    expect(asked).toEqual([{ order_id: '34-12345', log_id: 812 }]);
  });

  test.each<[job: Job | ProviderError, own: Partial<PolledStep>, result: object]>([
    [{ job_state: 'done' }, {}, { kind: 'verifying', jobEnded: 'restart' }],
    [{ job_state: 'in_process', completed: true }, {}, { kind: 'verifying', jobEnded: 'restart' }],
    [{ job_state: 'error', completed: true }, {}, ends('failed', inError)],
    [{ job_state: 'error', note: 'No disk' }, {}, ends('failed', `${inError} The provider says: No disk.`)],
    [running, {}, waits(1_000)],
    [running, { looks: 3 }, waits(3_000)],
    [away, {}, waits(1_000)],
    // With any state of the server.
    [running, late, ends('unverified', notEnded)],
    [away, late, ends('unverified', unseen)],
  ])('a job that is read as %o, with %o, gives %o', async (job, own, result) => {
    expect(await accepted(job, own)).toEqual(result);
  });

  test('a job is read when such jobs usually end', async () => {
    const kinds: string[] = [];
    const usualMs = async (action: string) => {
      kinds.push(action);
      return Array.from({ length: 20 }, () => 30_000);
    };
    expect(await accepted(running, { usualMs })).toEqual(waits(28_500));
    expect(kinds).toEqual(['restart']);
  });
});

describe('a step that was accepted without a job', () => {
  const until = { kind: 'until', action: 'reinstall', timeoutMs: 10 * minute } as const;

  test('a step with nothing to wait for is verified at once, and a lost receipt counts as an empty one', async () => {
    const receipts: unknown[] = [];
    const follow = (given: Receipt) => {
      receipts.push(given);
      return undefined;
    };
    expect(await phases.accepted(polled({ step: step({ follow }) }))).toEqual({ kind: 'verifying' });
    await phases.accepted(polled({ step: step({ follow }), receipt: undefined }));
    expect(receipts).toEqual([receipt, { text: '', data: null }]);
  });

  const online = { isOffline: false };
  test.each<[verdict: Verdict, own: Partial<PolledStep>, result: object]>([
    [unsure, {}, waits(1_000, online)],
    [not, { looks: 2 }, waits(2_000, online)],
    [so, {}, { kind: 'verifying', ...online }],
    [{ ...unsure, isFinal: true }, {}, { kind: 'verifying', ...online }],
    [{ ...not, isFinal: true }, {}, ends('failed', 'Restart web-1: the power is off.')],
    // The step remembers that its server went down.
    [{ ...unsure, isOffline: true }, {}, waits(1_000, { isOffline: true })],
    [{ ...so, isOffline: true }, {}, { kind: 'verifying', isOffline: true }],
    [not, { elapsedMs: 10 * minute }, { kind: 'wait' }],
    [not, { elapsedMs: 10 * minute + 1 }, { kind: 'verifying', ...online }],
  ])('a step that is read as %o, with %o, gives %o', async (verdict, own, result) => {
    const followed = step({ follow: () => until, verify: async () => verdict });
    expect(await phases.accepted(polled({ step: followed, ...own }))).toMatchObject(result);
  });

  test('a step is waited for two hours at most', async () => {
    const patient = step({ follow: () => ({ ...until, timeoutMs: 300 * minute }), verify: async () => not });
    expect(await phases.accepted(polled({ step: patient, elapsedMs: 120 * minute }))).toMatchObject({
      kind: 'verifying',
    });
  });
});

describe('the verification of a step', () => {
  test.each<[verdict: Verdict, own: Partial<PolledStep>, result: object]>([
    [so, {}, ends('done', 'the power is on')],
    [not, {}, waits(1_000)],
    [not, { looks: 5 }, waits(15_000)],
    [not, { looks: 6 }, ends('unverified', 'the power is off')],
    [{ ...not, isFinal: true }, {}, ends('unverified', 'the power is off')],
    // A target that cannot be read is waited for longer where other steps wait for it.
    [unsure, { looks: 6 }, ends('unverified', 'the power is unknown')],
    [unsure, { looks: 6, isSeveral: true }, waits(30_000)],
    [not, { looks: 6, isSeveral: true }, ends('unverified', 'the power is off')],
    [so, { read: fails(away), looks: 6 }, ends('unverified', 'it could not be read: Maintenance')],
    [so, { read: fails(away), looks: 6, isSeveral: true }, waits(30_000)],
    [so, { read: fails(silent), looks: 6 }, ends('unverified', 'it could not be read: the provider did not answer')],
  ])('a verification that reads %o, with %o, gives %o', async (verdict, own, result) => {
    expect(await phases.verifying(polled({ step: step({ verify: async () => verdict }), ...own }))).toEqual(result);
  });

  test('a verification gets the receipt and what an earlier read saw', async () => {
    const given: unknown[] = [];
    const verify: AnyStep['verify'] = async (_, ...more) => {
      given.push(...more);
      return so;
    };
    await phases.verifying(polled({ step: step({ verify }), seen: { wasOffline: true } }));
    expect(given).toEqual([receipt, { wasOffline: true }]);
  });
});

const notApplied =
  'Restart web-1: the response was lost, and reading shows that it was not applied: the power is off. Ask again if you still want it.';

test.each<[verdict: Verdict, own: Partial<PolledStep>, result: object]>([
  [unsure, {}, waits(2_000)],
  [not, {}, waits(2_000)],
  [unsure, { looks: 9 }, waits(90_000)],
  [so, {}, ends('done', 'the power is on')],
  [{ ...not, isFinal: true }, {}, ends('failed', notApplied)],
  [not, { looks: 10 }, ends('failed', notApplied)],
  [{ ...unsure, isFinal: true }, {}, ends('unknown', 'the power is unknown')],
  [unsure, { looks: 10 }, ends('unknown', 'the power is unknown')],
  [so, { read: fails(away), looks: 10 }, ends('unknown', 'it could not be read: Maintenance')],
])('a read after a lost response that finds %o, with %o, gives %o', async (verdict, own, result) => {
  expect(await phases.reading(polled({ step: step({ reconcile: async () => verdict }), ...own }))).toEqual(result);
});

test.each(['accepted', 'verifying'] as const)('an error of the bot in the phase %s decides nothing', async (phase) => {
  const followed = step({ follow: () => jobOfStep });
  await expect(phases[phase](polled({ step: followed, read: fails(bug) }))).rejects.toBe(bug);
});
