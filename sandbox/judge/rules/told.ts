import type { History } from '../history.ts';
import { requestsOf } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** The same words, however Slack breaks and escapes them: after a title they begin with a small letter. */
const plain = (words: string): string =>
  words
    .replace(/[\s`*_~]+/g, ' ')
    .trim()
    .toLowerCase();

/** A request that a kill cut off before it had a card is answered to the person alone. */
const wasShown = ({ posts, kills }: History, id: string): boolean =>
  kills === 0 || posts.some(({ text, thread }) => thread === null && text.includes(id));

export const told: JudgeRule = {
  name: 'told',
  promise: 'Each end is posted under its card, in the words of the audit, and once unless a process was killed.',
  check: (history) => {
    if (!history.isOver) return [];
    return requestsOf(history).flatMap(({ id, channel, ends }) =>
      ends
        .filter(({ state }) => state !== 'withdrawn' && wasShown(history, id))
        .flatMap(({ text, at }) => {
          const posts = history.posts.filter(
            (post) =>
              post.channel === channel &&
              post.thread !== null &&
              !post.isEdit &&
              plain(post.text).includes(plain(text)),
          );
          // Two requests may end in the same words: what counts is that there is one message for each.
          const ending = requestsOf(history).filter(
            (other) => other.channel === channel && other.ends.some((end) => plain(end.text) === plain(text)),
          );
          if (posts.length < ending.length) return [`the end of ${id} at ${at} was not posted: ${text}`];
          return posts.length > ending.length + history.kills ? [`the end of ${id} was posted again: ${text}`] : [];
        }),
    );
  },
};
