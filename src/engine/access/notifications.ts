import { z } from 'zod';
import type { OperationState } from '../../core/plan/operation.ts';
import { createSettings } from '../../store/settings.ts';
import type { EngineSettings } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The ends of their own request about which the thread mentions a person; `trouble`: only those that are not done. */
export const endMentions = ['usual', 'trouble', 'never'] as const;

const schema = z.object({
  /** Direct messages about requests that wait for this person's approval. The space and the field are older than the others. */
  isOn: z.boolean().default(true),
  /** To an admin: direct messages about requests for access. */
  access: z.boolean().default(true),
  ends: z.enum(endMentions).default('usual'),
});
export type Notifications = z.infer<typeof schema>;

const settings = ({ store }: Pick<EngineContext, 'store'>) => createSettings(store, 'direct-messages', schema);

/** The notifications that a person chose on Home; all of them until then. */
export async function notificationsOf(context: Pick<EngineContext, 'store'>, user: string): Promise<Notifications> {
  return (await settings(context).get(user)) ?? schema.parse({});
}

/** Keeps the choices that are left out. False where the person changed them elsewhere at the same moment. */
export async function setNotifications(
  context: Pick<EngineContext, 'store'>,
  user: string,
  chosen: Partial<Notifications>,
): Promise<boolean> {
  return settings(context).change(user, (before) => ({ ...(before ?? schema.parse({})), ...chosen }));
}

/** Whether the thread may mention the person who asked, where the end is news to them. */
export async function wantsEndMention(
  context: Pick<EngineContext, 'store'>,
  { requester, state }: { readonly requester: string; readonly state: OperationState },
): Promise<boolean> {
  const { ends } = await notificationsOf(context, requester);
  return ends === 'usual' || (ends === 'trouble' && state !== 'done');
}

/** The admins who want direct messages about requests for access; all of them where none does, since one must decide. */
export async function adminsToNotify({
  store,
  settings: { admins },
}: Pick<EngineContext, 'store'> & { readonly settings: Pick<EngineSettings, 'admins'> }): Promise<readonly string[]> {
  const chosen = await Promise.all(admins.map((admin) => notificationsOf({ store }, admin)));
  const wanting = admins.filter((_, at) => chosen[at]?.access !== false);
  return wanting.length === 0 ? admins : wanting;
}
