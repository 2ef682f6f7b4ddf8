import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { count } from '../../core/text/words.ts';
import { text } from '../../core/view/view.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { drawAlerts } from './alert-view.ts';
import { sayMinutes, sayOnIt } from './alert-words.ts';
import { attemptsOf, postAttempts } from './attempts.ts';
import { backToOpen } from './lifecycle.ts';
import { mayNotify } from './quiet-hours.ts';
import { type Alert, readAlert } from './records.ts';
import { replyTo } from './reply.ts';
import { isWorthReply, mentionsFor, sayWorse } from './worse.ts';

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

/**
 * Publishes a channel. Idempotent: every part finds its remaining work in the rows, so a crash in between does no harm.
 */
async function publishChannel(context: EngineContext, channel: string): Promise<void> {
  const { store } = context;
  if (!(await mayPost(context, channel))) return;
  const subscription = await context.alerts.subscriptions.get(channel);
  await wake(context, channel, subscription);
  await startMessages(context, channel, subscription);
  for (const message of await store.alerts.undrawn(channel)) await redraw(context, channel, message, subscription);
  if (subscription?.remindMs != null) await remind(context, channel, subscription, subscription.remindMs);
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

async function startMessages(
  context: Pick<EngineContext, 'now' | 'store'>,
  channel: string,
  subscription: Subscription | undefined,
): Promise<void> {
  const { store, now } = context;
  const withoutMessage = (await store.alerts.withoutMessage(channel, withoutMessageAtOnce)).filter((row) =>
    mayNotify(subscription, row.severity, now()),
  );
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

async function redraw(
  context: EngineContext,
  channel: string,
  message: string,
  subscription: Subscription | undefined,
): Promise<void> {
  const { store, now } = context;
  const rows = await store.alerts.onMessage(message);
  const alerts = await mapInSlices(rows, readAlert);
  const attempts = await attemptsOf(context, alerts.slice(0, mostWithAttempts));
  const view = drawAlerts(
    message,
    alerts,
    (n) => headingOf(context, alerts, n),
    mentionsFor(
      alerts.filter(({ resolvedAt, state }) => resolvedAt === null && state === 'open'),
      subscription,
      now(),
    ),
    attempts,
  );
  await context.outbox.put({ key: `alert:${message}`, channel, view }, rows);
  await postAttempts(context, channel, message, attempts);
  await notifyHandedOver(context, channel, message, alerts);
  await store.alerts.drawn(rows);
  const risen = alerts.filter(
    (alert) =>
      alert.escalatedAt !== null && alert.resolvedAt === null && mayNotify(subscription, alert.severity, now()),
  );
  const worse = risen.filter((alert) => isWorthReply(alert, context.alerts.rules));
  const [first] = worse;
  if (first !== undefined) {
    const mentions = mentionsFor(worse, subscription, now());
    const words = mentions.length === 0 ? sayWorse(worse) : text(sayWorse(worse), ' · ', mentions);
    await replyTo(context, channel, message, `up:${first.id}:${first.peak}:${first.flaps}`, words);
  }
  for (const alert of risen) await store.alerts.change(alert.id, alert.version, { escalatedAt: null });
}

/**
 * Mentions the person to whom alerts were handed over. The key identifies the hand-over, so a repetition posts nothing.
 */
async function notifyHandedOver(
  context: Pick<EngineContext, 'directory' | 'outbox'>,
  channel: string,
  message: string,
  alerts: readonly Alert[],
): Promise<void> {
  const handed = alerts.filter(({ state, handedBy }) => state === 'acknowledged' && handedBy !== null);
  // Alerts of one message that were handed over together have the same time.
  const together = Map.groupBy(handed, ({ byUser, sinceAt }) => `handed:${byUser}:${sinceAt}`);
  for (const [key, [first, ...others]] of together) {
    if (first === undefined || first.handedBy === null) continue;
    const isOneOfMany = others.length === 0 && alerts.length > 1;
    const words = text(
      isOneOfMany ? `${first.finding.title}: ` : '',
      sayOnIt(first, await personName(context, first.handedBy)),
      '.',
    );
    await replyTo(context, channel, message, key, words);
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
async function wake(
  context: Pick<EngineContext, 'now' | 'outbox' | 'store'>,
  channel: string,
  subscription: Subscription | undefined,
): Promise<void> {
  const { store, now } = context;
  const lapsed = (await store.alerts.lapsed(channel, now())).filter((row) =>
    mayNotify(subscription, row.severity, now()),
  );
  for (const [message, rows] of byMessage(lapsed)) {
    const [first] = rows.map(readAlert);
    if (first === undefined) continue;
    // The reply comes first: after a crash in between it is put again, which posts nothing.
    if (first.byUser !== null) {
      const what = rows.length === 1 ? first.finding.title : count(rows.length, 'alert');
      const by = { user: first.byUser };
      const words = text(
        `Still open: ${what} · `,
        ...(first.state === 'snoozed' ? ['snoozed by ', by, ' until now'] : [by, ' was on it until now']),
      );
      await replyTo(context, channel, message, `over:${first.id}:${first.until}`, words);
    }
    for (const row of rows) await store.alerts.change(row.id, row.version, { ...backToOpen, remindedAt: now() });
  }
}

async function remind(
  context: Pick<EngineContext, 'now' | 'outbox' | 'store'>,
  channel: string,
  subscription: Subscription,
  everyMs: number,
): Promise<void> {
  const { store, now } = context;
  const due = (await store.alerts.quietSince(channel, now() - everyMs)).filter((row) =>
    mayNotify(subscription, row.severity, now()),
  );
  for (const [message, rows] of byMessage(due)) {
    const [first] = rows.map(readAlert);
    if (first === undefined) continue;
    const at = now();
    const what = rows.length === 1 ? first.finding.title : count(rows.length, 'alert');
    await replyTo(
      context,
      channel,
      message,
      // The key contains the time of the previous post, so that a repetition after a crash posts nothing.
      `again:${first.id}:${first.remindedAt ?? first.toldAt}`,
      `Still open after ${sayMinutes(at - first.openedAt)}: ${what}`,
    );
    for (const row of rows) await store.alerts.change(row.id, row.version, { remindedAt: at });
  }
}

function byMessage(rows: readonly AlertRow[]): [string, AlertRow[]][] {
  return [...Map.groupBy(rows, (row) => row.message ?? '')].filter(([message]) => message !== '');
}
