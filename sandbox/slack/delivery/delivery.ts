import { setTimeout as pause } from 'node:timers/promises';
import { actOf } from '../accept.ts';
import { SimulationError } from '../simulation-error.ts';
import type { Workspace } from '../workspace.ts';
import type { Attempt, DeliveryAnswer, DeliveryTransport, Outcome, Payload, PayloadDelivery } from './types.ts';

export const nothingSent = (name: string, more: Partial<Outcome> = {}): Outcome => ({
  payloadId: null,
  kind: null,
  name,
  channel: null,
  userId: null,
  deliveredAtMs: 0,
  ackedMs: null,
  ack: undefined,
  attempts: [],
  duplicates: 0,
  error: null,
  shown: null,
  ts: null,
  ...more,
});

const kept = 5_000;

/** A delay that does not keep the process alive. */
const wait = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });

export interface DeliveryOptions {
  /** The delays before retries of an unacknowledged event. */
  eventRetryMs: readonly number[];
}

export function createDelivery(
  workspace: Workspace,
  transport: () => DeliveryTransport,
  options: DeliveryOptions,
): PayloadDelivery {
  const records = new Map<string, { payload: Payload; outcome: Outcome }>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  let count = 0;

  function attempted(payload: Payload, reason: Attempt['reason']): Attempt {
    const attempt: Attempt = { atMs: workspace.nowMs(), reason, ackedMs: null, error: null };
    const outcome = records.get(payload.id)?.outcome;
    if (outcome !== undefined) {
      outcome.attempts.push(attempt);
      outcome.duplicates = outcome.attempts.length - 1;
    }
    return attempt;
  }

  function recordAnswer(payload: Payload, attempt: Attempt, answer: DeliveryAnswer): void {
    const outcome = records.get(payload.id)?.outcome;
    if (!answer.ok) attempt.error ??= answer.error;
    if (outcome === undefined) return;
    if (answer.ok) {
      // The first acknowledgement counts; like Slack, the simulation ignores the answers to later deliveries.
      if (outcome.ackedMs === null) {
        outcome.ackedMs = attempt.ackedMs;
        outcome.ack = answer.body;
        if (payload.kind === 'events_api') outcome.error = null;
      }
    } else if (outcome.ackedMs === null) outcome.error = answer.error;
    workspace.changed({ kind: 'delivery', id: payload.id });
  }

  function retryLater(payload: Payload, number: number, reason: string): void {
    const delayMs = options.eventRetryMs[number - 1];
    if (delayMs === undefined || isClosed) return;
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const attempt = attempted(payload, 'retry');
      const answer = await transport().send(payload, { number, reason }, attempt);
      recordAnswer(payload, attempt, answer);
      if (!answer.ok && answer.isFinal !== true) retryLater(payload, number + 1, answer.error);
    }, delayMs);
    timer.unref();
    timers.add(timer);
  }

  return {
    attempted,
    payload: (id) => records.get(id)?.payload,
    outcomes: () => [...records.values()].map((record) => record.outcome),
    async deliver(payload) {
      const outcome = nothingSent(payload.name, {
        payloadId: payload.id,
        kind: payload.kind,
        channel: payload.channel,
        userId: payload.userId,
        deliveredAtMs: workspace.nowMs(),
      });
      workspace.lastAct = actOf(payload.name, payload.body, workspace.lastAct);
      records.set(payload.id, { payload, outcome });
      const oldest = records.keys().next().value;
      if (records.size > kept && oldest !== undefined) records.delete(oldest);
      count += 1;
      const { delivery: faults } = workspace.faults;
      if (faults.delayMs > 0) await wait(faults.delayMs);
      if (faults.isReordering && count % 2 === 1) await wait(50);
      const attempt = attempted(payload, 'first');
      const answering = transport().send(payload, { number: 0, reason: '' }, attempt);
      if (faults.isDuplicating) {
        const second = attempted(payload, 'duplicate');
        transport()
          .resend(payload, second)
          .then((answer) => recordAnswer(payload, second, answer));
      }
      const answer = await answering;
      recordAnswer(payload, attempt, answer);
      if (!answer.ok && payload.kind === 'events_api' && answer.isFinal !== true) retryLater(payload, 1, answer.error);
      return outcome;
    },
    async replay(payloadId) {
      const record = records.get(payloadId);
      if (record === undefined) throw new SimulationError(`no payload ${payloadId} was delivered; see outcomes()`);
      const attempt = attempted(record.payload, 'replay');
      const answer = await transport().resend(record.payload, attempt);
      recordAnswer(record.payload, attempt, answer);
      return answer;
    },
    forget() {
      records.clear();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
