import type { Alert } from '../../core/alert/alert.ts';
import { mentionOf } from '../../core/policy/policy.ts';
import { isWithin } from '../../core/text/day-hours.ts';
import { count, firstLines } from '../../core/text/words.ts';
import { severitySigns } from '../../core/view/signs.ts';
import { joined, says, type Text, text } from '../../core/view/view.ts';
import type { AlertPatch } from '../../store/records/alerts.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { flapping, sayMinutes, sayOnIt, titleOf, worstSign } from './alert-view.ts';
import type { AttemptsOf } from './attempts.ts';
import { isMutedBy, mutesIn } from './end-mutes.ts';
import { backToOpen } from './lifecycle.ts';

/** Replies in the threads of messages: Slack notifies nobody of an edit. Each has a key, so a repetition posts nothing. */

/** A channel of which one run publishes the alerts. */
export type Here = Awaited<ReturnType<typeof hereAt>>;

export async function hereAt(context: EngineContext, channel: string) {
  const subscription = await context.store.values.get('subscription', channel);
  // In the quiet hours of the channel, only critical alerts are posted.
  const isQuiet = subscription?.quiet != null && isWithin(subscription.quiet, subscription.timeZone, context.now());
  return { ...context, channel, subscription, isQuiet, mutes: await mutesIn(context, channel) };
}

export function mayNotify(here: Here, alert: Alert): boolean {
  const isInTime = alert.severity === 'critical' || !here.isQuiet;
  return isInTime && !here.mutes.some((mute) => isMutedBy(here, mute, alert));
}

function replyTo({ outbox, channel }: Here, message: string, key: string, words: Text): Promise<void> {
  const parentKey = `alert:${message}`;
  return outbox.put({ key: `${parentKey}:${key}`, channel, parentKey, view: says(words) });
}

/** The channel's mentions for these alerts; empty if none is critical. */
export function mentionsFor(alerts: readonly Alert[], { subscription, isQuiet }: Here): Text {
  const pings = alerts
    .filter(({ severity }) => severity === 'critical')
    .flatMap(({ rule }) => subscription?.rules[rule]?.ping ?? [])
    .filter(({ always }) => always || !isQuiet);
  const subjects = new Set(pings.flatMap(({ to }) => to.map(({ subject }) => subject)));
  return joined([...subjects].map(mentionOf), ' ');
}

/** One reply for all alerts of a message that escalated or returned in one sweep. */
export async function notifyWorse(here: Here, message: string, alerts: readonly Alert[]): Promise<void> {
  const risen = alerts.filter(
    (alert) => alert.escalatedAt !== null && alert.resolvedAt === null && mayNotify(here, alert),
  );
  const worse = risen.filter((alert) => isWorthReply(here, alert));
  const [first] = worse;
  if (first !== undefined) {
    const mentions = mentionsFor(worse, here);
    const words = mentions.length === 0 ? sayWorse(worse) : text(sayWorse(worse), ' · ', mentions);
    await replyTo(here, message, `up:${first.id}:${first.peak}:${first.flaps}`, words);
  }
  for (const alert of risen) await here.store.alerts.change(alert.id, alert.version, { escalatedAt: null });
}

/** Days that pass deserve no reply: until the alert is critical, the edit of its message says so. */
function isWorthReply({ alertRules }: Here, { rule: name, severity, flaps }: Alert): boolean {
  const rule = alertRules.find((candidate) => candidate.name === name);
  return severity === 'critical' || flaps > 0 || rule?.thresholds?.unit !== 'days';
}

const mostNamed = 5;

function sayWorse(worse: readonly Alert[]): string {
  const [first] = worse;
  if (first !== undefined && worse.length === 1)
    return `${severitySigns[first.severity]} ${first.finding.title}${flapping(first)}`;
  const what = worse.every(({ flaps }) => flaps > 0) ? 'are on again' : 'got worse';
  const titles = worse.map(({ finding }) => finding.title);
  return `${worstSign(worse)} ${count(worse.length, 'alert')} ${what}: ${firstLines(titles, mostNamed).join('; ')}`;
}

/** Mentions the person to whom alerts were handed over. The key identifies the hand-over. */
export async function notifyHandedOver(here: Here, message: string, alerts: readonly Alert[]): Promise<void> {
  const handed = alerts.filter(({ state, handedBy }) => state === 'acknowledged' && handedBy !== null);
  // Alerts of one message that were handed over together have the same time.
  const together = Map.groupBy(handed, ({ byUser, sinceAt }) => `handed:${byUser}:${sinceAt}`);
  for (const [key, [first, ...others]] of together) {
    if (first === undefined || first.handedBy === null) continue;
    const what = others.length === 0 && alerts.length > 1 ? `${first.finding.title}: ` : '';
    await replyTo(here, message, key, text(what, sayOnIt(first, await personName(here, first.handedBy)), '.'));
  }
}

/** Says once how each attempt ended. */
export async function notifyAttempts(here: Here, message: string, attempts: AttemptsOf): Promise<void> {
  const { store, now } = here;
  for (const [alert, { unposted }] of attempts) {
    for (const { operation, words } of unposted) {
      // Alerts of one message that are about the same target share its reply.
      await replyTo(here, message, `tried:${operation}`, words);
      const key = `${alert}:${operation}`;
      const note = (await store.values.find('attempt', [key])).get(key);
      await store.values.write('attempt', { [key]: { operation, isPosted: true } }, note?.at ?? now());
    }
  }
}

/** Notifies everyone again if an assignment or a snooze has expired and the alert is still open. */
export async function wake(here: Here): Promise<void> {
  const { store, now, channel } = here;
  const patch = { ...backToOpen, remindedAt: now() };
  await replyAndChange(here, await store.alerts.lapsed(channel, now()), patch, ({ id, byUser, state, until }, what) => {
    const by = { user: byUser ?? '' };
    const how: Text = state === 'snoozed' ? ['snoozed by ', by, ' until now'] : [by, ' was on it until now'];
    return { key: `over:${id}:${until}`, words: text(`Still open: ${what} · `, how) };
  });
}

export async function remind(here: Here): Promise<void> {
  const { store, now, channel, subscription } = here;
  if (subscription?.remindMs == null) return;
  const at = now();
  const due = await store.alerts.quietSince(channel, at - subscription.remindMs);
  await replyAndChange(here, due, { remindedAt: at }, ({ id, remindedAt, toldAt, openedAt }, what) => ({
    // The key contains the time of the previous post, so that a repetition after a crash posts nothing.
    key: `again:${id}:${remindedAt ?? toldAt}`,
    words: `Still open after ${sayMinutes(at - openedAt)}: ${what}`,
  }));
}

/** Says one thing of all these alerts of a message, and changes each. */
async function replyAndChange(
  here: Here,
  due: readonly Alert[],
  patch: AlertPatch,
  say: (first: Alert, what: string) => { readonly key: string; readonly words: Text },
): Promise<void> {
  const now = due.filter((alert) => mayNotify(here, alert));
  for (const [message, rows] of Map.groupBy(now, (row) => row.message ?? '')) {
    const [first] = rows;
    if (first === undefined || message === '') continue;
    // The reply comes first: after a crash in between it is put again, which posts nothing.
    const { key, words } = say(first, titleOf(rows));
    await replyTo(here, message, key, words);
    for (const row of rows) await here.store.alerts.change(row.id, row.version, patch);
  }
}
