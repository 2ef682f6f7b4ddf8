import { z } from 'zod';

/** `change` sends the request back with a line; `stop` skips the steps that have not begun; `continue` resumes a held request; `glass` runs it without approvals, and `found` closes that. */
export const votes = [
  'confirm',
  'approve',
  'decline',
  'change',
  'withdraw',
  'stop',
  'continue',
  'now',
  'move',
  'glass',
  'found',
] as const;
export type Vote = (typeof votes)[number];

/** The request that a button makes. A click returns it, and it is trusted no more than typed text. */
export const intentSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('vote'),
    operation: z.string().max(64),
    vote: z.enum(votes),
    /** The hour to move to. */
    at: z.string().max(40).exactOptional(),
  }),
  /**
   * Runs this line as if the person had typed it in the channel of the click. `in`: under the rules of that channel;
   * `anyway`: although the same request is waiting; `replaces`: the request that the new one replaces; `alert`: the
   * alert that is assigned to the person.
   */
  z.strictObject({
    do: z.literal('run'),
    line: z.string().max(1_900),
    in: z.string().max(64).exactOptional(),
    anyway: z.literal(true).exactOptional(),
    replaces: z.string().max(64).exactOptional(),
    alert: z.string().max(64).exactOptional(),
  }),
  /** Repeats the read and replaces the message. */
  z.strictObject({ do: z.literal('refresh'), line: z.string().max(1_900) }),
  /** Shows the read to the whole channel, once for each response. */
  z.strictObject({ do: z.literal('share'), line: z.string().max(1_900), answer: z.string().max(64) }),
  /** Opens the form of this line's command, filled in from the line; `in`: for that channel; `atStart`: at its first page. */
  z.strictObject({
    do: z.literal('form'),
    line: z.string().max(1_900),
    in: z.string().max(64).exactOptional(),
    atStart: z.literal(true).exactOptional(),
  }),
  z.strictObject({ do: z.literal('home'), filter: z.string().max(64), page: z.number().int().min(1).max(10_000) }),
  z.strictObject({ do: z.literal('favorite'), order: z.string().max(64), isFavorite: z.boolean() }),
  z.strictObject({ do: z.literal('notifications') }),
  /** Shows the read in a dialog. */
  z.strictObject({ do: z.literal('open'), line: z.string().max(1_900) }),
  /** Opens the facts of a request for deciders and people who may see it. */
  z.strictObject({ do: z.literal('review'), operation: z.string().max(64) }),
  /** Opens the form of a waiting request, to replace it by the same at an hour. */
  z.strictObject({ do: z.literal('schedule'), operation: z.string().max(64) }),
  z.strictObject({ do: z.literal('remind'), operation: z.string().max(64) }),
  /** Explains to the clicking person why a request needs this decision. */
  z.strictObject({ do: z.literal('why'), operation: z.string().max(64) }),
  /** Requests the right for this line from the admins. */
  z.strictObject({ do: z.literal('ask-access'), line: z.string().max(1_900), in: z.string().max(64).exactOptional() }),
  /** Opens an admin's decision on a request for access. */
  z.strictObject({ do: z.literal('access'), request: z.string().max(64), act: z.enum(['grant', 'decline']) }),
  z.strictObject({ do: z.literal('reveal'), secret: z.string().max(64) }),
  z.strictObject({
    do: z.literal('alert'),
    alert: z.string().max(200),
    act: z.enum(['acknowledge', 'snooze', 'accept']),
    forMs: z.number().int().positive().exactOptional(),
    /** For `accept`, the value that the message shows. */
    seen: z.string().max(64).exactOptional(),
  }),
]);
export type Intent = Readonly<z.infer<typeof intentSchema>>;

/** Prefix of a found request's id; other results are lines. */
const requestMark = '!';

/** The option value of a search result, which is too short for an intent; parsed again when it returns. */
export function foundValue(intent: Extract<Intent, { do: 'open' | 'review' }>): string {
  return intent.do === 'review' ? `${requestMark}${intent.operation}` : intent.line;
}

export function intentOfFound(value: string): Extract<Intent, { do: 'open' | 'review' }> {
  return value.startsWith(requestMark)
    ? { do: 'review', operation: value.slice(requestMark.length) }
    : { do: 'open', line: value };
}
