import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { toJson } from '../../core/text/json.ts';
import type { UnopenedForm } from '../../core/view/form.ts';
import { votes } from '../../core/view/intent.ts';
import type { EngineContext } from './engine-context.ts';
import { type Place, placeSchema, type Request } from './request.ts';
import { formKeptForMs, formLivesMs } from './time-limits.ts';

/** The subject of an open modal. The modal itself carries only the opaque id. */
const sessionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    raw: z.record(z.string(), z.array(z.string())),
    place: placeSchema,
    /** The person's own place, if the form is about another channel. */
    from: placeSchema.exactOptional(),
    page: z.int(),
    /** The line whose effect the form already shows. */
    previewed: z.string().exactOptional(),
    isShared: z.boolean().default(false),
    /** The person wants another time than now. */
    isLater: z.literal(true).exactOptional(),
    replaces: z.string().exactOptional(),
    /** The reason given for the request. */
    reason: z.string().exactOptional(),
    /** Opened from a dialog, so no channel or thread is in view: private messages are shown in the dialog. */
    isFromDialog: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal('vote'), operation: z.string(), vote: z.enum(votes), place: placeSchema }),
  z.object({ kind: z.literal('decline-access'), request: z.string(), place: placeSchema }),
  z.object({ kind: z.literal('notifications'), place: placeSchema }),
  z.object({ kind: z.literal('ask'), place: placeSchema }),
  /** A dialog with buttons and no form. */
  z.object({ kind: z.literal('about'), place: placeSchema }),
]);
export type Session = z.infer<typeof sessionSchema>;

export async function sessionOf(context: EngineContext, id: string, user: string): Promise<Session | undefined> {
  const remembered = await rememberedSession(context, id, user);
  return remembered?.isTooOld === false ? remembered.session : undefined;
}

export type Remembered = NonNullable<Awaited<ReturnType<typeof rememberedSession>>>;

export async function rememberedSession({ store, now }: EngineContext, id: string, user: string) {
  const row = await store.forms.get(id, user);
  if (row === undefined) return undefined;
  const { createdAt: openedAt, data } = row;
  return { session: sessionSchema.parse(data), openedAt, isTooOld: now() - openedAt > formLivesMs };
}

export async function openSession(context: EngineContext, userId: string, data: Session): Promise<string> {
  const id = randomBytes(12).toString('hex');
  const expiresAt = context.now() + formKeptForMs;
  await context.store.forms.put({ id, userId, data: toJson(data), expiresAt });
  return id;
}

export async function openForm(context: EngineContext, user: string, session: Session, form: UnopenedForm) {
  return { ...form, id: await openSession(context, user, session) };
}

/** The place of the click, if the form is about another channel. */
export function fromOf({ place: from }: Request, { channel }: Place): { readonly from?: Place } {
  return from.channel === channel || from.kind === 'modal' ? {} : { from };
}
