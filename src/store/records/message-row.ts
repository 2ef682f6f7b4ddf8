import type { Insertable } from 'kysely';
import type { MessagesTable } from '../schema.ts';

/** A message that should exist in Slack with this content. `view` is JSON text, `ts` is there once it was posted. */
export interface MessageRow extends Omit<MessagesTable, 'seq'> {
  seq: number;
}

export interface NewMessage {
  key: string;
  channel: string;
  /** The only person who sees it, or gets it as a DM. */
  userId?: string;
  /** Posted as a reply to that message, and not before it. */
  parentKey?: string;
  /** Posted in this thread. */
  threadTs?: string;
  /** JSON text; equal text is an equal message. */
  view: string;
}

/** The row of a message that is new. */
export function messageValues(
  { key, channel, userId, parentKey, threadTs, view }: NewMessage,
  at: number,
): Insertable<MessagesTable> {
  return {
    key,
    channel,
    userId: userId ?? null,
    parentKey: parentKey ?? null,
    threadTs: threadTs ?? null,
    view,
    wanted: 1,
    delivered: 0,
    ts: null,
    state: 'due',
    attempts: 0,
    notBefore: 0,
    claimedBy: null,
    claimedUntil: 0,
    createdAt: at,
    updatedAt: at,
    error: null,
  };
}
