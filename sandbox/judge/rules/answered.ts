import type { JudgeRule } from './rule.ts';

export const answered: JudgeRule = {
  name: 'answered',
  promise: 'What a person does is answered once, however often Slack delivers it.',
  check: ({ posts, acts, kills }) => {
    const told = Map.groupBy(
      posts.filter(({ onlyFor, isEdit }) => onlyFor !== null && !isEdit),
      ({ onlyFor, channel, text }) => JSON.stringify([onlyFor, channel, text]),
    );
    return [...told.values()].flatMap((same) => {
      const [first] = same;
      const done = acts.filter(({ user }) => user === first?.onlyFor).length;
      return same.length <= done + kills
        ? []
        : [`${first?.onlyFor} did ${done} things and read ${same.length} times: ${first?.text}`];
    });
  },
};
