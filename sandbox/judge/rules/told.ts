import type { History } from '../history.ts';
import { type End, type RequestStory, requestsOf, votesBefore } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** Normalizes texts for comparison: Slack breaks and escapes them, and after a title they begin with a small letter. */
const plain = (words: string): string =>
  words
    .replace(/[\s`*_~]+/g, ' ')
    .trim()
    .toLowerCase();

/** False for a request that an error or a kill interrupted before it had a card: only the requester gets the answer. */
const wasShown = ({ posts, kills }: History, id: string, { isPrivate }: End): boolean =>
  (kills === 0 && !isPrivate) || posts.some(({ requests, onlyFor }) => onlyFor === null && requests.includes(id));

/** The time for which a person who clicked is assumed to watch the card. */
const looksMs = 30_000;
/** The tolerance for the audit's times, since lines are written after the event. */
const slackMs = 5_000;

/** Whether the reply need not mention the requester: the request was done soon after the requester's own last click. */
function isQuiet({ kills, absences }: History, story: RequestStory, { seq, at, state }: End): boolean {
  const votes = votesBefore(story, seq).toSorted((a, b) => b.seq - a.seq);
  const isOwnClick = votes.every(({ user }, n) => n > 0 || user === story.requester);
  const isTimeKnown = kills === 0 && absences.length === 0 && story.stoppedAt === null;
  if (state !== 'done' || !isOwnClick || story.wasLost || !isTimeKnown) return false;
  return at - (votes[0]?.at ?? story.askedAt) < looksMs - slackMs;
}

/** Whether the requester withdrew the request, which the card shows. */
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
        .filter((end) => !isTakenBack(story, end) && wasShown(history, story.id, end))
        .map((end) => ({ story, end, words: plain(end.text), isQuiet: isQuiet(history, story, end) })),
    );
    return ended.flatMap(({ story: { id, channel, requester }, end: { at, text }, words }) => {
      const messages = Map.groupBy(
        history.posts.filter((post) => post.channel === channel && post.onlyFor === null),
        ({ message }) => message,
      );
      const saying = [...messages.values()].filter((posts) => posts.some((post) => plain(post.text).includes(words)));
      const replies = saying.filter((posts) =>
        // A card has other texts first. A reply may be edited to the same text if the bot did not know that it was
        // posted.
        posts.every((post) => post.thread !== null && post.requests.length === 0 && plain(post.text).includes(words)),
      );
      // Several requests may end with the same text, and an end may quote another; each needs its own message.
      const same = ended.filter((other) => other.story.channel === channel && other.words.includes(words));
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
