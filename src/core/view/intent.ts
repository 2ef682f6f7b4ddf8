import { z } from 'zod';
import { type Intent, votes } from './view.ts';

/** The schema of a button's returned value, which is trusted no more than typed text. */
export const intentSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('vote'), operation: z.string().max(64), vote: z.enum(votes) }),
  z.strictObject({
    do: z.literal('run'),
    line: z.string().max(1_900),
    in: z.string().max(64).exactOptional(),
    anyway: z.literal(true).exactOptional(),
    replaces: z.string().max(64).exactOptional(),
    alert: z.string().max(64).exactOptional(),
  }),
  z.strictObject({ do: z.literal('refresh'), line: z.string().max(1_900) }),
  z.strictObject({ do: z.literal('share'), line: z.string().max(1_900), answer: z.string().max(64) }),
  z.strictObject({
    do: z.literal('form'),
    line: z.string().max(1_900),
    in: z.string().max(64).exactOptional(),
    replaces: z.string().max(64).exactOptional(),
  }),
  z.strictObject({ do: z.literal('home'), filter: z.string().max(64), page: z.number().int().min(1).max(10_000) }),
  z.strictObject({ do: z.literal('favorite'), order: z.string().max(64), isFavorite: z.boolean() }),
  z.strictObject({ do: z.literal('notifications') }),
  z.strictObject({ do: z.literal('open'), line: z.string().max(1_900) }),
  z.strictObject({ do: z.literal('review'), operation: z.string().max(64) }),
  z.strictObject({ do: z.literal('remind'), operation: z.string().max(64) }),
  z.strictObject({ do: z.literal('why'), operation: z.string().max(64) }),
  z.strictObject({ do: z.literal('ask-access'), line: z.string().max(1_900), in: z.string().max(64).exactOptional() }),
  z.strictObject({ do: z.literal('access'), request: z.string().max(64), act: z.enum(['grant', 'decline']) }),
  z.strictObject({ do: z.literal('reveal'), secret: z.string().max(64) }),
  z.strictObject({
    do: z.literal('alert'),
    alert: z.string().max(200),
    act: z.enum(['acknowledge', 'snooze', 'accept']),
    forMs: z.number().int().positive().exactOptional(),
  }),
]);

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
