import { requestsOf } from '../requests.ts';
import { mayVoteAt } from './approved.ts';
import type { JudgeRule } from './rule.ts';

export const voidVotes: JudgeRule = {
  name: 'void',
  promise: 'A vote is void only when its person may no longer vote.',
  check: (history) =>
    requestsOf(history).flatMap((request) =>
      request.voids
        .filter(({ user, at }) => request.rule !== 'confirm' && mayVoteAt(history, request, user, at))
        .map(({ user, seq }) => `line ${seq} makes the vote of ${user} on ${request.id} void, who may vote`),
    ),
};
