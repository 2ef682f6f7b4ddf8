import type { History } from '../history.ts';
import { matchWrites } from '../match-writes.ts';
import { type Call, type NotBefore, type RequestStory, votesBefore } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** The longest delay after its hour with which a request begins without a question. */
const graceOfHourMs = 10 * 60_000;

export const inTime: JudgeRule = {
  name: 'in-time',
  promise:
    'Nothing is sent before its hour or before its countdown ends, nor later than ten minutes after its hour unless somebody decided since.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call }) => [
      ...earlyIn(history, request, call),
      ...lateIn(history, request, call),
    ]),
};

function earlyIn({ audit }: History, { id, hours, countdowns }: RequestStory, { seq, step, at }: Call): string[] {
  // After the clock was set back, the hour may come again while the request is under way.
  const latest = Math.max(at, ...audit.filter((line) => line.seq < seq).map((line) => line.at));
  return [lastBefore(hours, seq), lastBefore(countdowns, seq)]
    .filter((moment) => moment !== undefined && latest < moment.at)
    .map((moment) => `step ${step} of ${id} was sent at ${at}, before ${moment?.at}`);
}

function lateIn(history: History, request: RequestStory, { seq, step, at }: Call): string[] {
  const { id, hours, countdowns, calls } = request;
  const hour = lastBefore(hours, seq);
  const isFirst = calls.every((call) => call.seq >= seq);
  // A request may wait for the end of a freeze.
  const wasFrozen = history.freezes.some(({ from, to }) => from <= at && (to ?? Infinity) >= (hour?.at ?? at));
  if (hour === undefined || !isFirst || wasFrozen) return [];
  const decidedAt = Math.max(
    hour.at,
    lastBefore(countdowns, seq)?.at ?? hour.at,
    ...votesBefore(request, seq).map((vote) => vote.at),
    ...history.acts.filter((act) => act.kind === 'continue' && act.operation === id).map((act) => act.at),
  );
  const lateMs = at - decidedAt;
  if (lateMs <= graceOfHourMs + history.graceMs) return [];
  return [`step ${step} of ${id} was sent by itself ${Math.round(lateMs / 1_000)} s after its hour`];
}

function lastBefore(moments: readonly NotBefore[], seq: number): NotBefore | undefined {
  return moments.findLast((moment) => moment.seq < seq);
}
