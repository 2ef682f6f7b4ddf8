import type { History } from '../history.ts';
import { type End, type RequestStory, requestsOf, votesBefore } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** The same words, however Slack breaks and escapes them: after a title they begin with a small letter. */
const plain = (words: string): string =>
  words
    .replace(/[\s`*_~]+/g, ' ')
    .trim()
    .toLowerCase();

/** A request that a kill cut off before it had a card is answered to the person alone. */
const wasShown = ({ posts, kills }: History, id: string): boolean =>
  kills === 0 || posts.some(({ requests, onlyFor }) => onlyFor === null && requests.includes(id));

/** A person who clicked looks at the card for so long. */
const looksMs = 30_000;
/** The audit is written a little after what it tells. */
const slackMs = 5_000;

/** True where the reply may mention nobody: done at once, by the requester's own last click. */
function isQuiet({ kills, absences }: History, story: RequestStory, { seq, at, state }: End): boolean {
  const votes = votesBefore(story, seq).toSorted((a, b) => b.seq - a.seq);
  const isOwnClick = votes.every(({ user }, n) => n > 0 || user === story.requester);
  const isTimeKnown = kills === 0 && absences.length === 0 && story.stoppedAt === null;
  if (state !== 'done' || !isOwnClick || story.wasLost || !isTimeKnown) return false;
  return at - (votes[0]?.at ?? story.askedAt) < looksMs - slackMs;
}

/** The requester took it back; the card says so. */
const isTakenBack = ({ requester }: RequestStory, { state, by }: End): boolean =>
  state === 'withdrawn' && (by ?? requester) === requester;

export const told: JudgeRule = {
  name: 'told',
  promise:
    'Each end is shown on its card, in the words of the audit, and in one reply below it, which pings nobody where the requester clicked last and it was done within 30 s.',
  check: (history) => {
    if (!history.isOver) return [];
    const ended = requestsOf(history).flatMap((story) =>
      story.ends
        .filter((end) => !isTakenBack(story, end) && wasShown(history, story.id))
        .map((end) => ({ story, end, words: plain(end.text), isQuiet: isQuiet(history, story, end) })),
    );
    return ended.flatMap(({ story: { id, channel, requester }, end: { at, text }, words }) => {
      const messages = Map.groupBy(
        history.posts.filter((post) => post.channel === channel && post.onlyFor === null),
        ({ message }) => message,
      );
      const saying = [...messages.values()].filter((posts) => posts.some((post) => plain(post.text).includes(words)));
      const replies = saying.filter((posts) =>
        // A card says other words first. A reply may be edited to the same words, where the bot did not know that it stands.
        posts.every((post) => post.thread !== null && post.requests.length === 0 && plain(post.text).includes(words)),
      );
      // Two requests may end in the same words: what counts is that there is one message for each.
      const same = ended.filter((other) => other.story.channel === channel && other.words === words);
      const others = same.filter((other) => !other.isQuiet && other.story.requester === requester);
      const pings = replies.filter((posts) => posts.some((post) => post.text.includes(`@${requester}`)));
      if (replies.length < same.length) return [`the end of ${id} at ${at} was not posted: ${text}`];
      if (saying.length - replies.length < same.length)
        return [`the end of ${id} at ${at} is not on its card: ${text}`];
      if (replies.length > same.length + history.kills) return [`the end of ${id} was posted again: ${text}`];
      return pings.length > others.length + history.kills
        ? [`the end of ${id} pinged ${requester}, who saw it: ${text}`]
        : [];
    });
  },
};
