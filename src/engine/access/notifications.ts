import { z } from 'zod';
import type { OperationState } from '../../core/plan/operation.ts';
import { dayHoursSchema, isWithin } from '../../core/text/day-hours.ts';
import { createSettings } from '../../store/settings.ts';
import type { EngineSettings } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The ends for which the thread mentions the requester; `trouble`: every end but done. */
export const endMentions = ['usual', 'trouble', 'never'] as const;

/** How a person is reminded of a request that waits for their vote. */
export const reminderWays = ['direct', 'thread', 'none'] as const;
export type ReminderWay = (typeof reminderWays)[number];

const schema = z.object({
  /**
   * Direct messages about requests that wait for this person's approval. Stored under older names than the other
   * fields.
   */
  isOn: z.boolean().default(true),
  /** For an admin: direct messages about requests for access. */
  access: z.boolean().default(true),
  ends: z.enum(endMentions).default('usual'),
  /** Absent until chosen: then as for the first direct message. */
  reminders: z.enum(reminderWays).exactOptional(),
  /** The person's quiet hours, in their time zone in Slack. */
  quiet: dayHoursSchema.nullable().default(null),
});
export type Notifications = z.infer<typeof schema>;

const settings = ({ store }: Pick<EngineContext, 'store'>) => createSettings(store, 'direct-messages', schema);

/** The notifications that a person chose on Home; the default is all of them. */
export async function notificationsOf(context: Pick<EngineContext, 'store'>, user: string): Promise<Notifications> {
  return (await settings(context).get(user)) ?? schema.parse({});
}

export function reminderWayOf({ reminders, isOn }: Notifications): ReminderWay {
  return reminders ?? (isOn ? 'direct' : 'none');
}

/** True in the person's quiet hours. */
export async function isQuietFor(
  context: Pick<EngineContext, 'directory' | 'now' | 'store'>,
  user: string,
): Promise<boolean> {
  const { directory, now } = context;
  const { quiet } = await notificationsOf(context, user);
  return quiet !== null && isWithin(quiet, (await directory.person(user)).timeZone ?? 'UTC', now());
}

/** Stores the given choices and keeps the others. False if the person changed them elsewhere at the same time. */
export async function setNotifications(
  context: Pick<EngineContext, 'store'>,
  user: string,
  chosen: Partial<Notifications>,
): Promise<boolean> {
  return settings(context).change(user, (before) => ({ ...(before ?? schema.parse({})), ...chosen }));
}

/** Whether the thread may mention the requester at this end. */
export async function wantsEndMention(
  context: Pick<EngineContext, 'store'>,
  { requester, state }: { readonly requester: string; readonly state: OperationState },
): Promise<boolean> {
  const { ends } = await notificationsOf(context, requester);
  return ends === 'usual' || (ends === 'trouble' && state !== 'done');
}

/** The admins who want direct messages about requests for access; all admins if none does, since one must decide. */
export async function adminsToNotify({
  store,
  settings: { admins },
}: Pick<EngineContext, 'store'> & { readonly settings: Pick<EngineSettings, 'admins'> }): Promise<readonly string[]> {
  const chosen = await Promise.all(admins.map((admin) => notificationsOf({ store }, admin)));
  const wanting = admins.filter((_, at) => chosen[at]?.access !== false);
  return wanting.length === 0 ? admins : wanting;
}
