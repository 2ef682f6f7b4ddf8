import { describe, expect, test } from 'vitest';
import type { ReadContext } from '../../../src/core/command/command.ts';
import type { Receipt, Verdict } from '../../../src/core/plan/plan.ts';
import { ProviderError, Refusal } from '../../../src/core/view/errors.ts';
import { type PolledStep, type PollResult, phases, send } from '../../../src/engine/run/step-logic.ts';
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

  test('a write that the provider refuses has failed, and its end quotes the provider', async () => {
    const error = new ProviderError('rejected', endpoint, { status: 409, words: 'Busy.' });
    expect(await sent(fails(error))).toEqual({
      kind: 'failed',
      note: 'Restart web-1: the provider answered 409: Busy. Nothing was changed.',
      error,
    });
  });

  test.each(['lost', 'shape'] as const)('a write whose response is %s does not count as failed', async (kind) => {
    const error = new ProviderError(kind, endpoint, { words: 'no answer within 15000 ms' });
    expect(await sent(fails(error))).toEqual({ kind: 'lost', why: 'no answer within 15000 ms', error });
  });

  test('a write that its step refuses has failed, with the hint', async () => {
    const plain = new Refusal('changed', 'web-1 is gone.');
    expect(await sent(fails(plain))).toEqual({ kind: 'failed', note: 'web-1 is gone.', error: plain });
    const hinted = new Refusal('changed', 'web-1 is gone.', { hint: 'Ask again.' });
    expect(await sent(fails(hinted))).toMatchObject({ note: 'web-1 is gone. Ask again.' });
  });

  test('a write that an error of the bot stops is lost when it may have been sent, and failed before that', async () => {
    const bug = new TypeError('an order without an id');
    const incidents: unknown[] = [];
    const incident = (...about: unknown[]) => `incident${incidents.push(about)}`;
    expect(await sent(fails(bug), { incident })).toEqual({
      kind: 'lost',
      why: 'an error of the bot, in the log under incident incident1',
      error: bug,
    });
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

describe('a job of the provider', () => {
  const follow = () => jobOfStep;
  const accepted = (
    job: Job | ProviderError,
    own: Partial<PolledStep> = {},
    asked: unknown[] = [],
  ): Promise<PollResult> => {
    const read = job instanceof ProviderError ? fails(job) : async () => readerOf(() => job, asked);
    return phases.accepted(polled({ step: step({ follow }), read, ...own }));
  };

  test('a job is read by its server and its number', async () => {
    const asked: unknown[] = [];
    await accepted({ job_state: 'in_process' }, {}, asked);
    expect(asked).toEqual([{ order_id: '34-12345', log_id: 812 }]);
  });

  test.each([{ job_state: 'done' }, { job_state: 'in_process', completed: true }])(
    'a job that has ended is verified: %o',
    async (job) => expect(await accepted(job)).toEqual({ kind: 'verifying', jobEnded: 'restart' }),
  );

  test('a job that ended in error has failed and quotes the provider, completed or not', async () => {
    const state = { kind: 'end', state: 'failed' };
    const note = "Restart web-1: the provider's job ended in error.";
    expect(await accepted({ job_state: 'error', completed: true })).toEqual({ ...state, note });
    expect(await accepted({ job_state: 'error', note: 'No disk' })).toEqual({
      ...state,
      note: `${note} The provider says: No disk.`,
    });
  });

  test('a running job, or a job that cannot be read for a moment, is waited for', async () => {
    expect(await accepted({ job_state: 'in_process' })).toEqual({ kind: 'wait', ms: 1_000 });
    expect(await accepted({ job_state: 'in_process' }, { looks: 3 })).toEqual({ kind: 'wait', ms: 3_000 });
    expect(await accepted(away)).toEqual({ kind: 'wait', ms: 1_000 });
  });

  test('a job is read when such jobs usually end', async () => {
    const kinds: string[] = [];
    const usualMs = async (action: string) => {
      kinds.push(action);
      return Array.from({ length: 20 }, () => 30_000);
    };
    expect(await accepted({ job_state: 'in_process' }, { usualMs })).toEqual({ kind: 'wait', ms: 28_500 });
    expect(kinds).toEqual(['restart']);
  });

  test('a job that has not ended in two hours is not verified, with any state of the server', async () => {
    const elapsedMs = 120 * minute;
    const end = { kind: 'end', state: 'unverified' };
    expect(await accepted({ job_state: 'in_process' }, { elapsedMs })).toEqual({
      ...end,
      note: "the provider's job has not ended in 2 h; the power is on",
    });
    expect(await accepted(away, { elapsedMs })).toEqual({
      ...end,
      note: "the provider's job could not be seen to end in 2 h; it could not be read: Maintenance",
    });
  });

  test('an error of the bot does not count as a running job', async () => {
    const bug = new TypeError('of ours');
    await expect(phases.accepted(polled({ step: step({ follow }), read: fails(bug) }))).rejects.toBe(bug);
  });
});

describe('a step that was accepted without a job', () => {
  const until = { kind: 'until', action: 'reinstall', timeoutMs: 10 * minute } as const;
  const watched = (verdict: Verdict, own: Partial<PolledStep> = {}) =>
    phases.accepted(polled({ step: step({ follow: () => until, verify: async () => verdict }), ...own }));

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

  test('a step waits until its effect is there, or until there is nothing to wait for', async () => {
    expect(await watched(unsure)).toEqual({ kind: 'wait', ms: 1_000, isOffline: false });
    expect(await watched(not, { looks: 2 })).toEqual({ kind: 'wait', ms: 2_000, isOffline: false });
    expect(await watched(so)).toEqual({ kind: 'verifying', isOffline: false });
    expect(await watched({ ...unsure, isFinal: true })).toEqual({ kind: 'verifying', isOffline: false });
  });

  test('a step remembers that its server went down', async () => {
    expect(await watched({ ...unsure, isOffline: true })).toEqual({ kind: 'wait', ms: 1_000, isOffline: true });
    expect(await watched({ ...so, isOffline: true })).toEqual({ kind: 'verifying', isOffline: true });
  });

  test('a step has failed when the read back says so finally', async () => {
    expect(await watched({ ...not, isFinal: true })).toEqual({
      kind: 'end',
      state: 'failed',
      note: 'Restart web-1: the power is off.',
    });
  });

  test('a step that takes longer than its timeout is no longer waited for, and is verified', async () => {
    expect(await watched(not, { elapsedMs: 10 * minute })).toMatchObject({ kind: 'wait' });
    expect(await watched(not, { elapsedMs: 10 * minute + 1 })).toEqual({ kind: 'verifying', isOffline: false });
    const patient = { ...until, timeoutMs: 300 * minute };
    const verify = async () => not;
    expect(
      await phases.accepted(polled({ step: step({ follow: () => patient, verify }), elapsedMs: 120 * minute })),
    ).toEqual({ kind: 'verifying', isOffline: false });
  });
});

describe('the verification of a step', () => {
  const verified = (verdict: Verdict, own: Partial<PolledStep> = {}) =>
    phases.verifying(polled({ step: step({ verify: async () => verdict }), ...own }));

  test('a verification ends as soon as the effect is there', async () => {
    expect(await verified(so)).toEqual({ kind: 'end', state: 'done', note: 'the power is on' });
  });

  test('a verification reads several times, and then says that the step is not verified', async () => {
    expect(await verified(not)).toEqual({ kind: 'wait', ms: 1_000 });
    expect(await verified(not, { looks: 5 })).toEqual({ kind: 'wait', ms: 15_000 });
    expect(await verified(not, { looks: 6 })).toEqual({ kind: 'end', state: 'unverified', note: 'the power is off' });
    expect(await verified({ ...not, isFinal: true })).toEqual({
      kind: 'end',
      state: 'unverified',
      note: 'the power is off',
    });
  });

  test('a verification waits longer for an unreadable target when the request has several steps', async () => {
    expect(await verified(unsure, { looks: 6, isSeveral: true })).toEqual({ kind: 'wait', ms: 30_000 });
    expect(await verified(unsure, { looks: 6 })).toMatchObject({ state: 'unverified' });
    expect(await verified(not, { looks: 6, isSeveral: true })).toMatchObject({ state: 'unverified' });
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

  test('a verification that cannot read says so, in the words of the provider or of the bot', async () => {
    const silent = new ProviderError('unavailable', endpoint);
    const end = { kind: 'end', state: 'unverified' };
    expect(await phases.verifying(polled({ read: fails(away), looks: 6 }))).toEqual({
      ...end,
      note: 'it could not be read: Maintenance',
    });
    expect(await phases.verifying(polled({ read: fails(silent), looks: 6 }))).toEqual({
      ...end,
      note: 'it could not be read: the provider did not answer',
    });
    expect(await phases.verifying(polled({ read: fails(away), looks: 6, isSeveral: true }))).toEqual({
      kind: 'wait',
      ms: 30_000,
    });
    const bug = new TypeError('of ours');
    await expect(phases.verifying(polled({ read: fails(bug) }))).rejects.toBe(bug);
  });
});

describe('reading after a lost response', () => {
  const read = (verdict: Verdict, looks = 1) =>
    phases.reading(polled({ step: step({ reconcile: async () => verdict }), looks }));

  test('reading after a lost response continues for minutes while the result is unknown', async () => {
    expect(await read(unsure)).toEqual({ kind: 'wait', ms: 2_000 });
    expect(await read(not)).toEqual({ kind: 'wait', ms: 2_000 });
    expect(await read(unsure, 9)).toEqual({ kind: 'wait', ms: 90_000 });
  });

  test('reading after a lost response ends with what was found', async () => {
    const end = { kind: 'end' };
    expect(await read(so)).toEqual({ ...end, state: 'done', note: 'the power is on' });
    const failed = {
      ...end,
      state: 'failed',
      note: 'Restart web-1: the response was lost, and reading shows that it was not applied: the power is off. Ask again if you still want it.',
    };
    expect(await read({ ...not, isFinal: true })).toEqual(failed);
    expect(await read(not, 10)).toEqual(failed);
    const unknown = { ...end, state: 'unknown', note: 'the power is unknown' };
    expect(await read({ ...unsure, isFinal: true })).toEqual(unknown);
    expect(await read(unsure, 10)).toEqual(unknown);
    expect(await phases.reading(polled({ read: fails(away), looks: 10 }))).toEqual({
      ...end,
      state: 'unknown',
      note: 'it could not be read: Maintenance',
    });
  });
});
