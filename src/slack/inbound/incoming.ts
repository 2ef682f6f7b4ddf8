import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { safeParse } from '../../core/text/safe-parse.ts';
import { undoSlack, withoutHost } from '../../core/text/undo-typing.ts';
import type { Place, Request } from '../../engine/context/request.ts';

/** The request in a payload, and the ways Slack gives to answer it. */
export interface IncomingPayload {
  readonly request: Request;
  /** Opens one modal, within three seconds. */
  readonly trigger?: string;
  /** Answers privately, five times in thirty minutes, even where the bot is not a member. */
  readonly responseUrl?: string;
  /** The button says that its click opens a modal. */
  readonly opens: boolean;
  /** Slack names the channel as it names group direct messages. */
  readonly isGroupDirect?: true;
  /** The modal it was clicked in: what opens then stands on top of it. */
  readonly viewId?: string;
}

export const id = z.string().min(1).max(255);
export const person = z.object({ id });
/** Some of them are remembered. */
export const responseUrl = z.url().max(1_000);

/** Slack delivers again what an app missed. What is older than this is asked about before it is done. */
const lateAfterMs = 5 * 60_000;

/** This moment by the clock of the machine, and how far Slack's clock is ahead of it: a clock that is wrong makes nothing late. */
export interface ClockReading {
  readonly now: number;
  readonly slackAheadMs: number;
}

/** `ts`: seconds by Slack's clock. The answer is in the machine's time, and empty for what came in time. */
export function lateness(ts: string | undefined, { now, slackAheadMs }: ClockReading): { readonly saidAt?: number } {
  const saidAt = Math.round(Number(ts) * 1_000) - slackAheadMs;
  return now - saidAt > lateAfterMs ? { saidAt } : {};
}

/** A typed line: mentions of the bot and a leading `/host` gone, Slack's notation undone. */
export function lineOf(text: string, botUserId: string): string {
  const said = text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ');
  return withoutHost(undoSlack(said));
}

/** Slack names a group direct message after its people, such as `mpdm-ann--bob--hostler-1`. */
export const isGroupDirect = (channelName: string): boolean => channelName.startsWith('mpdm-');

function kindOf(channel: string): Place['kind'] {
  return channel.startsWith('D') ? 'dm' : 'channel';
}

export function placeOf(
  channel: string,
  more: { thread?: string | undefined; message?: string | undefined } = {},
): Place {
  return {
    channel,
    kind: kindOf(channel),
    ...defined({ thread: more.thread, message: more.message }),
  };
}

/** A payload that is not as Slack documents it: named by where it differs, never by what it says. */
export class UnreadablePayload extends Error {
  override name = 'UnreadablePayload';
}

export function readPayload<S extends z.ZodType>(what: string, schema: S, payload: unknown): z.output<S> {
  const read = safeParse(schema, payload);
  if (read.success) return read.data;
  const where = read.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`).join(', ');
  throw new UnreadablePayload(`reading a ${what} from Slack: not as documented at ${where}`);
}
