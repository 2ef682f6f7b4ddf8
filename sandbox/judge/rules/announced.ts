import { matchWrites } from '../match-writes.ts';
import { requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

export const announced: JudgeRule = {
  name: 'announced',
  promise:
    'Each write belongs to one step of one request, the audit has its line before it, and no step is sent twice.',
  check: (history) => {
    const { unannounced } = matchWrites(history);
    const repeated = requestsOf(history).flatMap(({ id, calls }) => {
      const steps = calls.map(({ step }) => step);
      return steps.filter((step, n) => steps.indexOf(step) !== n).map((step) => `${id} announced step ${step} twice`);
    });
    return [
      ...unannounced.map(({ method, path, at }) => `${method} ${path} at ${at} belongs to no step that was announced`),
      ...repeated,
    ];
  },
};
