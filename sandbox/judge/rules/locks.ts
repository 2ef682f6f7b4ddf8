import { requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

export const locks: JudgeRule = {
  name: 'locks',
  promise: 'A request that has ended keeps nobody else from its target.',
  check: (history) => {
    const ended = requestsOf(history).flatMap(({ id, ends }) => ends.map(({ seq, at }) => ({ id, seq, at })));
    return history.audit
      .filter(({ kind }) => kind === 'refused')
      .flatMap((line) =>
        ended
          .filter(
            ({ id, seq, at }) =>
              seq < line.seq && at < line.at - history.graceMs && String(line.data.text).includes(id),
          )
          .map(({ id }) => `line ${line.seq} refused a request because of ${id}, which had ended`),
      );
  },
};
