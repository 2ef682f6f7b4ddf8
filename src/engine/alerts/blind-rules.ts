import { accountTarget } from '../../core/account/account.ts';
import type { Finding } from '../../core/alert/alert.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { hour, sayDuration } from '../../core/text/words.ts';
import type { ValueOf } from '../../store/records/value-kinds.ts';
import type { AnyAlertRule } from '../context/alerts-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { raise, resolve } from './lifecycle.ts';

/**
 * The rule of alerts about rules that cannot read: such a rule raises no alerts, as if all were well. All channels
 * subscribed to the blind rule get this alert, whose cause is that rule. There is no separate subscription.
 */
export const blindRule = 'blind';

const intervals = 3;
const blindAtLeastMs = 10 * 60_000;

type Blind = NonNullable<ValueOf<'blind'>>;

/** Ends the `blind` alerts of a rule in all channels after a successful read. */
export async function noteLook(context: EngineContext, rule: AnyAlertRule): Promise<void> {
  const { store, now, log } = context;
  await store.values.write('looked', { [rule.name]: null }, now());
  if ((await readBlind(context, rule)) === undefined) return;
  // The note is cleared last, so that the next run repeats work that a crash or a concurrent click prevented.
  for (const { channel } of (await store.alerts.openRules()).filter((open) => open.rule === blindRule)) {
    const rows = (await store.alerts.active(channel, blindRule)).filter(({ cause }) => cause === rule.name);
    for (const row of rows) if (!(await resolve(context, row, `The alert rule ${rule.name} can read again`))) return;
  }
  await store.values.write('blind', { [rule.name]: null }, now());
  log.warn({ rule: rule.name }, 'an alert rule can read again');
}

/** Stores since when a rule cannot read, logs the change, and raises an alert if it lasts. */
export async function noteBlind(context: EngineContext, rule: AnyAlertRule, channels: readonly string[], why: string) {
  const { store, now, log } = context;
  const before = await readBlind(context, rule);
  const lookedAt = (await store.values.find('looked', [rule.name])).get(rule.name)?.at;
  const blind: Blind = { since: Math.min(before?.since ?? lookedAt ?? now(), now()), why };
  await store.values.write('blind', { [rule.name]: blind }, now());
  if (before === undefined) log.warn({ rule: rule.name, why }, 'an alert rule cannot read');
  const forMs = now() - blind.since;
  const leastMs = Math.max(intervals * rule.everyMs, blindAtLeastMs);
  if (forMs < leastMs) return;
  // Rounded, so that not every sweep edits the message.
  const finding = blindFinding(rule, blind, forMs < hour ? leastMs : Math.floor(forMs / hour) * hour);
  for (const channel of channels) await raise(context, { channel, rule: blindRule, finding, groupKey: blindRule });
}

function blindFinding(rule: AnyAlertRule, { since, why }: Blind, shownMs: number): Finding {
  return {
    cause: rule.name,
    target: accountTarget,
    title: `The alert rule ${rule.name} has not been able to read for ${sayDuration(shownMs)}`,
    lines: [
      ['since ', { date: since, style: 'full' }, `: ${why}`],
      'Until it can, it raises no alert, and its open alerts stay as they are.',
    ],
    severity: 'warning',
    level: 0,
    offers: [{ label: 'Check', line: 'status' }],
    isNotForSupport: true,
    group: 'alert rules that cannot read',
  };
}

/** The time in ms of the last read of each subscribed rule; if it has never read, the time since which it cannot. */
export async function lastLooks(context: EngineContext): Promise<Record<string, number>> {
  const { store, alertRules } = context;
  const { values: subscriptions } = await store.values.each('subscription');
  const wanted = alertRules.filter((rule) => isSubscribed(rule, subscriptions));
  const names = wanted.map(({ name }) => name);
  const looked = await store.values.find('looked', names);
  const blind = await store.values.find('blind', names);
  return Object.fromEntries(
    names.flatMap((name) => {
      const at = looked.get(name)?.at ?? blind.get(name)?.value?.since;
      return at === undefined ? [] : [[name, at]];
    }),
  );
}

export function isSubscribed(rule: AnyAlertRule, subscriptions: ReadonlyMap<string, Subscription>): boolean {
  return [...subscriptions.values()].some((subscription) => subscription.rules[rule.name] !== undefined);
}

async function readBlind({ store }: EngineContext, rule: AnyAlertRule): Promise<Blind | undefined> {
  return (await store.values.find('blind', [rule.name])).get(rule.name)?.value ?? undefined;
}
