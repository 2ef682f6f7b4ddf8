import { isSeen, messageMark } from '../../core/alert/on-it-button.ts';
import { hashOf } from '../../core/text/json.ts';
import { type Button, says, type Text, text } from '../../core/view/view.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { AlertPatch } from '../../store/records/alerts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place, Request } from '../context/request.ts';
import { acknowledgeMs, longestAcknowledgeMs } from '../context/time-limits.ts';
import { sayOnItSince } from './alert-words.ts';
import { persist } from './lifecycle.ts';
import { readAlert, titleOf } from './records.ts';

export interface Act {
  readonly alert: string;
  readonly act: 'acknowledge' | 'snooze' | 'accept';
  readonly forMs?: number;
  readonly seen?: string;
}

const acts = {
  acknowledge: { may: 'handle', outcome: 'is on it' },
  snooze: { may: 'snooze', outcome: 'snoozed' },
  accept: { may: 'decide on', outcome: 'says that it is right' },
} as const;

export const sampleId = 'sample';
const changedWords =
  'It changed before your click arrived, so nothing was accepted. Read the alert again, then decide.';
const listButton: Button = { label: 'Open alerts', intent: { do: 'run', line: 'alerts list' } };

/** Handles a click on an alert. The channel and the rights are those of the alert, not of the click. */
export async function actOnAlert(context: EngineContext, request: Request, place: Place, act: Act): Promise<void> {
  const reply = (words: Text, buttons: readonly Button[] = []) =>
    context.messenger.postEphemeral(place, request.actor, says(words, buttons));
  if (act.alert === sampleId) return reply('This is a sample: there is nothing to do.');
  const rows = await rowsOf(context, act.alert);
  const [first] = rows;
  if (first === undefined) return reply('This alert is no longer available.', [listButton]);
  const open = rows.filter((row) => row.resolvedAt === null);
  if (open.length === 0) return reply('It is resolved already; no action is needed.', [listButton]);
  const refused = await refusal(context, request.actor, open, act.act);
  if (refused !== undefined) {
    const words = text(`You may not ${acts[act.act].may} this alert: `, refused, '.');
    await context.audit({
      kind: 'alert_refused',
      actor: request.actor,
      channel: first.channel,
      text: `${acts[act.act].outcome}: ${titleOf(open)}`,
    });
    return reply(words, [{ label: 'Ask for access', intent: { do: 'ask-access', line: 'alerts list' } }]);
  }
  if (act.act === 'accept') {
    const isAccepted = await acceptAlert(context, request.actor, open, act.seen);
    return isAccepted ? undefined : reply(changedWords, [listButton]);
  }
  const acknowledged = open.find((row) => row.state !== 'open' && row.byUser !== null && row.until !== null);
  const isAllAcknowledged = open.every((row) => row.state !== 'open');
  if (act.act === 'acknowledge' && isAllAcknowledged && acknowledged?.byUser != null && acknowledged.until != null) {
    const by = { user: acknowledged.byUser };
    const until = { date: acknowledged.until, style: 'full' } as const;
    return reply(
      acknowledged.state === 'snoozed'
        ? ['It is snoozed by ', by, ' until ', until, '.']
        : text(sayOnItSince(acknowledged), '.'),
    );
  }
  await change(context, request.actor, open, { ...act, act: act.act });
}

/**
 * Assigns the alert to the person who clicked its button. Does nothing if they may not handle it, or if another person
 * is on it.
 */
export async function putOnIt(context: EngineContext, actor: string, alert: string): Promise<void> {
  const open = (await rowsOf(context, alert)).filter(
    ({ resolvedAt, state }) => resolvedAt === null && state === 'open',
  );
  const [first] = open;
  if (first === undefined || (await refusal(context, actor, open, 'acknowledge')) !== undefined) return;
  await change(context, actor, open, { alert, act: 'acknowledge' });
}

/** The alerts of an id: `m:` names all alerts of a message. */
async function rowsOf(context: Pick<EngineContext, 'store'>, alert: string): Promise<AlertRow[]> {
  const { alerts } = context.store;
  if (alert.startsWith(messageMark)) return alerts.onMessage(alert.slice(messageMark.length));
  const row = await alerts.find(alert);
  return row === undefined ? [] : [row];
}

/** Returns the reason for a refusal; undefined if the person may act on all alerts. */
async function refusal(
  context: Pick<EngineContext, 'accessOf' | 'alerts'>,
  actor: string,
  rows: readonly AlertRow[],
  act: Act['act'],
): Promise<Text | undefined> {
  const [first] = rows;
  if (first === undefined) return undefined;
  const access = await context.accessOf(actor, first.channel);
  for (const row of rows) {
    const rule = context.alerts.rules.find((candidate) => candidate.name === row.rule);
    const { target, rightAs } = readAlert(row).finding;
    const needs = act === 'accept' ? rightAs?.capability : rule?.capability;
    const decision = access.decide(needs ?? 'read', 'safe', rule === undefined ? [] : [target]);
    if (!decision.allowed) return decision.because;
  }
  return undefined;
}

async function change(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  rows: readonly AlertRow[],
  { alert, act, forMs }: Act & { readonly act: 'acknowledge' | 'snooze' },
): Promise<void> {
  const channel = rows[0]?.channel ?? '';
  const usualMs = await acknowledgedForMs(context, channel);
  const at = context.now();
  const patch = {
    state: act === 'snooze' ? 'snoozed' : 'acknowledged',
    byUser: actor,
    until: at + Math.min(act === 'snooze' ? (forMs ?? usualMs) : usualMs, longestAcknowledgeMs),
    sinceAt: act === 'snooze' ? null : at,
    handedBy: null,
  } as const;
  let changed = 0;
  // Acknowledging applies to open alerts only, snoozing to all of them.
  const isFor = ({ state }: AlertRow) => act === 'snooze' || state === 'open';
  for (const row of rows) if (await changeOpen(context, row, patch, isFor)) changed += 1;
  const words = `${acts[act].outcome}: ${titleOf(rows)}`;
  if (changed > 0) await context.audit({ kind: 'alert', actor, channel, text: words, data: { alert, count: changed } });
  await context.alerts.publish(channel);
}

/** Changes an alert while a sweep may write it, too. False if it is over, or not one that `isFor` names. */
function changeOpen(
  context: Pick<EngineContext, 'alerts' | 'store'>,
  alert: AlertRow,
  patch: AlertPatch,
  isFor: (row: AlertRow) => boolean = () => true,
): Promise<boolean> {
  const { alerts } = context.store;
  return persist(context, alert, async () => {
    const row = await alerts.find(alert.id);
    if (row === undefined || row.resolvedAt !== null || !isFor(row)) return false;
    return (await alerts.change(row.id, row.version, patch)) || 'lost';
  });
}

/** How long a person stays on an alert of this channel. */
async function acknowledgedForMs({ alerts }: Pick<EngineContext, 'alerts'>, channel: string): Promise<number> {
  return Math.min((await alerts.subscriptions.get(channel))?.acknowledgeMs ?? acknowledgeMs, longestAcknowledgeMs);
}

/** Assigns a person to open alerts; false if none is still open. The publisher notifies the person once. */
export async function handOver(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  ids: readonly string[],
  to: string,
): Promise<boolean> {
  const at = context.now();
  const handedBy = actor === to ? null : actor;
  const handed: AlertRow[] = [];
  for (const id of ids) {
    const row = await context.store.alerts.find(id);
    if (row === undefined) continue;
    const until = at + (await acknowledgedForMs(context, row.channel));
    const patch = { state: 'acknowledged', byUser: to, until, sinceAt: at, handedBy } as const;
    if (await changeOpen(context, row, patch)) handed.push(row);
  }
  const [first] = handed;
  if (first === undefined) return false;
  await context.audit({
    kind: 'alert',
    actor,
    channel: first.channel,
    text: `handed over to @${to}: ${titleOf(handed)}`,
    data: { alert: handed.map(({ id }) => id).join(' '), to },
  });
  await context.alerts.publish(first.channel);
  return true;
}

/**
 * Accepts the value shown by an alert as the usual one, for every channel. False if the value is not the one that the
 * person saw: a sweep may have read another before its edit of the message arrived. The caller has checked the person's
 * right.
 */
async function acceptAlert(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  [row]: readonly AlertRow[],
  shown: string | undefined,
): Promise<boolean> {
  const { alerts, store, now } = context;
  const finding = row && readAlert(row).finding;
  if (row === undefined || finding?.rightAs === undefined || !isSeen(finding.rightAs, shown)) return false;
  const { rule, cause } = row;
  const { kind, key, seen, label, ended = label } = finding.rightAs;
  const observed = (await store.values.find(kind, [key])).get(key);
  if (observed === undefined || hashOf(observed.value.seen) !== seen) return false;
  if (kind === 'zone') await store.zoneVersions.accept(key.toLowerCase(), observed.at, actor);
  // The note is for a sweep that has just read the observation and will write it again.
  await store.values.write('accepted', { [`${kind}:${key}`]: { by: actor, seen } }, now());
  await store.values.write(kind, { [key]: { usual: observed.value.seen, seen: observed.value.seen } }, observed.at);
  await context.audit({
    kind: 'alert',
    actor,
    channel: row.channel,
    text: `${ended}: ${finding.title}`,
    data: { alert: row.id, accepted: `${kind}:${key}` },
  });
  for (const { channel } of (await store.alerts.openRules()).filter((open) => open.rule === rule)) {
    const isClosed = await persist(context, { channel, rule, cause }, async () => {
      const same = (await store.alerts.active(channel, rule)).find((candidate) => candidate.cause === cause);
      const present = same && readAlert(same).finding;
      if (same === undefined || present?.rightAs?.seen !== seen) return false;
      const endText = `${ended}: ${present.target.name}`;
      const over = { state: 'accepted', resolvedAt: now(), endText, byUser: actor } as const;
      const patch = { ...over, until: null, handedBy: null, calmSince: null };
      return (await store.alerts.change(same.id, same.version, patch)) || 'lost';
    });
    if (isClosed) await alerts.publish(channel);
  }
  return true;
}
