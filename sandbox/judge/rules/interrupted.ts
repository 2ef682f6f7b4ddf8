import type { JudgeRule } from './rule.ts';

export const interrupted: JudgeRule = {
  name: 'interrupted',
  promise: 'A request is said to have been interrupted only when a process was.',
  check: ({ audit, kills }) => {
    if (kills > 0) return [];
    return audit
      .filter(({ kind, data }) => kind === 'lost' && String(data.text).includes('the bot was interrupted'))
      .map(({ seq, operationId }) => `line ${seq} says that ${operationId} was interrupted, and no process was`);
  },
};
