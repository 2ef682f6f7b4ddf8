import { matchWrites } from '../match-writes.ts';
import { requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

export const followed: JudgeRule = {
  name: 'followed',
  promise: 'What a killed process was following is followed by another, and ends soon after its last write.',
  check: (history) => {
    const { mostFollowMs } = history;
    if (mostFollowMs === null) return [];
    const { matched } = matchWrites(history);
    return requestsOf(history).flatMap(({ id, ends }) => {
      const lastAt = Math.max(...matched.filter(({ request }) => request.id === id).map(({ write }) => write.at));
      return ends
        .filter(({ at }) => Number.isFinite(lastAt) && at - lastAt > mostFollowMs)
        .map(({ at }) => `${id} ended ${Math.round(at - lastAt)} ms after its last write`);
    });
  },
};
