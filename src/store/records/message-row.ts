import type { Insertable } from 'kysely';
import type { MessagesTable } from '../schema.ts';

/** A message that Slack should show with this content. `view` is JSON text; `ts` is set once it was posted. */
export interface MessageRow extends Omit<MessagesTable, 'seq'> {
  seq: number;
}

export interface NewMessage {
  key: string;
  channel: string;
  /** The only person who sees the message, or receives it as a DM. */
  userId?: string;
  /** The message to reply to; the reply is posted after it. */
  parentKey?: string;
  /** The thread to post in. */
  threadTs?: string;
  /** JSON text; equal text means an equal message. */
  view: string;
}

/** The row of a new message. */
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
