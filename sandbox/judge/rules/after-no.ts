import { matchWrites } from '../match-writes.ts';
import { isActive } from './approved.ts';
import type { JudgeRule } from './rule.ts';

export const afterNo: JudgeRule = {
  name: 'after-no',
  promise:
    'Nothing is sent after the request has ended, nor later than a moment after a stop, a freeze, or the day its requester left.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call }) => {
      const { id, requester, ends, stoppedAt } = request;
      const what = `step ${call.step} of ${id} was sent`;
      const { at } = call;
      const since = at - history.graceMs;
      const broken: string[] = [];
      for (const end of ends) if (end.seq < call.seq) broken.push(`${what} after it was ${end.state}`);
      if (stoppedAt !== null && stoppedAt < since) broken.push(`${what} after it was stopped`);
      if (history.freezes.some(({ from, to }) => from < since && (to === null || to > at)))
        broken.push(`${what} under a freeze`);
      if (!isActive(history, requester, at)) broken.push(`${what} for ${requester}, who had left`);
      return broken;
    }),
};
