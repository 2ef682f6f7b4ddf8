import type { ReminderWay } from '../../core/command/own-settings.ts';
import { unansweredMs } from '../../core/plan/operation.ts';
import { sayAsker } from '../../core/plan/say-state.ts';
import { behindTitle } from '../../core/plan/say-when.ts';
import { noticeOf, subjectId } from '../../core/policy/policy.ts';
import { sayWaiting } from '../../core/policy/say-rule.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Span, Text, View } from '../../core/view/view.ts';
import { notificationsButton, reviewButton, says, text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { isQuietFor, notificationsOf, reminderWayOf } from '../access/notifications.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId, type Request } from '../context/request.ts';
import { remindEveryMs } from '../context/time-limits.ts';
import { linkedTitle } from '../operation/card-links.ts';
import { approversOf } from '../operation/card-names.ts';
import { lastEntry, recordEntry } from '../operation/entry-of.ts';
import { type Operation, requestOf } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';
import { mayVote } from '../operation/votes.ts';
import { waitingFor } from '../operation/waiting-for.ts';
import { maySee } from './review.ts';

const mostNotified = 5;
const notifiedKind = 'approvers_notified';

const firstKey = ({ id }: Pick<Operation, 'id'>): string => `unanswered:${id}`;

/** Sends a request to its approvers once: after ten minutes without a vote, or at once if the rule says so. */
export async function notifyApprovers(context: EngineContext, operation: Operation): Promise<void> {
  const notice = noticeOf(operation.rule);
  if (typeof operation.rule !== 'object' || notice === 'none') return;
  if (notice !== 'dm' && context.now() - operation.createdAt < unansweredMs) return;
  if ((await lastEntry(context, operation, notifiedKind)) !== undefined) return;
  const notified = await sendToApprovers(context, operation, firstKey(operation));
  // If no one was notified, perhaps because Slack did not answer, the next turn tries again.
  if (notified.length === 0) return notice === 'dm' ? mentionInstead(context, operation) : undefined;
  const done = `sent to the approvers as a direct message: ${operation.plan.title}`;
  const data = { people: [...notified] };
  await recordEntry(context, operation, notifiedKind, done, { actor: undefined, data, unlessThere: [notifiedKind] });
}

/** Mentions the approvers in the thread: the card names them without a mention, and no direct message was sent. */
async function mentionInstead(context: EngineContext, operation: Operation): Promise<void> {
  const kind = 'approvers_mentioned';
  if ((await lastEntry(context, operation, kind)) !== undefined) return;
  const more = ' No approver could be sent a direct message, so they are mentioned here.';
  const view = mentionOfApprovers(operation, context.settings.admins, '', more);
  await notifyThread(context, operation, firstKey(operation), view);
  const done = `mentioned the approvers, as none could be sent a direct message: ${operation.plan.title}`;
  await recordEntry(context, operation, kind, done, { actor: undefined, unlessThere: [kind] });
}

/** `Hard reset web-1 needs 1 approval: @ops can approve until today 4:14.` */
function mentionOfApprovers(operation: Operation, admins: readonly string[], still: '' | 'still ', more = ''): View {
  const { expiresAt, plan, rule } = operation;
  const until: Text = expiresAt === null ? '' : [' until ', { date: expiresAt, style: 'full' }];
  const asks = ` ${still}${sayWaiting(rule)}: `;
  const request = text({ bold: plan.title }, behindTitle(operation));
  return says(text(request, asks, approversOf(operation, admins), ' can approve', until, `.${more}`));
}

/** Puts the message for at most five approvers, keyed by `key` and the user. Returns the notified users. */
async function sendToApprovers(context: EngineContext, operation: Operation, key: string): Promise<readonly string[]> {
  const notified: string[] = [];
  const since: Text = ['has waited for approval since ', { date: operation.createdAt, style: 'full' }];
  const view = await askToReview(context, operation, since);
  for (const user of await askedPeople(context, operation)) {
    if (notified.length === mostNotified) break;
    if (!(await mayBeNotified(context, operation, user))) continue;
    if (!(await notificationsOf(context, user)).isOn) continue;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view });
    notified.push(user);
  }
  return notified;
}

async function mayBeNotified(context: EngineContext, operation: Operation, user: string): Promise<boolean> {
  if (user === operation.requester || !(await maySee(context, user, operation))) return false;
  const { ok, access } = await mayVote(context, operation, user);
  return ok && access.actor.membership === 'member';
}

/** `Hard reset web-1, asked by @operator in #ops, has waited …`, with a button that opens it. */
async function askToReview(context: EngineContext, operation: Operation, waits: Text): Promise<View> {
  const { id, plan, channel } = operation;
  const title = await linkedTitle(context, operation);
  const words = text(title, ', asked by ', sayAsker(operation), ' in ', { channel }, ', ', waits, '.');
  const buttons = [{ ...reviewButton('Review…', id), style: 'primary' } as const, notificationsButton];
  const effect = { kind: 'context', text: plan.effect } as const;
  return { summary: words, parts: [{ kind: 'text', text: words }, effect, { kind: 'buttons', buttons }] };
}

/** Reminders of an undecided request: those that a person asks for, and those of its times. */

/**
 * Notifies the approvers again, at most once in ten minutes: by direct message if the rule says so, else by a mention
 * in the card's thread. Returns the answer for the person who clicked.
 */
export async function remind(context: EngineContext, request: Request, id: string): Promise<View> {
  const { store, settings } = context;
  const operation = await requestOf(context, id);
  if (operation.state !== 'waiting' || typeof operation.rule !== 'object')
    throw new Refusal('closed', 'This request no longer waits for an approval.');
  if (request.actor !== operation.requester && !settings.admins.includes(request.actor))
    throw new Refusal('not_yours', 'Only the person who asked, or an admin, can remind the approvers.');
  const notice = noticeOf(operation.rule);
  if (notice === 'none')
    throw new Refusal('impossible', 'The rule of this channel notifies no approver: talk to one of them.');
  const lease = `remind:${id}`;
  if (!(await store.leases.acquire(lease, request.id, remindEveryMs))) return tooSoon(context, operation);
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

async function tooSoon(context: EngineContext, operation: Operation): Promise<View> {
  const last = await lastEntry(context, operation, 'reminded');
  if (last === undefined) return says('The approvers were reminded a moment ago.');
  const at: Span = { date: last.at, style: 'full' };
  const next: Span = { date: last.at + remindEveryMs, style: 'full' };
  return says(['The approvers were last reminded ', at, '. You can remind them again ', next, '.']);
}

export function reminderTimes({ rule, createdAt, expiresAt }: Operation): { half?: number; admins?: number } {
  if (typeof rule !== 'object' || expiresAt === null) return {};
  const quarter = Math.floor((expiresAt - createdAt) / 4);
  return { half: createdAt + 2 * quarter, admins: createdAt + 3 * quarter };
}

function isTimed({ id }: Operation, key: string): boolean {
  return key === `remind:${id}:half` || key === `remind:${id}:admins`;
}

/**
 * Reminds the approvers at half of its time, and the admins at three quarters. Only people whose vote counts and is
 * missing get one, each once for a time: the key of the message names the time and the person. A person in their quiet hours is reminded when these end, unless the request
 * destroys something: then at once.
 */
export async function remindMissing(context: EngineContext, operation: Operation): Promise<void> {
  const times = reminderTimes(operation);
  // The last time that has come: after an absence of the bot, people get one reminder, not two.
  const time = (['admins', 'half'] as const).find((name) => context.now() >= (times[name] ?? Number.POSITIVE_INFINITY));
  if (time === undefined || noticeOf(operation.rule) === 'none') return;
  const earlier = await context.store.messages.beginningWith([`remind:${operation.id}:${time}:`]);
  const sent = new Set(earlier.map(({ key }) => key));
  for (const user of time === 'half' ? await askedPeople(context, operation) : context.settings.admins) {
    const key = `remind:${operation.id}:${time}:${user}`;
    if (sent.size >= mostNotified) return;
    if (sent.has(key)) continue;
    const way = await wayFor(context, operation, user);
    if (way === 'none') continue;
    // Unlike other messages it comes after the entry: after a crash between the two, it is due, and recorded, again.
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

function directReminder(context: EngineContext, operation: Operation): Promise<View> {
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

/**
 * Removes the Review button from the direct messages about a request that has left `waiting`; while it waits for others,
 * from those of `voter`, whose vote is counted. Idempotent, as everything in a turn.
 */
export async function closeNotices(context: EngineContext, operation: Operation, voter?: string): Promise<void> {
  if (typeof operation.rule !== 'object') return;
  const words = voter === undefined ? ' no longer waits for an approval.' : ' waits for others: your vote is counted.';
  for (const { key, user } of await noticesOf(context, operation)) {
    if (voter !== undefined && user !== voter) continue;
    const view = says(text(await linkedTitle(context, operation), words), [reviewButton('Show it', operation.id)]);
    await context.outbox.put({ key, channel: user, view });
  }
}

/** Puts the Review button back after the request has returned to `waiting`. */
export async function reopenNotices(context: EngineContext, operation: Operation): Promise<void> {
  const { outbox } = context;
  if ((await lastEntry(context, operation, notifiedKind)) !== undefined)
    await sendToApprovers(context, operation, firstKey(operation));
  const reminders = (await noticesOf(context, operation)).filter(({ of }) => of !== firstKey(operation));
  for (const of of new Set(reminders.map((reminder) => reminder.of)))
    if (!isTimed(operation, of)) await sendToApprovers(context, operation, of);
  for (const { key, of, user } of reminders)
    if (isTimed(operation, of) && (await waitingFor(context, user, [operation])).length > 0)
      await outbox.put({ key, channel: user, view: await directReminder(context, operation) });
}

/** The direct messages about this request, the first ones and the reminders, each with the key that its person ends. */
async function noticesOf({ store }: EngineContext, operation: Operation) {
  // Only those that are stored: put again after it was pruned, a message would be posted a second time.
  const sent = await store.messages.beginningWith([`${firstKey(operation)}:`, `remind:${operation.id}:`]);
  // A mention in the thread stays unchanged.
  const direct = sent.filter(({ key, channel }) => key.endsWith(`:${channel}`));
  return direct.map(({ key, channel }) => ({ key, of: key.slice(0, -channel.length - 1), user: channel }));
}

/** The people and group members named by the rule; a group that Slack does not list has none. The admins if there are none. */
async function askedPeople({ directory, settings: { admins } }: EngineContext, { rule }: Operation) {
  const each = (typeof rule === 'object' ? rule.by : []).map(async (subject) => {
    const id = subjectId(subject);
    return subject.startsWith('user:') ? [id] : [...(await directory.groupMembers(id).catch(() => []))];
  });
  const people = new Set((await Promise.all(each)).flat());
  return people.size > 0 ? people : new Set(admins);
}
