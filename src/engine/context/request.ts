import { z } from 'zod';
import { strikePrivateKeys } from '../../core/text/strike-secrets.ts';
import { intentSchema } from '../../core/view/intent.ts';

/** A person's request, wherever it came from. slack/inbound makes it by pure parsing; it is stored as it is. */

export const placeSchema = z.strictObject({
  /** The channel of the signed payload. Empty for Home and for what is asked inside a modal. */
  channel: z.string(),
  kind: z.enum(['channel', 'dm', 'home', 'modal']),
  /** The thread it was asked in, so that the answer goes there. */
  thread: z.string().exactOptional(),
  /** Nobody has replied in it yet: a posted answer begins the thread, and a private one would be shown to nobody. */
  isThreadEmpty: z.literal(true).exactOptional(),
  /** The message whose button was clicked, or that mentions the bot; none for one that only the person sees. */
  message: z.string().exactOptional(),
  /** The open form this was asked in; the engine knows the channel it belongs to. */
  form: z.string().exactOptional(),
  /** The dialog whose button was clicked: what only the person sees is shown in it. */
  dialog: z.string().exactOptional(),
});
export type Place = z.infer<typeof placeSchema>;

export const requestSchema = z.strictObject({
  /** The dedupe key: the same payload delivered again has the same one. */
  id: z.string().min(1).max(200),
  actor: z.string(),
  place: placeSchema,
  at: z.number(),
  /** The time at which it was said, where Slack delivered it late. */
  saidAt: z.number().exactOptional(),
  ask: z.discriminatedUnion('kind', [
    /** A typed line without `/host`, Slack's notation undone (core/text/undo-typing.ts). */
    z.strictObject({ kind: z.literal('line'), line: z.string(), isMention: z.literal(true).exactOptional() }),
    z.strictObject({ kind: z.literal('intent'), intent: intentSchema }),
    z.strictObject({
      kind: z.literal('submit'),
      form: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    }),
    /** The message shortcut "Act on this": the words of the message, its attachments and blocks. */
    z.strictObject({ kind: z.literal('about'), text: z.string() }),
    /** The global shortcut. */
    z.strictObject({ kind: z.literal('ask') }),
  ]),
});
export type Request = z.infer<typeof requestSchema>;

/** One form makes one operation, however often it is sent: Slack gives each press of its button another id. */
export function wishId({ id, ask }: Pick<Request, 'id'> & { readonly ask: { kind: string; form?: string } }): string {
  return ask.form === undefined ? id : `form:${ask.form}`;
}

/** The request as it may be stored, shown in a form again and put behind a button. */
export function withoutPrivateKeys(request: Request): Request {
  const { ask } = request;
  switch (ask.kind) {
    case 'line':
      return { ...request, ask: { ...ask, line: strikePrivateKeys(ask.line) } };
    case 'intent':
      if (!('line' in ask.intent)) return request;
      return { ...request, ask: { ...ask, intent: { ...ask.intent, line: strikePrivateKeys(ask.intent.line) } } };
    case 'about':
      return { ...request, ask: { ...ask, text: strikePrivateKeys(ask.text) } };
    case 'submit':
      return { ...request, ask: { ...ask, values: strikeValues(ask.values) } };
    case 'ask':
      return request;
  }
}

function strikeValues(values: Readonly<Record<string, string | string[]>>): Record<string, string | string[]> {
  const struck = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? strikePrivateKeys(value) : value.map(strikePrivateKeys),
  ]);
  return Object.fromEntries(struck);
}
