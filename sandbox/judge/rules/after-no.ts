import type { History, SeenAct, Write } from '../history.ts';
import { matchWrites } from '../match-writes.ts';
import { type Call, type RequestStory, requestsOf } from '../requests.ts';
import { isActive } from './approved.ts';
import type { JudgeRule } from './rule.ts';

export const afterNo: JudgeRule = {
  name: 'after-no',
  promise:
    'Nothing is sent after the request has ended or people read that it stops, nor later than a moment after a stop, a freeze, or the day its requester left.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call, write }) =>
      whyNot(history, request, call, write).map((why) => `step ${call.step} of ${request.id} was sent ${why}`),
    ),
};

function whyNot(history: History, request: RequestStory, { seq, at }: Call, write: Write): string[] {
  const { requester, ends, stoppedAt } = request;
  // Acts may happen between the check and the write.
  const isLate = (from: number) =>
    from + history.graceMs + history.actMs * history.acts.filter((act) => act.at > from && act.at <= at).length < at;
  const broken: string[] = [];
  // Times are comparable with the provider's only if no clock was set back.
  const arrivedAt = wasSetBack(history) ? -Infinity : write.at;
  for (const end of ends) if (end.seq < seq || end.at < arrivedAt) broken.push(`after it was ${end.state}`);
  if (stoppedAt !== null && isLate(stoppedAt)) broken.push('after it was stopped');
  // A step with an earlier line may already have begun, and is then followed to its end.
  const overlooked = overlookedStop(history, request);
  if (overlooked !== undefined && isLate(overlooked.at)) broken.push(`after ${overlooked.user} pressed Stop`);
  if (stopReadAt(history, request) < at) broken.push('after people read that no further step begins');
  if (history.freezes.some(({ from, to }) => isLate(from) && (to === null || to > at))) broken.push('under a freeze');
  if (!isActive(history, requester, at)) broken.push(`for ${requester}, who had left`);
  return broken;
}

/** The first press of Stop that neither the audit records nor a private message refuses. */
function overlookedStop({ acts, posts }: History, { id, stoppedAt }: RequestStory): SeenAct | undefined {
  if (stoppedAt !== null) return undefined;
  return acts.find(
    ({ kind, operation, user, at }) =>
      kind === 'stop' && operation === id && !posts.some((post) => post.onlyFor === user && post.at >= at),
  );
}

const wasSetBack = ({ audit }: History): boolean => audit.some(({ at }, n) => at < (audit[n - 1]?.at ?? at));

/** The time at which the card first showed the stop. Infinity if another request has a card with the same title. */
function stopReadAt(history: History, { id, channel, stopped }: RequestStory): number {
  if (stopped === null) return Infinity;
  const isTwin = requestsOf(history).some((other) => other.id !== id && other.title.startsWith(stopped));
  const notice = history.posts.find(
    (post) =>
      post.channel === channel && post.text.includes(stopped) && post.text.includes('stops it: no further step begins'),
  );
  return isTwin ? Infinity : (notice?.at ?? Infinity);
}
