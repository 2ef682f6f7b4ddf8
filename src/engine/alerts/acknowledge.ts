import { messageMark } from '../../core/alert/on-it-button.ts';
import { count } from '../../core/text/words.ts';
import { type Button, says, type Text, text } from '../../core/view/view.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { AlertPatch } from '../../store/records/alerts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place, Request } from '../context/request.ts';
import { acknowledgeMs, longestAcknowledgeMs } from '../context/time-limits.ts';
import { acceptAlert } from './accept.ts';
import { sayOnItSince } from './alert-words.ts';
import { readAlert } from './records.ts';

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
  const changed = await change(context, request.actor, open, act.act, act.forMs);
  if (changed > 0) {
    await context.audit({
      kind: 'alert',
      actor: request.actor,
      channel: first.channel,
      text: `${acts[act.act].outcome}: ${titleOf(open)}`,
      data: { alert: act.alert, count: changed },
    });
  }
  await context.alerts.publish(first.channel);
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
  if ((await change(context, actor, open, 'acknowledge', undefined)) === 0) return;
  await context.audit({
    kind: 'alert',
    actor,
    channel: first.channel,
    text: `${acts.acknowledge.outcome}: ${titleOf(open)}`,
    data: { alert, count: open.length },
  });
  await context.alerts.publish(first.channel);
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
  context: Pick<EngineContext, 'alerts' | 'now' | 'store'>,
  actor: string,
  rows: readonly AlertRow[],
  act: 'acknowledge' | 'snooze',
  forMs: number | undefined,
): Promise<number> {
  const { store, now } = context;
  const usualMs = await acknowledgedForMs(context, rows[0]?.channel ?? '');
  const at = now();
  const patch = {
    state: act === 'snooze' ? 'snoozed' : 'acknowledged',
    byUser: actor,
    until: at + Math.min(act === 'snooze' ? (forMs ?? usualMs) : usualMs, longestAcknowledgeMs),
    sinceAt: act === 'snooze' ? null : at,
    handedBy: null,
  } as const;
  let changed = 0;
  for (const row of rows) {
    // Acknowledging applies to open alerts only, snoozing to all of them.
    if (act === 'acknowledge' && row.state !== 'open') continue;
    if (await store.alerts.change(row.id, row.version, patch)) changed += 1;
    else changed += await again(context, row.id, patch);
  }
  return changed;
}

/** How long a person stays on an alert of this channel. */
export async function acknowledgedForMs({ alerts }: Pick<EngineContext, 'alerts'>, channel: string): Promise<number> {
  return Math.min((await alerts.subscriptions.get(channel))?.acknowledgeMs ?? acknowledgeMs, longestAcknowledgeMs);
}

/** Retries after a sweep updated the alert between the read and the write. */
async function again(context: Pick<EngineContext, 'store'>, id: string, patch: AlertPatch): Promise<number> {
  const row = await context.store.alerts.find(id);
  if (row === undefined || row.resolvedAt !== null) return 0;
  if (patch.state === 'acknowledged' && row.state !== 'open') return 0;
  return (await context.store.alerts.change(id, row.version, patch)) ? 1 : 0;
}

function titleOf(rows: readonly AlertRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  return rows.length === 1 ? readAlert(first).finding.title : count(rows.length, 'alert');
}
