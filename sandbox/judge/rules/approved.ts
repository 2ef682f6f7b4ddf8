import type { History } from '../history.ts';
import { matchWrites } from '../match-writes.ts';
import { type Call, type CountedVote, decidedBy, type RequestStory, requestsOf, votesBefore } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

const minuteMs = 60_000;

export const approved: JudgeRule = {
  name: 'approved',
  promise:
    'Each write has the votes that its rule asks for: by different people, entitled then and still at the write, each behind a click, in time; or somebody broke the glass first.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call }) =>
      lacksOf(history, request, call).map((lack) => `step ${call.step} of ${request.id} was sent: ${lack}`),
    ),
};

function lacksOf(history: History, request: RequestStory, call: Call): string[] {
  const { rule, requester } = request;
  if (rule === 'none' || request.glass.some((seq) => seq < call.seq)) return [];
  const decided = decidedBy(history, request);
  const votes = votesBefore(decided, call.seq);
  const counted = votes.filter((vote) => rule === 'confirm' || mayVote(history, request, vote, call));
  const lacks = votes
    .filter((vote) => !wasClicked(history, decided, vote))
    .map(({ user }) => `${user} never pressed the button`);
  if (rule === 'confirm') {
    if (!counted.some(({ user }) => user === requester)) lacks.push('the person who asked never confirmed');
  } else if (counted.length < rule.approve) {
    lacks.push(`${counted.length} of ${rule.approve} who may approve did`);
  }
  const lastMs = decided.askedAt + (rule === 'confirm' ? 15 * minuteMs : 24 * 60 * minuteMs) + history.graceMs;
  for (const { user, at } of votes) if (at > lastMs) lacks.push(`${user} decided when the time was over`);
  return lacks;
}

function wasClicked(history: History, request: RequestStory, vote: CountedVote): boolean {
  return history.acts.some(
    ({ kind, operation, user, at }) =>
      (operation === request.id || isReplaced(history, operation, request)) &&
      user === vote.user &&
      at <= vote.at &&
      (kind === 'approve' || kind === 'confirm'),
  );
}

/** Whether it is the same request under an earlier rule, whose approvals still count where the rule got stricter. */
function isReplaced(history: History, operation: string | null, { id, title, requester }: RequestStory): boolean {
  const other = requestsOf(history).find((candidate) => candidate.id === operation);
  return (
    other !== undefined &&
    other.id !== id &&
    other.title === title &&
    other.requester === requester &&
    other.ends.some(({ state }) => state === 'refused')
  );
}

function mayVote(history: History, request: RequestStory, { user, at, isSolo }: CountedVote, call: Call): boolean {
  if (user === request.requester && !isSolo) return false;
  return [at, call.at].every((time) => isActive(history, user, time) && isEntitled(history, request, user, time));
}

/** Whether the person may vote at exactly this time, without the grace period. */
export function mayVoteAt(history: History, request: RequestStory, user: string, time: number): boolean {
  const now = { ...history, graceMs: 0 };
  return isActive(now, user, time) && isEntitled(now, request, user, time);
}

function isEntitled(history: History, { rule, requester }: RequestStory, user: string, time: number): boolean {
  if (history.admins.includes(user)) return true;
  if (typeof rule === 'string') return user === requester;
  if (rule.by.length === 0) return user === requester;
  return rule.by.some((subject) => {
    if (subject === `user:${user}`) return true;
    if (!subject.startsWith('group:')) return false;
    return wasTrue(
      history,
      time,
      history.groups
        .filter(({ group }) => subject === `group:${group}`)
        .map(({ at, members }) => ({ at, value: members.includes(user) })),
    );
  });
}

export function isActive(history: History, user: string, time: number): boolean {
  const changes = history.people
    .filter((change) => change.user === user)
    .map(({ at, isActive: value }) => ({ at, value }));
  return wasTrue(history, time, [{ at: Number.NEGATIVE_INFINITY, value: true }, ...changes]);
}

/** Whether the value was true at some time in the grace period before `time`. */
function wasTrue(
  { graceMs }: History,
  time: number,
  changes: readonly { readonly at: number; readonly value: boolean }[],
): boolean {
  const sorted = changes.toSorted((a, b) => a.at - b.at);
  return sorted.some(({ at, value }, n) => value && at <= time && (sorted[n + 1]?.at ?? Infinity) >= time - graceMs);
}
