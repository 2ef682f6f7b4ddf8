import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { count } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { AlertPatch } from '../../store/records/alerts.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { drawAlerts } from './alert-view.ts';
import { sayMinutes, sayOnIt } from './alert-words.ts';
import { attemptsOf, postAttempts, replyTo } from './attempts.ts';
import { backToOpen } from './lifecycle.ts';
import { type Alert, readAlert, titleOf } from './records.ts';
import { isWorthReply, mayNotify, mentionsFor, sayWorse } from './worse.ts';

/** Maximum number of new messages in a channel in a minute; further alerts join the last message of their rule. */
const mostStarted = 10;
const startedWithinMs = 60_000;
const withoutMessageAtOnce = 5_000;

/** Maximum number of alerts in a message for which attempts are shown. */
const mostWithAttempts = 20;

const leaseMs = 30_000;
const leaseTries = 40;

/** The pause between two drawings, which merges posts of monitoring; Slack allows one edit a second anyway. */
const pauseMs = 1_000;

interface AlertPublisher {
  readonly publish: (channel: string) => Promise<void>;
  /** For bursts of events: runs at once, then at most once a second. */
  readonly publishSoon: (channel: string) => void;
  /** Starts no new run; resolves when all runs have ended. */
  readonly stop: () => Promise<void>;
}

/** Publishes each channel once at a time in this process; calls during a run share the next one. */
export function createPublisher(
  context: () => EngineContext,
  { timeScale }: { readonly timeScale: number },
): AlertPublisher {
  const running = new Set<Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const soonAt = new Map<string, number>();
  let isStopped = false;

  const publish = createSharedRuns(async (channel) => {
    if (isStopped) return;
    const run = publishAlone(context(), channel);
    running.add(run);
    await run.finally(() => running.delete(run));
  });

  function publishSoon(channel: string): void {
    if (timers.has(channel)) return;
    const waitMs = Math.max(0, (soonAt.get(channel) ?? 0) + pauseMs * timeScale - performance.now());
    const timer = setTimeout(() => {
      timers.delete(channel);
      soonAt.set(channel, performance.now());
      publish(channel).catch((error) =>
        context().log.warn({ err: error, channel }, 'could not show alerts; the next sweep retries'),
      );
    }, waitMs);
    timer.unref();
    timers.set(channel, timer);
  }

  return {
    publish,
    publishSoon,
    stop: async () => {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.allSettled(running);
    },
  };
}

/** Takes a lease, since two replicas that draw the same message could overwrite it with older content. */
async function publishAlone(context: EngineContext, channel: string): Promise<void> {
  const publish = () => publishChannel(context, channel);
  const hold = () => context.store.leases.hold(`telling:${channel}`, context.owner, leaseMs, publish);
  for (let tries = 0; tries < leaseTries && !(await hold()); tries++) await pause(50);
}

/** A channel of which one run publishes the alerts. */
interface Here extends EngineContext {
  readonly channel: string;
  readonly subscription: Subscription | undefined;
  /** False in the quiet hours of the channel, unless the alert is critical. */
  readonly mayNotify: (alert: Pick<AlertRow, 'severity'>) => boolean;
}

/**
 * Publishes a channel. Idempotent: every part finds its remaining work in the rows, so a crash in between does no harm.
 */
async function publishChannel(context: EngineContext, channel: string): Promise<void> {
  const { store, now } = context;
  if (!(await mayPost(context, channel))) return;
  const subscription = await context.alerts.subscriptions.get(channel);
  const here: Here = {
    ...{ ...context, channel, subscription },
    mayNotify: ({ severity }) => mayNotify(subscription, severity, now()),
  };
  await wake(here);
  await startMessages(here);
  for (const message of await store.alerts.undrawn(channel)) await redraw(here, message);
  if (subscription?.remindMs != null) await remind(here, subscription.remindMs);
}

/**
 * False for a channel that was shared, made public or archived, until an admin confirms it, and while the bot is not a
 * member: Slack would refuse the message, which would be lost. `alerts list` still shows everything.
 */
export async function mayPost(
  context: Pick<EngineContext, 'directory' | 'policies'>,
  channel: string,
): Promise<boolean> {
  if ((await context.policies.standing(channel)) !== 'ok') return false;
  return context.directory.channel(channel).then(
    ({ hasBot }) => hasBot,
    () => false,
  );
}

async function startMessages({ store, now, channel, mayNotify }: Here): Promise<void> {
  const withoutMessage = (await store.alerts.withoutMessage(channel, withoutMessageAtOnce)).filter(mayNotify);
  if (withoutMessage.length === 0) return;
  const started = await store.alerts.messagesSince(channel, now() - startedWithinMs);
  let left = mostStarted - started.length;
  // Alerts of one rule in one sweep share a message; monitoring defines its own groups.
  for (const [, rows] of Map.groupBy(withoutMessage, (row) => `${row.rule} ${row.groupKey ?? ''}`)) {
    const [first] = rows;
    if (first === undefined) continue;
    const { rule, groupKey } = first;
    const ofGroup = groupKey === null ? undefined : await store.alerts.messageOfGroup(channel, rule, groupKey);
    const crowded = left > 0 ? undefined : started.find((entry) => entry.rule === rule)?.message;
    const message = ofGroup ?? crowded ?? first.id;
    if (message === first.id) {
      left -= 1;
      started.unshift({ message, rule, at: now() });
    }
    await store.alerts.claimFor(
      message,
      rows.map((row) => row.id),
    );
  }
}

async function redraw(here: Here, message: string): Promise<void> {
  const { store, now, channel, subscription } = here;
  const rows = await store.alerts.onMessage(message);
  const alerts = await mapInSlices(rows, readAlert);
  const attempts = await attemptsOf(here, alerts.slice(0, mostWithAttempts));
  const unassigned = alerts.filter(({ resolvedAt, state }) => resolvedAt === null && state === 'open');
  const pinged = mentionsFor(unassigned, subscription, now());
  const view = drawAlerts(message, alerts, (n) => headingOf(here, alerts, n), pinged, attempts);
  await here.outbox.put({ key: `alert:${message}`, channel, view }, rows);
  await postAttempts(here, channel, message, attempts);
  await notifyHandedOver(here, message, alerts);
  await store.alerts.drawn(rows);
  const risen = alerts.filter(
    (alert) => alert.escalatedAt !== null && alert.resolvedAt === null && here.mayNotify(alert),
  );
  const worse = risen.filter((alert) => isWorthReply(alert, here.alerts.rules));
  const [first] = worse;
  if (first !== undefined) {
    const mentions = mentionsFor(worse, subscription, now());
    const words = mentions.length === 0 ? sayWorse(worse) : text(sayWorse(worse), ' · ', mentions);
    await replyTo(here, { channel, message, key: `up:${first.id}:${first.peak}:${first.flaps}`, words });
  }
  for (const alert of risen) await store.alerts.change(alert.id, alert.version, { escalatedAt: null });
}

/**
 * Mentions the person to whom alerts were handed over. The key identifies the hand-over, so a repetition posts nothing.
 */
async function notifyHandedOver(here: Here, message: string, alerts: readonly Alert[]): Promise<void> {
  const handed = alerts.filter(({ state, handedBy }) => state === 'acknowledged' && handedBy !== null);
  // Alerts of one message that were handed over together have the same time.
  const together = Map.groupBy(handed, ({ byUser, sinceAt }) => `handed:${byUser}:${sinceAt}`);
  for (const [key, [first, ...others]] of together) {
    if (first === undefined || first.handedBy === null) continue;
    const what = others.length === 0 && alerts.length > 1 ? `${first.finding.title}: ` : '';
    const words = text(what, sayOnIt(first, await personName(here, first.handedBy)), '.');
    await replyTo(here, { channel: here.channel, message, key, words });
  }
}

function headingOf(context: Pick<EngineContext, 'alerts'>, alerts: readonly Alert[], n: number): string {
  const [first] = alerts;
  const rule = context.alerts.rules.find((candidate) => candidate.name === first?.rule);
  const [name, ...others] = new Set(alerts.map(({ finding }) => finding.target.name));
  if (rule !== undefined) return n === 1 ? rule.title : rule.many(n, others.length === 0 ? name : undefined);
  const groups = new Set(alerts.map((alert) => alert.finding.group ?? ''));
  const group = groups.size === 1 ? first?.finding.group : undefined;
  return `${count(n, 'alert')}${group === undefined || group === '' ? '' : ` · ${group}`}`;
}

/** Notifies everyone again if an assignment or a snooze has expired and the alert is still open. */
async function wake(here: Here): Promise<void> {
  const { store, now, channel } = here;
  const patch = { ...backToOpen, remindedAt: now() };
  await replyAndChange(here, await store.alerts.lapsed(channel, now()), patch, ({ id, byUser, state, until }, what) => {
    if (byUser === null) return undefined;
    const by = { user: byUser };
    const how: Text = state === 'snoozed' ? ['snoozed by ', by, ' until now'] : [by, ' was on it until now'];
    return { key: `over:${id}:${until}`, words: text(`Still open: ${what} · `, how) };
  });
}

async function remind(here: Here, everyMs: number): Promise<void> {
  const { store, now, channel } = here;
  const at = now();
  const due = await store.alerts.quietSince(channel, at - everyMs);
  await replyAndChange(here, due, { remindedAt: at }, ({ id, remindedAt, toldAt, openedAt }, what) => ({
    // The key contains the time of the previous post, so that a repetition after a crash posts nothing.
    key: `again:${id}:${remindedAt ?? toldAt}`,
    words: `Still open after ${sayMinutes(at - openedAt)}: ${what}`,
  }));
}

/** Says one thing of all these alerts of a message, and changes each. */
async function replyAndChange(
  here: Here,
  due: readonly AlertRow[],
  patch: AlertPatch,
  say: (first: Alert, what: string) => { readonly key: string; readonly words: Text } | undefined,
): Promise<void> {
  for (const [message, rows] of Map.groupBy(due.filter(here.mayNotify), (row) => row.message ?? '')) {
    const [first] = rows;
    if (first === undefined || message === '') continue;
    const reply = say(readAlert(first), titleOf(rows));
    // The reply comes first: after a crash in between it is put again, which posts nothing.
    if (reply !== undefined) await replyTo(here, { ...reply, channel: here.channel, message });
    for (const row of rows) await here.store.alerts.change(row.id, row.version, patch);
  }
}
