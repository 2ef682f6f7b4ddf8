import type { ReminderWay } from '../../core/command/own-settings.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import { isWithin } from '../../core/text/day-hours.ts';
import { type ValueOf, valueKinds } from '../../store/records/value-kinds.ts';
import type { EngineSettings } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

export type Notifications = ValueOf<'notifications'>;

/** The notifications that a person chose on Home; the default is all of them. */
export async function notificationsOf(context: Pick<EngineContext, 'store'>, user: string): Promise<Notifications> {
  return (await context.store.values.get('notifications', user)) ?? valueKinds.notifications.parse({});
}

export function reminderWayOf({ reminders, isOn }: Notifications): ReminderWay {
  return reminders ?? (isOn ? 'direct' : 'none');
}

export async function isQuietFor(context: EngineContext, user: string): Promise<boolean> {
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
  return context.store.values.change('notifications', user, (before) => ({
    ...(before ?? valueKinds.notifications.parse({})),
    ...chosen,
  }));
}

/** Whether the thread may mention the requester at this end. */
export async function wantsEndMention(
  context: EngineContext,
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
