import type { SimMessage, SlackState } from '../slack/state.ts';
import type { PageEntry, ReadMarks } from './workspace.ts';

/** Counts the bot's messages that required each person's attention. */

export interface PersonNoise {
  readonly id: string;
  /** The bot's channel messages that mention this person, one of the person's groups, or everyone. */
  readonly pings: number;
  /** The bot's direct messages. */
  readonly direct: number;
  /** The bot's answers that only this person sees; Slack notifies no one of them. */
  readonly answers: number;
  /** Unread messages, of any author. */
  readonly unread: number;
}

export interface Noise {
  /** The bot's posts in channels, and its replies in threads. */
  readonly posts: number;
  readonly replies: number;
  readonly people: readonly PersonNoise[];
}

export function noiseOf(state: SlackState, marks: ReadMarks): Noise {
  const channels = new Map(state.channels.map((channel) => [channel.id, channel]));
  const isDirect = ({ channel }: SimMessage): boolean => channels.get(channel)?.kind === 'im';
  const isReply = ({ ts, threadTs }: SimMessage): boolean => threadTs !== undefined && threadTs !== ts;
  const ofBot = state.messages.filter((message) => message.botId !== undefined);
  const shown = ofBot.filter((message) => !isDirect(message));
  return {
    posts: shown.filter((message) => !isReply(message)).length,
    replies: shown.filter(isReply).length,
    people: state.people
      .filter((person) => !person.isBot && !person.isDeactivated)
      .map(({ id }) => {
        const pings = ofBot.filter((message) => message.pinged?.includes(id) === true);
        const mark = (message: SimMessage): string =>
          marks[id]?.[isReply(message) ? `${message.channel}:${message.threadTs}` : message.channel] ?? '';
        return {
          id,
          pings: pings.filter((message) => !isDirect(message)).length,
          direct: pings.filter(isDirect).length,
          answers: state.ephemerals.filter((message) => message.visibleTo === id && message.botId !== undefined).length,
          unread: state.messages.filter(
            (message) =>
              message.user !== id &&
              channels.get(message.channel)?.members.includes(id) === true &&
              message.ts > mark(message),
          ).length,
        };
      }),
  };
}

export const noiseEntries = (state: SlackState, marks: ReadMarks): PageEntry[] => [['noise', noiseOf(state, marks)]];
