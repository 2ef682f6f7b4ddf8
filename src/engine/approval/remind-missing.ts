import type { ReminderWay } from '../../core/command/own-settings.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { says, type Text, text, type View } from '../../core/view/view.ts';
import { askedPeople } from '../access/asked-people.ts';
import { countingVotes } from '../access/count-votes.ts';
import { isQuietFor, notificationsOf, reminderWayOf } from '../access/notifications.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { linksToCards } from '../operation/card-links.ts';
import { entryOf } from '../operation/entry-of.ts';
import type { Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { waitingFor } from '../operation/waiting-for.ts';
import { askToReview, mayBeNotified, mostNotified } from './notify-approvers.ts';

/**
 * Reminders of an undecided request: its approvers at half of its time, the admins at three quarters. Only people whose
 * vote counts and is missing get one, each once for a time: the key of the message names the time and the person.
 */

type Time = 'half' | 'admins';
type Waiting = Pick<Operation, 'rule' | 'createdAt' | 'expiresAt'>;

export function reminderTimes({ rule, createdAt, expiresAt }: Waiting): Readonly<Partial<Record<Time, number>>> {
  if (typeof rule !== 'object' || expiresAt === null) return {};
  const quarter = Math.floor((expiresAt - createdAt) / 4);
  return { half: createdAt + 2 * quarter, admins: createdAt + 3 * quarter };
}

/** The last time that has come: after an absence of the bot, people get one reminder, not two. */
function timeNow(operation: Waiting, now: number): Time | undefined {
  const { half = Number.POSITIVE_INFINITY, admins = Number.POSITIVE_INFINITY } = reminderTimes(operation);
  if (now >= admins) return 'admins';
  return now >= half ? 'half' : undefined;
}

const keyOf = ({ id }: Pick<Operation, 'id'>, time: Time) => `remind:${id}:${time}`;

export function reminderKeys(operation: Pick<Operation, 'id'>): readonly string[] {
  return (['half', 'admins'] as const).map((time) => keyOf(operation, time));
}

/**
 * Reminds the approvers who are due. A person in their quiet hours is reminded when these end, unless the request
 * destroys something: then at once.
 */
export async function remindMissing(context: EngineContext, operation: Operation): Promise<void> {
  const time = timeNow(operation, context.now());
  if (time === undefined || noticeOf(operation.rule) === 'none') return;
  const key = keyOf(operation, time);
  const sent = new Set((await context.store.messages.beginningWith([`${key}:`])).map((message) => message.key));
  for (const user of time === 'half' ? await askedPeople(context, operation) : context.settings.admins) {
    if (sent.size >= mostNotified) return;
    if (sent.has(`${key}:${user}`)) continue;
    const way = await wayFor(context, operation, user);
    if (way === 'none') continue;
    await remindOne(context, operation, `${key}:${user}`, { user, way });
    sent.add(`${key}:${user}`);
  }
}

/** How to remind this person now; `none` if they are not to be reminded, or not yet. */
async function wayFor(context: EngineContext, operation: Operation, user: string): Promise<ReminderWay> {
  const way = reminderWayOf(await notificationsOf(context, user));
  if (way === 'none' || !(await mayBeNotified(context, operation, user))) return 'none';
  if ((await waitingFor(context, user, [operation])).length === 0) return 'none';
  const isUrgent = operation.risk === 'destructive';
  return !isUrgent && (await isQuietFor(context, user)) ? 'none' : way;
}

async function remindOne(
  context: EngineContext,
  operation: Operation,
  key: string,
  { user, way }: { readonly user: string; readonly way: ReminderWay },
): Promise<void> {
  // The audit comes first: after a crash between the two, the reminder is due, and recorded, again.
  await context.audit({
    ...entryOf(operation),
    kind: 'approver_reminded',
    actor: undefined,
    text: `reminded ${await personName(context, user)}: ${operation.plan.title}`,
    data: { key },
    unlessThere: 'same',
  });
  if (way === 'thread') await notifyThread(context, operation, key, await mentionOf(context, operation, user));
  else await context.outbox.put({ key, channel: user, view: await directReminder(context, operation) });
}

/** Puts the Review button back into the reminders of a request that waits again. */
export async function reopenReminders(context: EngineContext, operation: Operation): Promise<void> {
  const sent = await context.store.messages.beginningWith(reminderKeys(operation).map((key) => `${key}:`));
  for (const { key, channel } of sent) {
    if (channel === operation.channel || (await waitingFor(context, channel, [operation])).length === 0) continue;
    await context.outbox.put({ key, channel, view: await directReminder(context, operation) });
  }
}

async function directReminder(context: EngineContext, operation: Operation): Promise<View> {
  const link = (await linksToCards(context, [operation.id])).get(operation.id);
  return askToReview(operation, link, text('still waits for your approval', expiry(operation)));
}

/** `@lead Hard reset web-1 needs 1 approval, and yours is missing. It expires today 4:14.` */
async function mentionOf({ store }: EngineContext, operation: Operation, user: string): Promise<View> {
  const { id, plan, rule } = operation;
  const cast = countingVotes(await store.votes.list(id)).length;
  return says(
    text(
      { user },
      ' ',
      { bold: plan.title },
      ` ${sayWaiting(rule, cast)}, and yours is missing`,
      expiry(operation),
      '.',
    ),
  );
}

function expiry({ expiresAt }: Operation): Text {
  return expiresAt === null ? '' : ['. It expires ', { date: expiresAt, style: 'full' }];
}
