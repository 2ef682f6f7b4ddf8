import { setTimeout as pause } from 'node:timers/promises';
import type { Alert } from '../../core/alert/alert.ts';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { count } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { drawAlerts } from './alert-view.ts';
import { attemptsOf } from './attempts.ts';
import { endMutes } from './end-mutes.ts';
import {
  type Here,
  hereAt,
  mayNotify,
  mentionsFor,
  notifyAttempts,
  notifyHandedOver,
  notifyWorse,
  remind,
  wake,
} from './notify.ts';

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

/** Publishes each channel once at a time in this process; calls during a run share the next one. */
export function createPublisher(context: () => EngineContext, timeScale: number) {
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
    /** Starts no new run; resolves when all runs have ended. */
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

/** Publishes a channel. Idempotent: every part finds its remaining work in the rows, also after a crash in between. */
async function publishChannel(context: EngineContext, channel: string): Promise<void> {
  if (!(await mayPost(context, channel))) return;
  const here = await hereAt(context, channel);
  await endMutes(here, channel);
  await wake(here);
  await startMessages(here);
  for (const message of await context.store.alerts.undrawn(channel)) await redraw(here, message);
  await remind(here);
}

/**
 * False for a channel that was shared, made public or archived, until an admin confirms it, and while the bot is not a
 * member: Slack would refuse the message, which would be lost. `alerts list` still shows everything.
 */
export async function mayPost(context: EngineContext, channel: string): Promise<boolean> {
  if ((await context.policies.standing(channel)) !== 'ok') return false;
  return (await context.directory.channel(channel).catch(() => undefined))?.hasBot === true;
}

async function startMessages(here: Here): Promise<void> {
  const { store, now, channel } = here;
  const waiting = await store.alerts.withoutMessage(channel, withoutMessageAtOnce);
  const withoutMessage = waiting.filter((alert) => mayNotify(here, alert));
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
    const ids = rows.map((row) => row.id);
    await store.alerts.claimFor(message, ids);
  }
}

async function redraw(here: Here, message: string): Promise<void> {
  const { store, channel } = here;
  const alerts = await store.alerts.onMessage(message);
  const attempts = await attemptsOf(here, alerts.slice(0, mostWithAttempts));
  const unassigned = alerts.filter(({ resolvedAt, state }) => resolvedAt === null && state === 'open');
  const pinged = mentionsFor(unassigned, here);
  const view = drawAlerts(message, alerts, (n) => headingOf(here, alerts, n), pinged, attempts);
  await here.outbox.put({ key: `alert:${message}`, channel, view }, alerts);
  await store.messages.putAll(here.eventsOf(alerts));
  await notifyAttempts(here, message, attempts);
  await notifyHandedOver(here, message, alerts);
  await store.alerts.drawn(alerts);
  await notifyWorse(here, message, alerts);
}

function headingOf(context: EngineContext, alerts: readonly Alert[], n: number): string {
  const [first] = alerts;
  const rule = context.alertRules.find((candidate) => candidate.name === first?.rule);
  const [name, ...others] = new Set(alerts.map(({ finding }) => finding.target.name));
  if (rule !== undefined) return n === 1 ? rule.title : rule.many(n, others.length === 0 ? name : undefined);
  const groups = new Set(alerts.map((alert) => alert.finding.group ?? ''));
  const group = groups.size === 1 ? first?.finding.group : undefined;
  return `${count(n, 'alert')}${group === undefined || group === '' ? '' : ` · ${group}`}`;
}
