import type { History } from '../history.ts';
import { type RequestStory, requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

export const standing: JudgeRule = {
  name: 'standing',
  promise:
    'A standing approval begins as many runs as it allows, one at a time, and none after its last day or its end.',
  check: (history) => {
    const requests = requestsOf(history);
    return requests.flatMap((request) => breaches(history, request, requests));
  },
};

function breaches(
  { graceMs }: History,
  { id, allowance, ends }: RequestStory,
  requests: readonly RequestStory[],
): string[] {
  if (allowance === null) return [];
  const begun = requests
    .filter(({ runOf, calls }) => runOf === id && calls.length > 0)
    .map((run) => ({ id: run.id, at: run.calls[0]?.at ?? 0, seq: run.calls[0]?.seq ?? 0, end: run.ends[0] }))
    .toSorted((a, b) => a.seq - b.seq);
  const tooMany =
    begun.length > allowance.mostRuns ? [`${begun.length} runs of ${id}, which allows ${allowance.mostRuns}`] : [];
  const late = begun
    .filter(
      ({ at, seq }) => at > allowance.until + graceMs || ends.some((end) => end.seq < seq && end.at < at - graceMs),
    )
    .map((run) => `${run.id} began after the end of ${id}`);
  const together = begun
    .filter(({ seq }, n) => (begun[n - 1]?.end?.seq ?? (n === 0 ? 0 : Infinity)) > seq)
    .map((run) => `${run.id} began while another run of ${id} was under way`);
  return [...tooMany, ...late, ...together];
}
