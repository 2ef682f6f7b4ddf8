import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import type { Ping, Subscription } from '../../core/alert/alert-subscription.ts';
import { flag, optional, text, words } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import { readPatterns } from '../../core/command/patterns.ts';
import { subjects } from '../../core/command/several.ts';
import { span } from '../../core/command/time-args.ts';
import { subjectId } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { day, list, minute } from '../../core/text/words.ts';
import { readDayHours } from '../../core/time/weekly.ts';
import { zoneNamed } from '../../core/time/zone.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { defaultOf, optionOf } from '../args.ts';
import { readSubjects } from '../bot/access-words.ts';
import { defineAction } from '../define.ts';
import { changesSubscription, planSubscription, readRules, readThresholds, sayNotice } from './subscription.ts';

const rules = {
  ...words({
    place: 'rest',
    hint: 'Rules from /host alerts rules, or all.',
    example: 'balance expiring power',
    most: 30,
    schema: z.string(),
  }),
  widget: 'search',
} as const;

/** More names make a title that Slack cuts. */
const mostNamed = 4;

export const alertsOn = defineAction({
  ...changesSubscription,
  path: 'alerts on',
  words: `subscribe · turn on · enable · notify · warn · page · switch on · alert me · alert us | alert |
    subscribe · let us know · know in this channel · know whenever · know if · tell us when · tell me when ·
    notify me · warn me · page me · want to know when · remind us when · remind in this channel · remind me when ·
    alert me when · alert us when · alert when · alert if · ping us when · heads-up before · heads-up when · begin
    to warn · sns subscribe`,
  title: 'Subscribe to alerts',
  summary: 'Subscribe this channel to alerts',
  examples: ['alerts on balance expiring at=14,7,3,1', 'alerts on power on=tag:web'],
  args: {
    rules: { ...rules, source: 'alert-rules-or-all' },
    at: optionOf(text)({
      label: 'Thresholds',
      hint: 'Days, percent or minutes. The default is the usual thresholds.',
      example: '14,7,3,1',
    }),
    on: optionOf(text)({
      label: 'For',
      hint: 'Such as all, tag:web, order:34-*, project:Shop or domain:*.example.com.',
      example: 'tag:web',
    }),
    ping: optionOf(subjects)({
      label: 'Mention',
      hint: 'Who is mentioned when it is critical: people or user groups. Typed: @oncall, with commas between.',
      most: 5,
    }),
    always: flag({ hint: 'Mention them in quiet hours, too.' }),
  },
  plan: async ({ rules: names, at, on, ping: words, always }, context) => {
    const ping = words === undefined ? undefined : await readPing(words, always, context.bot);
    const chosen = readRules(names, context.bot.alerts.rules, true);
    const patterns = readPatterns(on ?? 'all', 'on');
    const targets = patterns.length === 0 ? ['all'] : patterns;
    for (const { name, capability } of chosen) {
      // The whole channel reads alerts, so people may subscribe only to rules whose facts they may read.
      if (context.bot.isAdmin || context.may(capability, accountTarget)) continue;
      const why = `The alert ${name} needs “${capability}”, which you do not have here.`;
      const hint = 'Leave this alert out, or ask an admin.';
      throw new Refusal('not_granted', why, { hint, field: 'rules' });
    }
    const chosenSettings = chosen.map((rule) => {
      const of = rule.isAboutAccount === true ? ['all'] : targets;
      return [rule.name, { on: of, at: readThresholds(at, rule), ...defined({ ping }) }] as const;
    });
    const title = (before: Subscription) => {
      const isNew = ([name, settings]: (typeof chosenSettings)[number]) =>
        JSON.stringify(before.rules[name]) !== JSON.stringify(settings);
      const names = chosenSettings.filter(isNew).map(([name]) => name);
      return names.length > mostNamed ? `Turn on ${names.length} alerts` : `Turn on alerts: ${list(names)}`;
    };
    return planSubscription(title, context, sayNotice(chosen), (before) => ({
      ...before,
      rules: { ...before.rules, ...Object.fromEntries(chosenSettings) },
    }));
  },
  done: () => ({ text: 'This channel hears of them from now on' }),
});

export const alertsOff = defineAction({
  ...changesSubscription,
  path: 'alerts off',
  words: `unsubscribe · turn off · disable · stop · switch off | alert · alert rule · notification of · warning ·
    notice | remove me from alert · unsubscribe · stop spamming · no longer need message · don't want alarm`,
  title: 'Unsubscribe from alerts',
  summary: 'Unsubscribe this channel from alerts',
  examples: ['alerts off expiring', 'alerts off all'],
  args: { rules: { ...rules, source: 'alert-rules-here' } },
  plan: ({ rules: names }, context) => {
    const gone = new Set(readRules(names, context.bot.alerts.rules).map(({ name }) => name));
    const title = gone.size > mostNamed ? `Turn off ${gone.size} alerts` : `Turn off alerts: ${list([...gone])}`;
    return planSubscription(title, context, 'Their open alerts here end with the next sweep.', (before) => ({
      ...before,
      rules: Object.fromEntries(Object.entries(before.rules).filter(([name]) => !gone.has(name))),
    }));
  },
  done: () => ({ text: 'This channel is no longer subscribed' }),
});

/** Stores the names as well, since the list of subscriptions is shown as text. */
async function readPing(words: readonly string[], always: boolean, bot: BotReader): Promise<Ping> {
  const subjects = await readSubjects(words, bot, 'ping');
  const people = subjects.filter((subject) => subject !== 'everyone');
  if (people.length < subjects.length || people.length === 0)
    throw new Refusal('bad_value', 'Only people and user groups can be mentioned, not everyone.', { field: 'ping' });
  const named = people.map(async (subject) => ({ subject, name: await bot.nameOf(subjectId(subject)) }));
  return { to: await Promise.all(named), always };
}

/** `22-7`, `10pm to 7am` and `22:00 – 07:00` are `22:00-07:00`. */
const hours = z
  .string()
  .refine((typed) => isNone(typed) || readDayHours(typed) !== undefined, 'hours such as 22:00-07:00, or none');

const isNone = (typed: string) => typed.trim().toLowerCase() === 'none';

export const alertsQuiet = defineAction({
  ...changesSubscription,
  path: 'alerts quiet',
  words: `quiet · silence · mute · pause · snooze · set · hold back | alert · night · quiet hour · overnight |
    quiet · quiet hour · only page · no alert at night · do-not-disturb`,
  isBehind: true,
  title: 'Set quiet hours',
  summary: 'Set the hours in which only critical alerts are posted here',
  examples: ['alerts quiet 22:00-07:00 zone=Europe/Amsterdam', 'alerts quiet none'],
  args: {
    hours: {
      ...text({ place: 'rest', hint: 'Such as 22:00-07:00, or none.', example: '22:00-07:00', schema: hours }),
      takes: ({ length }: readonly string[]) => length,
    },
    zone: optionOf(text)({
      hint: 'The time zone of these hours. The default is the one that is set.',
      example: 'Europe/Amsterdam',
    }),
  },
  plan: ({ hours: typed, zone }, context) => {
    const timeZone = zone === undefined ? undefined : readZone(zone);
    const quiet = readDayHours(typed) ?? null;
    const effect =
      quiet === null
        ? 'Every alert is posted at once.'
        : 'Alerts that are not critical are posted when these hours end.';
    const title = quiet === null ? 'End quiet hours' : `Set quiet hours ${quiet.from}–${quiet.to}`;
    return planSubscription(title, context, effect, (before) => ({
      ...before,
      timeZone: timeZone ?? before.timeZone,
      quiet,
    }));
  },
  done: () => ({ text: 'The quiet hours are set' }),
});

function readZone(zone: string): string {
  const match = zoneNamed(zone);
  if (match !== undefined) return match;
  throw badValue(`\`${zone.slice(0, 60)}\` is not a known time zone.`, 'Write it like Europe/Amsterdam.', 'zone');
}

export const alertsRemind = defineAction({
  ...changesSubscription,
  path: 'alerts remind',
  words: `remind · repeat · nag | alert · alarm | mention again · remind about alert · remember about alert ·
    re-notify`,
  isBehind: true,
  title: 'Set reminders',
  summary: 'Set how often open alerts are repeated, and when acknowledged alerts come back',
  examples: ['alerts remind 4h', 'alerts remind --never acknowledged=12h'],
  args: {
    every: optional(span({ place: 'word', hint: 'Such as 4h.', minMs: 10 * minute, maxMs: 30 * day })),
    never: flag({ hint: 'No reminders.', label: 'Without reminders' }),
    acknowledged: defaultOf(span)({
      place: 'option',
      hint: 'How long somebody who is on an alert stays so while it is open, such as 1d.',
      minMs: 10 * minute,
      maxMs: 30 * day,
      usual: day,
    }),
  },
  plan: ({ every, never, acknowledged }, context) =>
    planSubscription('Set reminders', context, 'Reminders are replies in the thread of the alert.', (before) => ({
      ...before,
      remindMs: never ? null : (every ?? before.remindMs),
      acknowledgeMs: acknowledged,
    })),
  done: () => ({ text: 'Set' }),
});
