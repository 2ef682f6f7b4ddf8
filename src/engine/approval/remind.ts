import type { ReminderWay } from '../../core/command/own-settings.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Span, says, type Text, text, type View } from '../../core/view/view.ts';
import { askedPeople } from '../access/asked-people.ts';
import { countingVotes } from '../access/count-votes.ts';
import { isQuietFor, notificationsOf, reminderWayOf } from '../access/notifications.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import type { Request } from '../context/request.ts';
import { remindEveryMs } from '../context/time-limits.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { type Operation, readOperation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { waitingFor } from '../operation/waiting-for.ts';
import { askToReview, mayBeNotified, mentionOfApprovers, mostNotified, sendToApprovers } from './notify-approvers.ts';

/** Reminders of an undecided request: those that a person asks for, and those of its times. */

/**
 * Notifies the approvers again, at most once in ten minutes: by direct message if the rule says so, else by a mention
 * in the card's thread. Returns the answer for the person who clicked.
 */
export async function remind(context: EngineContext, request: Request, id: string): Promise<View> {
  const { store, settings } = context;
  const row = await store.operations.find(id);
  const operation = row && readOperation(row);
  if (operation?.state !== 'waiting' || typeof operation.rule !== 'object')
    throw new Refusal('closed', 'This request no longer waits for an approval.');
  if (request.actor !== operation.requester && !settings.admins.includes(request.actor))
    throw new Refusal('not_yours', 'Only the person who asked, or an admin, can remind the approvers.');
  const notice = noticeOf(operation.rule);
  if (notice === 'none')
    throw new Refusal('impossible', 'The rule of this channel notifies no approver: talk to one of them.');
  const lease = `remind:${id}`;
  if (!(await store.leases.acquire(lease, request.id, remindEveryMs))) return tooSoon(context, id);
  const key = `remind:${id}:${operationId(request.id)}`;
  const done = `reminded the approvers: ${operation.plan.title}`;
  await recordEntry(context, operation, 'reminded', done, { actor: request.actor, data: { key } });
  const later = 'You can remind them again in 10 minutes.';
  const { length } = notice === 'dm' ? await sendToApprovers(context, operation, key) : [];
  if (length > 0) return says(`A direct message was sent to ${count(length, 'approver')}. ${later}`);
  await notifyThread(context, operation, key, mentionOfApprovers(operation, settings.admins, 'still '));
  const why = notice === 'dm' ? 'No approver could be sent a direct message. ' : '';
  return says(`${why}The approvers were reminded in the thread of the card. ${later}`);
}

async function tooSoon({ store }: Pick<EngineContext, 'store'>, id: string): Promise<View> {
  const [last] = await store.audit.list({ operationId: id, kind: 'reminded', limit: 1 });
  if (last === undefined) return says('The approvers were reminded a moment ago.');
  const at: Span = { date: last.at, style: 'full' };
  const next: Span = { date: last.at + remindEveryMs, style: 'full' };
  return says(['The approvers were last reminded ', at, '. You can remind them again ', next, '.']);
}

type Waiting = Pick<Operation, 'rule' | 'createdAt' | 'expiresAt'>;

export function reminderTimes({ rule, createdAt, expiresAt }: Waiting): { half?: number; admins?: number } {
  if (typeof rule !== 'object' || expiresAt === null) return {};
  const quarter = Math.floor((expiresAt - createdAt) / 4);
  return { half: createdAt + 2 * quarter, admins: createdAt + 3 * quarter };
}

/** The last time that has come: after an absence of the bot, people get one reminder, not two. */
function timeNow(operation: Waiting, now: number): 'half' | 'admins' | undefined {
  const { half = Number.POSITIVE_INFINITY, admins = Number.POSITIVE_INFINITY } = reminderTimes(operation);
  if (now >= admins) return 'admins';
  return now >= half ? 'half' : undefined;
}

export function isTimed({ id }: Operation, key: string): boolean {
  return key === `remind:${id}:half` || key === `remind:${id}:admins`;
}

/**
 * Reminds the approvers at half of its time, and the admins at three quarters. Only people whose vote counts and is
 * missing get one, each once for a time: the key of the message names the time and the person. A person in their quiet hours is reminded when these end, unless the request
 * destroys something: then at once.
 */
export async function remindMissing(context: EngineContext, operation: Operation): Promise<void> {
  const time = timeNow(operation, context.now());
  if (time === undefined || noticeOf(operation.rule) === 'none') return;
  const sent = new Set(
    (await context.store.messages.beginningWith([`remind:${operation.id}:${time}:`])).map(({ key }) => key),
  );
  for (const user of time === 'half' ? await askedPeople(context, operation) : context.settings.admins) {
    const key = `remind:${operation.id}:${time}:${user}`;
    if (sent.size >= mostNotified) return;
    if (sent.has(key)) continue;
    const way = await wayFor(context, operation, user);
    if (way === 'none') continue;
    // The audit comes first: after a crash between the two, the reminder is due, and recorded, again.
    const done = `reminded ${await personName(context, user)}: ${operation.plan.title}`;
    const entry = { actor: undefined, data: { key }, unlessThere: 'same' } as const;
    await recordEntry(context, operation, 'approver_reminded', done, entry);
    if (way === 'thread') await notifyThread(context, operation, key, await mentionOf(context, operation, user));
    else await context.outbox.put({ key, channel: user, view: await directReminder(context, operation) });
    sent.add(key);
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

export function directReminder(context: EngineContext, operation: Operation): Promise<View> {
  return askToReview(context, operation, text('still waits for your approval', expiry(operation)));
}

/** `@lead Hard reset web-1 needs 1 approval, and yours is missing. It expires today 4:14.` */
async function mentionOf({ store }: EngineContext, operation: Operation, user: string): Promise<View> {
  const { id, plan, rule } = operation;
  const missing = ` ${sayWaiting(rule, countingVotes(await store.votes.list(id)).length)}, and yours is missing`;
  return says(text({ user }, ' ', { bold: plan.title }, missing, expiry(operation), '.'));
}

function expiry({ expiresAt }: Operation): Text {
  return expiresAt === null ? '' : ['. It expires ', { date: expiresAt, style: 'full' }];
}
