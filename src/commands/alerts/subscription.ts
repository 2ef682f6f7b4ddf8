import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import { type AlertRuleInfo, noticeMs, thresholdsFor } from '../../core/alert/alert-rule.ts';
import { type Ping, type Subscription, subscriptionSchema } from '../../core/alert/alert-subscription.ts';
import type { ReadContext, WriteContext } from '../../core/command/command.ts';
import type { PlanDraft } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { list, nearestOr, sayDuration } from '../../core/text/words.ts';
import { sayWeekly } from '../../core/time/weekly.ts';
import { badValue, notFound, Refusal } from '../../core/view/errors.ts';
import { linesDiff } from '../../core/view/view.ts';
import { verdictOf } from '../define.ts';

/** Parts of the commands that change a channel's alerts. */

const step = z.object({ channel: z.string(), expectedVersion: z.number(), subscription: subscriptionSchema });
type Step = z.infer<typeof step>;

/** The part that is the same in all of them. */
export const changesSubscription = {
  capability: 'operate',
  isAboutChannel: true,
  risk: 'routine',
  step,
  execute: async ({ channel, expectedVersion, subscription }: Step, { bot }: WriteContext) => {
    if (await bot.alerts.subscribe(channel, subscription, expectedVersion)) return { text: '', data: null };
    throw new Refusal('changed', 'Somebody else changed the alerts of this channel meanwhile. Nothing was changed.', {
      hint: 'See /host alerts and ask again.',
    });
  },
  verify: async ({ channel, expectedVersion }: Step, { bot }: ReadContext) => {
    const version = (await bot.alerts.subscription(channel))?.version ?? 0;
    return verdictOf(version > expectedVersion, '', 'the subscription is not saved');
  },
} as const;

/** Plans to replace the subscription by `change` of it; the card shows each changed line. */
export async function planSubscription(
  title: string | ((before: Subscription) => string),
  { bot, channel, timeZone }: ReadContext,
  effect: string,
  change: (before: Subscription) => Subscription,
): Promise<PlanDraft<Step>> {
  const current = await bot.alerts.subscription(channel);
  const before = current ?? subscriptionSchema.parse(defined({ timeZone }));
  const after = change(before);
  const present = linesOf(before, bot.alerts.rules);
  const next = linesOf(after, bot.alerts.rules);
  const isSame = current !== undefined && present.join() === next.join();
  const expectedVersion = current?.version ?? 0;
  return {
    title: typeof title === 'string' ? title : title(before),
    effect,
    diff: linesDiff(present, next),
    facts: { 'alerts version': expectedVersion },
    steps: [{ target: channelTarget(channel), data: { channel, expectedVersion, subscription: after } }],
    nothingToDo: isSame ? 'This is set already. See /host alerts.' : undefined,
  };
}

/** One line for each rule and setting, for the overview and the diff. */
export function linesOf(subscription: Subscription, rules: readonly AlertRuleInfo[]): string[] {
  const { quiet, timeZone, remindMs, acknowledgeMs, digest } = subscription;
  return [
    ...rules.flatMap((rule) => {
      const settings = subscription.rules[rule.name];
      if (settings === undefined) return [];
      return [`${rule.name}: ${settings.on.join(', ')}${sayThresholds(rule, settings)}${sayPing(settings.ping)}`];
    }),
    quiet === null
      ? 'no quiet hours'
      : `quiet hours: ${quiet.from}–${quiet.to} ${timeZone}, except for what is critical`,
    remindMs === null ? 'no reminders' : `reminders: every ${sayDuration(remindMs)}`,
    `an acknowledged alert comes back after ${sayDuration(acknowledgeMs)}`,
    ...(digest === undefined ? [] : [`digest: ${sayWeekly(digest)}`]),
  ];
}

/** ` · mentions @oncall when it is critical` */
function sayPing(ping: Ping | undefined): string {
  if (ping === undefined) return '';
  const when = ping.always ? 'also in quiet hours' : 'not in quiet hours';
  return ` · mentions ${list(ping.to.map(({ name }) => name))} when it is critical, ${when}`;
}

const unitWords = { days: 'days', percent: '%', minutes: 'minutes' } as const;

export function sayThresholds(rule: AlertRuleInfo, settings: { readonly at: readonly number[] } | undefined): string {
  const { thresholds } = rule;
  if (thresholds === undefined) return '';
  return ` · at ${thresholdsFor(rule, settings).join(', ')} ${unitWords[thresholds.unit]}`;
}

/** `A change is noticed after at most 6 min.` */
export function sayNotice(rules: readonly AlertRuleInfo[]): string {
  const [first, ...others] = rules.toSorted((a, b) => noticeMs(a) - noticeMs(b));
  const last = others.at(-1);
  if (first === undefined) return '';
  const [least, most] = [noticeMs(first), noticeMs(last ?? first)];
  if (last === undefined || least === most) return `A change is noticed after at most ${sayDuration(most)}.`;
  return `A change is noticed after at most ${sayDuration(least)} (${first.name}) to ${sayDuration(most)} (${last.name}).`;
}

/** Words that people use for a rule. */
const otherNames: Readonly<Record<string, string>> = {
  down: 'power',
  off: 'power',
  money: 'balance',
  invoice: 'invoices',
};

/** Reads rules by name, or all of them, for a new subscription without the optional ones; a typo gets a suggestion. */
export function readRules(words: readonly string[], rules: readonly AlertRuleInfo[], isNew = false) {
  const named = words.filter((word) => !/^(?:and|&|,)$/i.test(word));
  if (named.some((word) => /^(?:all|everything)$/i.test(word))) {
    if (named.length === 1) return isNew ? rules.filter(({ isOptional }) => isOptional !== true) : rules;
    const hint = 'Exceptions cannot be given: name each rule that you mean.';
    throw badValue('`all` means every rule, so nothing else can be named with it.', hint, 'rules');
  }
  return named.map((word) => {
    const wanted = word.toLowerCase();
    const match = rules.find((rule) => rule.name === (otherNames[wanted] ?? wanted));
    if (match !== undefined) return match;
    const names = rules.map((rule) => rule.name);
    const hint = nearestOr(`There are: ${names.join(', ')}.`, wanted, names);
    throw notFound(`There is no alert rule ${word}.`, hint, 'rules');
  });
}

/** Parses thresholds and sorts them from mildest to worst. */
export function readThresholds(typed: string | undefined, rule: AlertRuleInfo): number[] {
  if (typed === undefined) return [];
  const { thresholds } = rule;
  const wrong = (hint: string) => badValue(`\`${typed.slice(0, 60)}\` are no thresholds for ${rule.name}.`, hint, 'at');
  if (thresholds === undefined) throw wrong('This rule has none: leave them out.');
  const { min, max, most, unit, isFalling } = thresholds;
  const numbers = [...new Set(typed.match(/[^\s,]+/g)?.map(Number))];
  const isFit =
    numbers.length > 0 && numbers.length <= most && numbers.every((n) => Number.isInteger(n) && n >= min && n <= max);
  if (!isFit)
    throw wrong(
      `Give at most ${most} whole numbers of ${unit} from ${min} to ${max}, such as ${thresholds.usual.join(',')}.`,
    );
  return numbers.sort((a, b) => (isFalling ? b - a : a - b));
}
