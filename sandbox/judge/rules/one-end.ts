import { requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

export const oneEnd: JudgeRule = {
  name: 'one-end',
  promise: 'Each request is asked for once and comes to one end.',
  check: (history) =>
    requestsOf(history).flatMap(({ id, timesAsked, ends }) => {
      const broken: string[] = [];
      if (timesAsked !== 1) broken.push(`${id} was asked for ${timesAsked} times`);
      if (ends.length > 1) broken.push(`${id} has ${ends.length} ends: ${ends.map(({ state }) => state).join(', ')}`);
      if (ends.length === 0 && history.isOver) broken.push(`${id} has no end`);
      return broken;
    }),
};
