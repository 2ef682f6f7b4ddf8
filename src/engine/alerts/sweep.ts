import { setTimeout as pause } from 'node:timers/promises';
import { type Target, targetKey } from '../../core/account/account.ts';
import type { Finding } from '../../core/alert/alert.ts';
import { thresholdsFor } from '../../core/alert/alert-rule.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { aside } from '../../core/async/aside.ts';
import { inBackground } from '../../core/async/background.ts';
import { covers } from '../../core/policy/evaluate.ts';
import { day } from '../../core/text/words.ts';
import { ifReadable, ProviderError } from '../../core/view/errors.ts';
import type { AnyAlertRule } from '../context/alerts-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { leavingOrders, notifyGone } from '../operation/gone.ts';
import { blindRule, isSubscribed, noteBlind, noteLook } from './blind-rules.ts';
import { applyFindings, calmDown, notWatched, resolve } from './lifecycle.ts';
import { postDigest } from './post-digest.ts';
import { createSweepContext, type ForRule, isToCome, presentTarget, slackMs, sweepEveryMs } from './rule-context.ts';

/** Alerts of monitoring without a report for this time are ended. */
const unheardMs = 7 * day;

export const hookPrefix = 'hook:';

const sweepLease = 'sweep:under way';

/** True if the sweep of this interval has ended; a skipped one has ended when the sweep before it has. */
async function isSwept({ store, now }: EngineContext, slot: number): Promise<boolean> {
  const marks = await store.values.find('sweep', ['done', 'skipped']);
  const isPast = (key: 'done' | 'skipped') => {
    const last = marks.get(key)?.value ?? Number.NEGATIVE_INFINITY;
    return last >= slot && !isToCome(last * sweepEveryMs, now());
  };
  return isPast('done') || (isPast('skipped') && !(await store.leases.isTaken(sweepLease)));
}

function slotAt(now: number): number {
  return Math.floor(now / sweepEveryMs);
}

/** Runs every due rule. One run catches up on intervals missed by a crash or an outage. */
async function sweepAlerts(context: EngineContext, slot: number): Promise<void> {
  const { store, now } = context;
  // After a killed process, the next interval is swept once the lease has expired.
  const owner = `${context.owner} ${slot}`;
  const isOurs = await store.leases.hold(sweepLease, owner, 2 * sweepEveryMs, async () => {
    // Another replica has just finished this interval.
    if (await isSwept(context, slot)) return;
    const { values: subscriptions, errors: unreadable } = await store.values.each('subscription');
    for (const [channel, error] of unreadable) {
      context.log.error(
        { err: error, channel },
        'this version cannot read the alert subscription of this channel: no alerts are posted there',
      );
    }
    const contextFor = createSweepContext(context);
    for (const rule of context.alertRules) {
      if (!isSubscribed(rule, subscriptions) || !(await isDue(context, rule))) continue;
      await apart(context, { rule: rule.name }, () => lookWith(context, rule, subscriptions, contextFor));
    }
    const unruled = contextFor({ everyMs: sweepEveryMs }, () => true);
    // Also where no channel watches them: their history has no gap longer than some minutes. The next sweep reads what
    // this one could not; a rule that cannot read says so itself.
    await apart(context, { part: 'the zones, of which every version is kept' }, async () => {
      await ifReadable(unruled.names());
    });
    await apart(context, { part: 'what is no longer watched' }, () => endUnwatched(context, subscriptions, unreadable));
    await apart(context, { part: 'orders that were canceled' }, () => notifyGone(context));
    const muted = (await store.freezes.mutes()).map(({ mutedIn }) => mutedIn ?? '');
    const channels = new Set([...subscriptions.keys(), ...muted, ...(await store.alerts.busyChannels(now()))]);
    for (const channel of channels) await apart(context, { channel }, () => context.alerts.publish(channel));
    for (const [channel, { digest }] of subscriptions)
      if (digest !== undefined)
        await apart(context, { channel, part: 'the digest' }, () => postDigest(context, channel, digest, unruled));
    await store.values.write('sweep', { done: slot }, now());
  });
  // The sweep before this one is still running and covers this interval.
  if (!isOurs) await store.values.write('sweep', { skipped: slot }, now());
}

/** Keeps an error in one rule, channel or part from stopping the others. */
async function apart({ log }: EngineContext, what: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, ...what }, 'a part of the alert sweep failed; the others continue');
  }
}

async function isDue({ store, now }: EngineContext, { name, everyMs }: AnyAlertRule): Promise<boolean> {
  const last = (await store.values.find('looked', [name])).get(name);
  return last === undefined || now() - last.at >= everyMs - slackMs || isToCome(last.at, now());
}

/** Reads once, then evaluates for each channel. A failed read changes no alert; if it lasts, it raises `blind`. */
async function lookWith(
  context: EngineContext,
  rule: AnyAlertRule,
  subscriptions: ReadonlyMap<string, Subscription>,
  contextFor: ForRule,
): Promise<void> {
  const subscribers = [...subscriptions].flatMap(([channel, { rules }]) => {
    const settings = rules[rule.name];
    return settings === undefined ? [] : [{ channel, settings }];
  });
  const channels = subscribers.map(({ channel }) => channel);
  const isWatched = (target: Target) => subscribers.some(({ settings }) => covers(settings.on, target));
  const sight = await lookOnce(context, rule, contextFor(rule, isWatched));
  if (typeof sight === 'string') return noteBlind(context, rule, channels, sight);
  // Targets that cannot be read now; their alerts stay open.
  const unread = rule.name === 'unreadable' ? [] : (context.accountReader.peek()?.unreadable ?? []);
  const hidden = new Set(unread.map(targetKey));
  for (const { channel, settings } of subscribers) {
    await apart(context, { rule: rule.name, channel }, async () => {
      const isUnwatched = ({ target }: Pick<Finding, 'target'>) => !covers(settings.on, presentTarget(context, target));
      const isTwice = ({ reportedBy, target }: Finding) => {
        const other = reportedBy === undefined ? undefined : subscriptions.get(channel)?.rules[reportedBy];
        return other !== undefined && covers(other.on, presentTarget(context, target));
      };
      const findings = sight
        .find(thresholdsFor(rule, settings))
        .filter((finding) => !isUnwatched(finding) && !isTwice(finding));
      await applyFindings(context, channel, rule.name, findings, { calm: sight.calm, hidden, isUnwatched });
    });
  }
  await noteLook(context, rule);
}

/** Returns the rule's result, or the reason why it could not read. */
async function lookOnce({ log }: EngineContext, rule: AnyAlertRule, sweep: ReturnType<ForRule>) {
  try {
    return (await rule.read(sweep)) ?? 'the provider did not give what it reads';
  } catch (error) {
    if (error instanceof ProviderError) return error.message;
    log.error({ err: error, rule: rule.name }, 'an alert rule failed; the others continue');
    return 'an error of the bot; the log says more';
  }
}

/** Runs one rule at once, outside the sweeps. */
export async function checkRuleNow(context: EngineContext, name: string): Promise<void> {
  const rule = context.alertRules.find((candidate) => candidate.name === name);
  const { values: subscriptions } = await context.store.values.each('subscription');
  if (rule === undefined || !isSubscribed(rule, subscriptions)) return;
  await lookWith(context, rule, subscriptions, createSweepContext(context));
  for (const [channel, { rules }] of subscriptions)
    if (rules[name] !== undefined) await context.alerts.publish(channel);
}

/** Ends alerts of rules that their channel no longer subscribes to, and alerts not repeated by monitoring for days. */
async function endUnwatched(
  context: EngineContext,
  subscriptions: ReadonlyMap<string, Subscription>,
  unreadable: ReadonlyMap<string, unknown>,
): Promise<void> {
  const { store, now } = context;
  for (const { channel, rule } of await store.alerts.openRules()) {
    const wanted = subscriptions.get(channel)?.rules ?? {};
    if (rule.startsWith(hookPrefix) || wanted[rule] !== undefined || unreadable.has(channel)) continue;
    for (const row of await store.alerts.active(channel, rule)) {
      const isWanted = rule === blindRule && wanted[row.cause] !== undefined;
      if (!isWanted) await resolve(context, row, notWatched);
    }
  }
  for (const row of await store.alerts.calming(hookPrefix)) await calmDown(context, row, undefined);
  for (const row of await store.alerts.unheard(hookPrefix, now() - unheardMs)) {
    await resolve(context, row, { over: 'No report for 7 days' });
  }
}

const lookEveryMs = 5_000;
const waitMs = 60_000;

/**
 * Every replica requests the sweep of each interval, and the sweep's lease lets one of them run it. The next sweep
 * catches up on missed ones, since the rules store their last reads.
 */
export function createAlertSchedule(context: EngineContext) {
  const { now, log } = context;
  let timer: NodeJS.Timeout | undefined;
  /** The last interval swept here; it may be in the future if the clock is set back. */
  let asked = 0;
  let underWay: Promise<void> | undefined;

  /** False if the interval needs no sweep. */
  async function sweepSlot(slot: number): Promise<boolean> {
    if (slot === asked) return true;
    if (!(await isNeeded(context))) return false;
    if (await isSwept(context, slot)) return true;
    // Sweeps run one after another, so that the timer does not begin a slow one twice.
    await underWay;
    underWay = inBackground(true, () => sweepAlerts(context, slot)).finally(() => {
      underWay = undefined;
    });
    await underWay;
    asked = slot;
    return true;
  }

  return {
    /** Starts the sweep of the present interval unless a replica has, and waits for its end. */
    now: async () => {
      const slot = slotAt(now());
      if (!(await sweepSlot(slot))) return;
      const deadline = performance.now() + waitMs;
      while (!(await isSwept(context, slot))) {
        if (performance.now() > deadline)
          throw new Error(`waiting for the sweep ${slot}: it has not ended within a minute`);
        await pause(5);
      }
    },
    start: () => {
      const poll = () => aside(sweepSlot(slotAt(now())), log, 'sweeping the alerts');
      poll();
      timer = setInterval(poll, lookEveryMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * True if a channel subscribes to a rule, an alert is open, a message must be redrawn, a mute must be ended, a canceled
 * order still exists, or a zone was read, whose later versions are kept.
 */
async function isNeeded({ store, now }: EngineContext): Promise<boolean> {
  if ((await store.values.each('subscription')).values.size > 0 || (await store.freezes.mutes()).length > 0)
    return true;
  // Monitoring reports to channels without a subscription, and only a sweep ends alerts that it no longer reports.
  if ((await store.alerts.countOpen()) > 0 || (await store.alerts.busyChannels(now())).length > 0) return true;
  return (await leavingOrders(store)).length > 0 || (await store.zoneVersions.isAnyKept());
}
