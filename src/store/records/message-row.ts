import type { Insertable, Selectable } from 'kysely';
import type { MessagesTable } from '../schema.ts';

/** A message that Slack should show with this content; `ts` is set once it was posted. */
export type MessageRow = Selectable<MessagesTable>;

export type NewMessage = Pick<MessageRow, 'key' | 'channel' | 'view'> &
  Partial<Pick<MessageRow, 'parentKey' | 'threadTs'>> & {
    /** Not for Slack: posted to the address of a hook, as `channel` names it. */
    readonly state?: 'event';
  };

/** The row of a new message; the other columns are null. */
export function messageValues(message: NewMessage, at: number): Insertable<MessagesTable> {
  return {
    parentKey: null,
    threadTs: null,
    state: 'due',
    ...message,
    wanted: 1,
    delivered: 0,
    attempts: 0,
    notBefore: 0,
    claimedUntil: 0,
    updatedAt: at,
  };
}
