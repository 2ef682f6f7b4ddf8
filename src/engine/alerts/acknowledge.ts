import type { Alert } from '../../core/alert/alert.ts';
import { isSeen, messageMark, sampleId } from '../../core/alert/on-it-button.ts';
import { hashOf, type Json } from '../../core/text/json.ts';
import type { Intent } from '../../core/view/intent.ts';
import { type Button, runButton, says, type Text, text } from '../../core/view/view.ts';
import type { AlertPatch } from '../../store/records/alerts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import { acknowledgeMs, longestAcknowledgeMs } from '../context/time-limits.ts';
import { sayOnItSince, saySnoozed, titleOf } from './alert-view.ts';
import { accepted, changeNow, onIt, snoozed } from './lifecycle.ts';

type Act = Omit<Extract<Intent, { do: 'alert' }>, 'do'>;

const acts = {
  acknowledge: { may: 'handle', outcome: 'is on it' },
  snooze: { may: 'snooze', outcome: 'snoozed' },
  accept: { may: 'decide on', outcome: 'says that it is right' },
} as const;

const changedWords =
  'It changed before your click arrived, so nothing was accepted. Read the alert again, then decide.';
const listButton = runButton('Open alerts', 'alerts list');

/** Handles a click on an alert. The channel and the rights are those of the alert, not of the click. */
export async function actOnAlert(context: EngineContext, { actor, place }: Request, act: Act): Promise<void> {
  const reply = (words: Text, buttons: readonly Button[] = []) =>
    context.messenger.postEphemeral(place, actor, says(words, buttons));
  if (act.alert === sampleId) return reply('This is a sample: there is nothing to do.');
  const rows = await alertsOf(context, act.alert);
  if (rows.length === 0) return reply('This alert is no longer available.', [listButton]);
  const open = rows.filter((row) => row.resolvedAt === null);
  const [first] = open;
  if (first === undefined) return reply('It is resolved already; no action is needed.', [listButton]);
  const refused = await refusal(context, actor, open, act.act);
  if (refused !== undefined) {
    const { may, outcome } = acts[act.act];
    const entry = { kind: 'alert_refused', actor, channel: first.channel } as const;
    await context.audit({ ...entry, text: `${outcome}: ${titleOf(open)}` });
    const words = text(`You may not ${may} this alert: `, refused, '.');
    return reply(words, [{ label: 'Ask for access', intent: { do: 'ask-access', line: 'alerts list' } }]);
  }
  if (act.act === 'accept') {
    const isAccepted = await acceptAlert(context, actor, open, act.seen);
    return isAccepted ? undefined : reply(changedWords, [listButton]);
  }
  if (act.act === 'acknowledge' && open.every(({ state }) => state !== 'open'))
    return reply(first.state === 'snoozed' ? text('It is ', saySnoozed(first), '.') : text(sayOnItSince(first), '.'));
  await change(context, actor, open, act.act, act.forMs);
}

/** Assigns the alert to the person who clicked its button, if they may handle it and nobody else is on it. */
export async function putOnIt(context: EngineContext, actor: string, alert: string): Promise<void> {
  const open = (await alertsOf(context, alert)).filter(
    ({ resolvedAt, state }) => resolvedAt === null && state === 'open',
  );
  const [first] = open;
  if (first === undefined || (await refusal(context, actor, open, 'acknowledge')) !== undefined) return;
  await change(context, actor, open, 'acknowledge');
}

/** The alerts of an id: `m:` names all alerts of a message. */
export async function alertsOf(context: EngineContext, alert: string): Promise<Alert[]> {
  const { alerts } = context.store;
  if (alert.startsWith(messageMark)) return alerts.onMessage(alert.slice(messageMark.length));
  const row = await alerts.find(alert);
  return row === undefined ? [] : [row];
}

/** Returns the reason for a refusal; undefined if the person may act on all alerts. */
async function refusal(context: EngineContext, actor: string, rows: readonly Alert[], act: Act['act']) {
  const [first] = rows;
  if (first === undefined) return undefined;
  const access = await context.accessOf(actor, first.channel);
  for (const row of rows) {
    const rule = context.alertRules.find((candidate) => candidate.name === row.rule);
    const { target, rightAs } = row.finding;
    const needs = act === 'accept' ? rightAs?.capability : rule?.capability;
    const decision = access.decide(needs ?? 'read', 'safe', rule === undefined ? [] : [target]);
    if (!decision.allowed) return decision.because;
  }
  return undefined;
}

/** Acknowledges the alerts that are open, or snoozes all of them. */
async function change(
  context: EngineContext,
  actor: string,
  rows: readonly Alert[],
  act: 'acknowledge' | 'snooze',
  forMs?: number,
): Promise<void> {
  const usualMs = await acknowledgedForMs(context, rows);
  const at = context.now();
  const isSnooze = act === 'snooze';
  const patch = isSnooze
    ? snoozed(actor, at + Math.min(forMs ?? usualMs, longestAcknowledgeMs))
    : onIt(actor, { at, forMs: usualMs }, null);
  const isFor = ({ state }: Alert) => isSnooze || state === 'open';
  await changeOpen(context, actor, rows, { patch, isFor, outcome: acts[act].outcome });
}

/** Assigns a person to open alerts; false if none is still open. The publisher notifies the person once. */
export async function handOver(context: EngineContext, actor: string, ids: readonly string[], to: string) {
  const rows = (await Promise.all(ids.map((id) => alertsOf(context, id)))).flat();
  const times = { at: context.now(), forMs: await acknowledgedForMs(context, rows) };
  const patch = onIt(to, times, actor === to ? null : actor);
  return changeOpen(context, actor, rows, { patch, outcome: `handed over to @${to}`, data: { to } });
}

interface Change {
  readonly patch: AlertPatch;
  readonly isFor?: (alert: Alert) => boolean;
  /** The words of the audit, before the title of the alert. */
  readonly outcome: string;
  readonly data?: { readonly [key: string]: Json };
}

/** Changes alerts of a channel that are open while a sweep may write them, too. False if none was changed. */
async function changeOpen(
  context: EngineContext,
  actor: string,
  rows: readonly Alert[],
  { patch, isFor = () => true, outcome, data }: Change,
): Promise<boolean> {
  const changed: Alert[] = [];
  for (const row of rows)
    if (await changeNow(context, row, (now) => (now.resolvedAt === null && isFor(now) ? patch : undefined)))
      changed.push(row);
  const [first] = changed;
  if (first === undefined) return false;
  const entry = { kind: 'alert', actor, channel: first.channel, text: `${outcome}: ${titleOf(changed)}` } as const;
  await context.audit({ ...entry, data: { alert: changed.map(({ id }) => id).join(' '), ...data } });
  await context.alerts.publish(first.channel);
  return true;
}

/** How long a person stays on an alert of this channel. */
async function acknowledgedForMs({ store }: EngineContext, [first]: readonly Alert[]): Promise<number> {
  const subscription = await store.values.get('subscription', first?.channel ?? '');
  return Math.min(subscription?.acknowledgeMs ?? acknowledgeMs, longestAcknowledgeMs);
}

/**
 * Accepts the value shown by an alert as the usual one, for every channel. False if the value is not the one that the
 * person saw: a sweep may have read another before its edit of the message arrived. The caller has checked the person's
 * right.
 */
async function acceptAlert(context: EngineContext, actor: string, [row]: readonly Alert[], shown: string | undefined) {
  const { alerts, store, now } = context;
  if (row?.finding.rightAs === undefined || !isSeen(row.finding.rightAs, shown)) return false;
  const { rule, cause, finding } = row;
  const { kind, key, seen, label, ended = label } = row.finding.rightAs;
  const observed = (await store.values.find(kind, [key])).get(key);
  if (observed === undefined || hashOf(observed.value.seen) !== seen) return false;
  if (kind === 'zone') await store.zoneVersions.accept(key.toLowerCase(), observed.at, actor);
  // The note is for a sweep that has just read the observation and will write it again.
  await store.values.write('accepted', { [`${kind}:${key}`]: { by: actor, seen } }, now());
  await store.values.write(kind, { [key]: { usual: observed.value.seen, seen: observed.value.seen } }, observed.at);
  const entry = { kind: 'alert', actor, channel: row.channel, text: `${ended}: ${finding.title}` } as const;
  await context.audit({ ...entry, data: { alert: row.id, accepted: `${kind}:${key}` } });
  for (const { channel } of (await store.alerts.openRules()).filter((open) => open.rule === rule)) {
    const same = (await store.alerts.active(channel, rule)).find((candidate) => candidate.cause === cause);
    const isClosed =
      same !== undefined &&
      (await changeNow(context, same, ({ finding, resolvedAt }) =>
        resolvedAt === null && finding.rightAs?.seen === seen
          ? accepted(actor, now(), `${ended}: ${finding.target.name}`)
          : undefined,
      ));
    if (isClosed) await alerts.publish(channel);
  }
  return true;
}
