import { type RequestStory, requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** The texts of refusals because of a lock, with the title of the request that holds it. */
const heldBy = [/^[^"]*"(.+)" is running on it/, /is locked by "(.+?)"/];

export const locks: JudgeRule = {
  name: 'locks',
  promise: 'A request that has ended keeps nobody else from its target.',
  check: (history) => {
    const requests = requestsOf(history);
    return history.audit
      .filter(({ kind }) => kind === 'refused')
      .flatMap((line) => {
        const words = String(line.data.text);
        const title = heldBy.map((pattern) => pattern.exec(words)?.[1]).find((match) => match !== undefined);
        if (title === undefined) return [];
        // Several requests may have this title; one of them must have been running.
        const holders = requests.filter(
          (candidate) => candidate.title.startsWith(`${title}:`) && candidate.askedAt <= line.at,
        );
        const hasEnded = ({ ends }: RequestStory) =>
          ends.some(({ seq, at }) => seq < line.seq && at < line.at - history.graceMs);
        return holders.length > 0 && holders.every(hasEnded)
          ? [`line ${line.seq} refused a request because of "${title}", which had ended`]
          : [];
      });
  },
};
