import { matchWrites } from '../match-writes.ts';
import { votesBefore } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** Commands of which a pin demands one approver more. */
const guarded = ['cancel', 'dns domain-remove', 'hard-reset', 'reinstall', 'rescue on'];

export const pinned: JudgeRule = {
  name: 'pinned',
  promise: 'Nothing dangerous is sent to a pinned target with fewer votes than the rule and one more.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call }) => {
      const { id, rule, askedAt, command } = request;
      const pin = history.pins.find(({ target, at }) => target === call.target && at < call.at - history.graceMs);
      if (pin === undefined || !guarded.includes(command)) return [];
      const base = typeof rule === 'string' ? 1 : rule.approve;
      // The rule of a request that came after the pin has the vote for it already.
      const needed = pin.at > askedAt ? base + 1 : Math.max(2, base);
      const votes = votesBefore(request, call.seq).length;
      return votes >= needed
        ? []
        : [`step ${call.step} of ${id} was sent to a pinned target with ${votes} of ${needed}`];
    }),
};
