import { type Subscription, thresholdsFor } from '../../core/alert.ts';
import { ProviderError } from '../../core/errors.ts';
import { covers } from '../../core/evaluate.ts';
import type { AnyAlertRule } from '../context/alerts-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { applyFindings, calmDown, resolve } from './lifecycle.ts';
import { createSweepContext, type ForRule, sweepEveryMs } from './rule-context.ts';

const day = 86_400_000;
const keptMs = 30 * day;
/** Monitoring that never says that something is over. */
const unheardMs = 7 * day;
const tidyEveryMs = 60 * 60_000;
/** A sweep that comes a little early is not a sweep too many. */
const slackMs = 5_000;

export const hookPrefix = 'hook:';

const sweepKeys = { done: 'sweep:done', skipped: 'sweep:skipped', underWay: 'sweep:under way' } as const;

/** Whether the sweep of this interval is over; one that was left to the sweep before it is over when that is. */
export async function isSwept({ store }: Pick<EngineContext, 'store'>, slot: number): Promise<boolean> {
  const found = await store.observations.find([sweepKeys.done, sweepKeys.skipped]);
  const isPast = (key: string) => {
    const value = found.get(key)?.value;
    return typeof value === 'number' && value >= slot;
  };
  return isPast(sweepKeys.done) || (isPast(sweepKeys.skipped) && !(await store.leases.isTaken(sweepKeys.underWay)));
}

export function slotAt(now: number): number {
  return Math.floor(now / sweepEveryMs);
}

/** One look at everything that is due. What a crash or an outage left out is looked at once, not once for each interval. */
export async function sweepAlerts(context: EngineContext, slot: number): Promise<void> {
  const { store, now } = context;
  const key = sweepKeys.underWay;
  // An interval whose process was killed is swept by the next one, once the lease has lapsed.
  const owner = `${context.owner} ${slot}`;
  // The sweep before this one is slow: what it looks at need not be looked at twice.
  if (!(await store.leases.take(key, owner, 2 * sweepEveryMs))) return note(context, sweepKeys.skipped, slot);
  try {
    // Another replica had it a moment ago, and is done.
    if (await isSwept(context, slot)) return;
    const subscriptions = await context.alerts.subscriptions.all();
    const contextFor = createSweepContext(context);
    for (const rule of context.alerts.rules) {
      if (!isSubscribed(rule, subscriptions) || !(await isDue(context, rule))) continue;
      await lookWith(context, rule, subscriptions, contextFor);
    }
    await endUnwatched(context, subscriptions);
    const channels = new Set([...subscriptions.keys(), ...(await store.alerts.busyChannels(now()))]);
    for (const channel of channels) await context.alerts.publish(channel);
    await tidy(context);
    await note(context, sweepKeys.done, slot);
  } finally {
    await store.leases.letGo(key, owner);
  }
}

function isSubscribed(rule: AnyAlertRule, subscriptions: ReadonlyMap<string, Subscription>): boolean {
  return [...subscriptions.values()].some((one) => one.rules[rule.name] !== undefined);
}

async function isDue(context: EngineContext, rule: AnyAlertRule): Promise<boolean> {
  const key = lookedKey(rule);
  const last = (await context.store.observations.find([key])).get(key);
  return last === undefined || context.now() - last.seenAt >= rule.everyMs - slackMs;
}

function lookedKey(rule: AnyAlertRule): string {
  return `looked:${rule.name}`;
}

/** Reads once, finds for each channel. What could not be read leaves every alert as it is. */
export async function lookWith(
  context: EngineContext,
  rule: AnyAlertRule,
  subscriptions: ReadonlyMap<string, Subscription>,
  contextFor: ForRule,
): Promise<void> {
  const { log } = context;
  const wishes = [...subscriptions].flatMap(([channel, { rules }]) => {
    const wish = rules[rule.name];
    return wish === undefined ? [] : [{ channel, wish }];
  });
  try {
    const sight = await rule.look(contextFor((target) => wishes.some(({ wish }) => covers(wish.on, target))));
    if (sight === undefined) return;
    for (const { channel, wish } of wishes) {
      const findings = sight.find(thresholdsFor(rule, wish)).filter(({ target }) => covers(wish.on, target));
      await applyFindings(context, channel, rule.name, findings, sight);
    }
    await note(context, lookedKey(rule), null);
  } catch (error) {
    if (error instanceof ProviderError)
      log.debug({ rule: rule.name, kind: error.kind }, 'an alert rule could not read');
    else log.error({ err: error, rule: rule.name }, 'an alert rule went wrong; the others go on');
  }
}

/** Looks with one rule at once, besides the sweeps. */
export async function lookNow(context: EngineContext, name: string): Promise<void> {
  const rule = context.alerts.rules.find((known) => known.name === name);
  const subscriptions = await context.alerts.subscriptions.all();
  if (rule === undefined || !isSubscribed(rule, subscriptions)) return;
  await lookWith(context, rule, subscriptions, createSweepContext(context));
  for (const [channel, { rules }] of subscriptions)
    if (rules[name] !== undefined) await context.alerts.publish(channel);
}

/** A rule that a channel no longer has ends there, as does what monitoring has been silent about for long. */
async function endUnwatched(context: EngineContext, subscriptions: ReadonlyMap<string, Subscription>): Promise<void> {
  const { store, now } = context;
  for (const { channel, rule } of await store.alerts.openRules()) {
    if (rule.startsWith(hookPrefix) || subscriptions.get(channel)?.rules[rule] !== undefined) continue;
    for (const row of await store.alerts.active(channel, rule)) await resolve(context, row, 'No longer watched here');
  }
  for (const row of await store.alerts.calming(hookPrefix)) await calmDown(context, row, undefined);
  for (const row of await store.alerts.unheard(hookPrefix, now() - unheardMs)) {
    await resolve(context, row, 'Not heard of for 7 days');
  }
}

async function tidy(context: EngineContext): Promise<void> {
  const { store, now } = context;
  const key = 'sweep:tidied';
  const last = (await store.observations.find([key])).get(key);
  if (last !== undefined && now() - last.seenAt < tidyEveryMs) return;
  await note(context, key, null);
  await store.alerts.prune(now() - keptMs);
  await store.observations.prune(now() - keptMs);
}

async function note(context: EngineContext, key: string, value: number | null): Promise<void> {
  await context.store.observations.put([{ key, usual: null, value, seenAt: context.now(), changedAt: null }]);
}
