import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mapStrings } from '../../core/text/json.ts';
import { strikePrivateKeys } from '../../core/text/strike-secrets.ts';
import { intentSchema } from '../../core/view/intent.ts';

/** A person's request from any source. slack/inbound parses it, and it is stored unchanged. */

/** The token through which a machine asks as the person who made it, and the hash of its line. */
export const tokenSchema = z.strictObject({ id: z.string(), name: z.string(), line: z.string() });
export type MachineToken = Readonly<z.infer<typeof tokenSchema>>;

export const placeSchema = z.strictObject({
  /** The channel of the signed payload. Empty for Home and for requests from a modal. */
  channel: z.string(),
  kind: z.enum(['channel', 'dm', 'home', 'modal']),
  /** The thread of the request, which gets the response. */
  thread: z.string().exactOptional(),
  /** The thread has no replies: a posted response begins it, and an ephemeral one would be invisible. */
  isThreadEmpty: z.literal(true).exactOptional(),
  /** The message whose button was clicked or that mentions the bot; absent for an ephemeral message. */
  message: z.string().exactOptional(),
  /** The open form of the request; the engine knows its channel. */
  form: z.string().exactOptional(),
  /** The dialog whose button was clicked; it shows private messages. */
  dialog: z.string().exactOptional(),
  /** The call of a machine, which gets the responses instead of Slack. */
  call: z
    .strictObject({
      id: z.string(),
      token: tokenSchema,
      mayWrite: z.boolean(),
      /** The most that the machine allows: a change, its plan, or a read. */
      lets: z.enum(['change', 'show', 'read']),
    })
    .exactOptional(),
});
export type Place = z.infer<typeof placeSchema>;

export const requestSchema = z.strictObject({
  /** The deduplication key, equal in all deliveries of a payload. */
  id: z.string().min(1).max(200),
  actor: z.string(),
  place: placeSchema,
  at: z.number(),
  /** The time of the original action, if Slack delivered it late. */
  saidAt: z.number().exactOptional(),
  ask: z.discriminatedUnion('kind', [
    /** A typed line without `/host` and without Slack's notation (core/text/undo-typing.ts). */
    z.strictObject({ kind: z.literal('line'), line: z.string(), isMention: z.literal(true).exactOptional() }),
    z.strictObject({ kind: z.literal('intent'), intent: intentSchema }),
    z.strictObject({
      kind: z.literal('submit'),
      form: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    }),
    /** The message shortcut "Act on this": the text of the message, its attachments and blocks. */
    z.strictObject({ kind: z.literal('about'), text: z.string() }),
    /** The global shortcut. */
    z.strictObject({ kind: z.literal('ask') }),
  ]),
});
export type Request = z.infer<typeof requestSchema>;

/** The seed of the operation's id: a form yields one operation, though Slack sends another id with each click. */
export function operationSeed({ id, ask }: Pick<Request, 'id'> & { readonly ask: { kind: string; form?: string } }) {
  return ask.form === undefined ? id : `form:${ask.form}`;
}

/** The longest line that a response offers to run again: its button carries other fields as well. */
export const longestLineToRepeat = 1_800;

/** Removes private keys, so that the request may be stored, shown in a form again, and put into a button. */
export function withoutPrivateKeys(request: Request): Request {
  return { ...request, ask: mapStrings(request.ask, strikePrivateKeys) };
}

/** Short enough to read aloud. */
export function shortId(seed: string, length = 8): string {
  const digits = 'abcdefghjkmnpqrstuvwxyz23456789';
  const hash = createHash('sha256').update(seed).digest();
  return [...hash.subarray(0, length)].map((byte) => digits[byte % digits.length]).join('');
}

/** Derives the id from the request: repeated, it yields the same operation. Of 31^10 ids, no two collide by chance. */
export const operationId = (seed: string): string => shortId(seed, 10);
