import type { Write } from '../history.ts';
import { matchWrites } from '../match-writes.ts';
import { type Call, requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** A step that changes the bot itself, such as a freeze, sends no request to the provider. */
const isOwn = ({ target }: Call): boolean => target?.startsWith('channel:') === true;

interface Sent {
  readonly call: Call;
  readonly write: Write | undefined;
}

/** Returns the reason why this end cannot be true; undefined if it can. */
type Doubt = (sent: readonly Sent[]) => string | undefined;

const wentWell = ({ call, write }: Sent): boolean =>
  isOwn(call) || (write?.isApplied === true && (write.job === null || write.job === 'done'));

const nothingSent: Doubt = (sent) => (sent.some(({ write }) => write !== undefined) ? 'a write was sent' : undefined);

/** By end. `unknown` and `unverified` only claim that a write was sent. */
const doubts: Readonly<Record<string, Doubt>> = {
  declined: nothingSent,
  expired: nothingSent,
  withdrawn: nothingSent,
  refused: nothingSent,
  done: (sent) => {
    if (sent.length === 0) return 'nothing was sent';
    return sent.every(wentWell) ? undefined : 'the provider did not do all of it';
  },
  // The log of the provider does not show whether a step that changes the bot itself was applied.
  failed: (sent) =>
    sent.length > 0 && sent.every((step) => !isOwn(step.call) && wentWell(step))
      ? 'the provider did all of it'
      : undefined,
  stopped: (sent) => (sent.length === 0 ? 'nothing was sent' : undefined),
  unknown: (sent) => (sent.length === 0 ? 'nothing was sent' : undefined),
  unverified: (sent) => (sent.length === 0 ? 'nothing was sent' : undefined),
};

export const trueEnd: JudgeRule = {
  name: 'true-end',
  promise: 'An end says nothing that the log of the provider denies.',
  check: (history) => {
    const { matched } = matchWrites(history);
    return requestsOf(history).flatMap(({ id, calls, ends, allowance }) => {
      // A standing approval sends nothing: its runs do.
      if (allowance !== null) return calls.length === 0 ? [] : [`${id} is a standing approval, and it was sent`];
      const sent = calls.map((call) => ({ call, write: matched.find((match) => match.call.seq === call.seq)?.write }));
      return ends.flatMap(({ state }) => {
        const doubt = doubts[state];
        if (doubt === undefined) return [`${id} ended as "${state}", which is no end`];
        const why = doubt(sent);
        return why === undefined ? [] : [`${id} ended as ${state}, but ${why}`];
      });
    });
  },
};
