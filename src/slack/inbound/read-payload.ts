import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { safeParse } from '../../core/text/json.ts';
import { undoSlack, withoutHost } from '../../core/text/undo-typing.ts';
import type { Place, Request } from '../../engine/context/request.ts';

/** The request in a payload, and Slack's ways to answer it. */
export interface IncomingPayload {
  readonly request: Request;
  /** Can open one modal, within three seconds. */
  readonly trigger?: string;
  /** An address for five private answers within thirty minutes, even in channels without the bot. */
  readonly responseUrl?: string;
  /** True if the button's click opens a modal. */
  readonly opens: boolean;
  /** True if the channel's name is that of a group direct message. */
  readonly isGroupDirect?: true;
  /** The modal of the click, on top of which a new modal opens. */
  readonly viewId?: string;
}

export const id = z.string().min(1).max(255);
export const person = z.object({ id });
/** The length is limited because the bot keeps these addresses. */
export const responseUrl = z.url().max(1_000);

/** Slack redelivers missed payloads. The bot asks before it runs one that is older than this. */
const lateAfterMs = 5 * 60_000;

/** The machine's time and the lead of Slack's clock, so that a wrong clock does not make payloads late. */
export interface ClockReading {
  readonly now: number;
  readonly slackAheadMs: number;
}

/** `ts` is in seconds by Slack's clock. Returns the machine's time of a late payload, or an empty object. */
export function lateness(ts: string | undefined, { now, slackAheadMs }: ClockReading): { readonly saidAt?: number } {
  const saidAt = Math.round(Number(ts) * 1_000) - slackAheadMs;
  return now - saidAt > lateAfterMs ? { saidAt } : {};
}

/** A typed line without mentions of the bot, a leading `/host` and Slack's notation. */
export function lineOf(text: string, botUserId: string): string {
  const unmentioned = text.replaceAll(new RegExp(`<@${botUserId}(\\|[^>]*)?>`, 'g'), ' ');
  return withoutHost(undoSlack(unmentioned));
}

/** Slack names a group direct message after its people, such as `mpdm-ann--bob--hostler-1`. */
export const isGroupDirect = (channelName: string): boolean => channelName.startsWith('mpdm-');

const longestId = 200;

/**
 * The id of a request, as the store keeps it: the store removes NUL and half characters, and a process that knew the
 * request under another id would neither renew its claim nor mark it done.
 */
export function requestId(text: string): string {
  return text.slice(0, longestId).toWellFormed().replaceAll('\0', '');
}

export function placeOf(channel: string, more: Partial<Record<'thread' | 'message', string | undefined>> = {}): Place {
  return { channel, kind: channel.startsWith('D') ? 'dm' : 'channel', ...defined(more) };
}

/** A payload that differs from Slack's documentation. The message names the path, never the value. */
export class UnreadablePayload extends Error {
  override name = 'UnreadablePayload';
}

export function readPayload<S extends z.ZodType>(what: string, schema: S, payload: unknown): z.output<S> {
  const read = safeParse(schema, payload);
  if (read.success) return read.data;
  const where = read.error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`).join(', ');
  throw new UnreadablePayload(`reading a ${what} from Slack: not as documented at ${where}`);
}
