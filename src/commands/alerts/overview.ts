import { channelTarget } from '../../core/account/account.ts';
import { type Alert, type AlertState, endSign } from '../../core/alert/alert.ts';
import { type AlertRuleInfo, maySeeAlert } from '../../core/alert/alert-rule.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { handOverButton, onItButton, rightButtons, sampleId } from '../../core/alert/on-it-button.ts';
import { isForSupport, ticketButton } from '../../core/alert/ticket-button.ts';
import { searched, text as textArg, withDefault } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, firstFew, sayDuration } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/severity.ts';
import {
  buttonRow,
  fieldsPart,
  formButton,
  menuPart,
  refreshButton,
  runButton,
  type Text,
  text,
  type View,
  type ViewPart,
} from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { defineList, listView } from '../list.ts';
import { linesOf, readRules, sayThresholds } from './subscription.ts';

/** The card names up to this number of open alerts. */
const mostOnCard = 3;

export const alerts = defineQuery({
  path: 'alerts',
  title: 'Alerts',
  summary: 'Show what is open here, the alerts that are on, the hooks and the quiet hours',
  examples: ['alerts', 'alerts'],
  args: {},
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async (_, { bot, channel, may }) => {
    const [subscription, open, hooks] = await Promise.all([
      bot.alerts.subscription(channel),
      bot.alerts.open(),
      // Only admins may see which hooks post here.
      bot.isAdmin ? bot.alerts.hooks(channel) : [],
    ]);
    const shown = open.slice(0, mostOnCard);
    const mayChange = may('operate', channelTarget(channel));
    const subscribed = Object.keys(subscription?.rules ?? {}).length;
    const summary =
      subscribed === 0
        ? 'No alert is on here, so nothing is posted when a server goes off or the balance runs low.'
        : `${count(subscribed, 'alert')} ${subscribed === 1 ? 'is' : 'are'} on.`;
    const lines = [
      ...(subscription === undefined ? [] : shortLines(subscription, bot.alerts.rules)),
      ...(hooks.length === 0 ? [] : [`hooks: ${firstFew(hooks, 4, ({ name }) => name)}`]),
    ];
    return {
      summary,
      parts: [
        { kind: 'heading', text: 'Alerts here', aside: open.length === 0 ? 'nothing is open' : `${open.length} open` },
        ...shown.map(openLine),
        ...(open.length > shown.length
          ? [{ kind: 'text', text: `and ${open.length - shown.length} more` } satisfies ViewPart]
          : []),
        ...menuPart(
          onItButton('').label,
          shown.flatMap(({ id, state, finding }) =>
            state === 'open' ? [{ ...onItButton(id), label: finding.title }] : [],
          ),
        ),
        ...(open.length > 0 ? buttonRow([runButton('Open alerts', 'alerts list')]) : []),
        { kind: 'text', text: summary },
        ...(lines.length === 0 ? [] : [{ kind: 'code', text: lines.join('\n') } satisfies ViewPart]),
        ...controls(mayChange, bot.isAdmin, subscribed > 0),
      ],
    };
  },
});

function controls(mayChange: boolean, isAdmin: boolean, isOn: boolean): ViewPart[] {
  const rules = runButton('All rules', 'alerts rules');
  if (!mayChange && !isAdmin) return buttonRow([rules]);
  const settings = [
    formButton('Unsubscribe…', 'alerts off'),
    formButton('Quiet hours…', 'alerts quiet'),
    formButton('Reminders…', 'alerts remind'),
  ];
  return [
    ...buttonRow(mayChange ? [formButton('Subscribe…', 'alerts on')] : []),
    ...menuPart('More', [
      ...(mayChange && isOn ? settings : []),
      rules,
      ...(mayChange ? [formButton('Digest…', 'digest'), formButton('Sample…', 'alerts test')] : []),
      ...(isAdmin ? [runButton('Hooks', 'alerts hook')] : []),
    ]),
  ];
}

/** `🔴 web-1 is off · since today 10:22 PM · @operator is on it` */
function openLine(alert: Alert): ViewPart {
  const { severity, finding, openedAt } = alert;
  const since: Text = [' · since ', { date: openedAt, style: 'full' }];
  const words = text(`${severitySigns[severity]} `, { bold: finding.title }, ...since);
  return { kind: 'text', text: alert.state === 'open' ? words : text(words, ' · ', stateOf(alert)) };
}

/** The lines of a subscription; rules with nothing but the usual share one. */
function shortLines(subscription: Subscription, rules: readonly AlertRuleInfo[]): string[] {
  const usual = rules.filter((rule) => {
    const settings = subscription.rules[rule.name];
    return (
      settings?.on.join() === 'all' &&
      settings.ping === undefined &&
      sayThresholds(rule, settings) === sayThresholds(rule, undefined)
    );
  });
  const names = usual.map(({ name }) => name);
  return [
    ...(names.length === 0 ? [] : [`as usual, for all: ${names.join(', ')}`]),
    ...linesOf(
      subscription,
      rules.filter((rule) => !usual.includes(rule)),
    ),
  ];
}

export const alertsRules = defineQuery({
  path: 'alerts rules',
  isBehind: true,
  title: 'Alert rules',
  summary: 'List the alert rules, a line each: when it fires, and how often it looks',
  examples: ['alerts rules', 'alerts rules'],
  args: {},
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async (_, { bot }) =>
    listView({
      all: bot.alerts.rules,
      columns: [{ name: 'Rule' }, { name: 'Alert' }, { name: 'Fires when' }],
      row: (rule) => [
        [{ bold: rule.name }],
        `${rule.title}${sayThresholds(rule, undefined)}`,
        `${rule.fires} · looks every ${sayDuration(rule.everyMs)}`,
      ],
      total: `${bot.alerts.rules.length} rules`,
      above: [{ kind: 'heading', text: 'Alert rules' }],
    }),
});

export const alertsList = defineList({
  path: 'alerts list',
  isBehind: true,
  title: 'Open alerts',
  summary: 'List the open alerts of this channel',
  examples: ['alerts list', 'alerts list page=2'],
  args: {},
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  list: async (_, { bot }, show) => {
    const open = await bot.alerts.open();
    return show({
      all: open,
      columns: [{ name: 'Alert' }, { name: 'Since' }, { name: 'State' }],
      row: (alert) => [
        `${severitySigns[alert.severity]} ${alert.finding.title}`,
        [{ date: alert.openedAt, style: 'full' }],
        stateOf(alert),
      ],
      none: 'Nothing is open here.',
      total: `${count(open.length, 'alert')} open`,
      showOne: ({ id, finding }) => runButton(finding.title, `alerts show ${id}`),
      buttons: open.length === 0 ? [] : [refreshButton('alerts list')],
    });
  },
});

const stateWords: Readonly<Record<AlertState, string>> = {
  open: 'open',
  acknowledged: 'somebody is on it',
  snoozed: 'snoozed',
  resolved: 'resolved',
  closed: 'over',
  accepted: 'accepted',
};

function stateOf({ state, byUser, until }: Alert): Text {
  if (byUser === null || until === null) return stateWords[state];
  const end = [' until ', { date: until, style: 'full' }] as const;
  return state === 'acknowledged'
    ? [{ user: byUser }, ' is on it', ...end]
    : [`${state} by `, { user: byUser }, ...end];
}

export const alertsShow = defineQuery({
  path: 'alerts show',
  alone: 'alerts list',
  isBehind: true,
  title: 'Show an alert',
  summary: 'Show one alert in full',
  examples: ['alerts show a1b2c3d4', 'alerts show e5f6g7h8'],
  args: { alert: textArg({ hint: 'The alert, chosen in /host alerts list.', example: 'a1b2c3d4' }) },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ alert: id }, context): Promise<View> => {
    const [alert] = await alertsHere(id, context);
    const rule = context.bot.alerts.rules.find((candidate) => candidate.name === alert.rule);
    const { finding } = alert;
    return {
      summary: finding.title,
      parts: [
        {
          kind: 'heading',
          text: `${alert.resolvedAt === null ? severitySigns[finding.severity] : endSign(alert.state)} ${finding.title}`,
          aside: stateWords[alert.state],
        },
        ...finding.lines.map((line): ViewPart => ({ kind: 'text', text: line })),
        ...(finding.details ?? []),
        ...fieldsPart([
          ['Since', [{ date: alert.openedAt, style: 'full' }]],
          ['Resolved', alert.resolvedAt === null ? '' : [{ date: alert.resolvedAt, style: 'full' }]],
          ['State', stateOf(alert)],
          ['Clears', rule && `when ${rule.clears}`],
        ]),
        ...(alert.resolvedAt === null ? buttonsFor(alert) : []),
      ],
    };
  },
});

function buttonsFor({ id, state, finding }: Alert): ViewPart[] {
  const offers = finding.offers.filter(({ line }) => !line.startsWith('alerts show'));
  return buttonRow([
    ...offers.map(({ label, line }) => ({ label, intent: { do: 'run', line, alert: id } }) as const),
    ...(state === 'open' ? [onItButton(id)] : []),
    ...(state === 'acknowledged' ? [handOverButton(id)] : []),
    ...(isForSupport(finding) ? [ticketButton(`alert:${id}`)] : []),
    ...rightButtons(id, finding),
  ]);
}

/**
 * Finds an alert of this channel that this person may see, or all alerts of a message, named by `m:` and its id. An
 * alert of another channel looks like one that does not exist.
 */
export async function alertsHere(
  id: string,
  { bot, channel, may }: Pick<ReadContext, 'bot' | 'channel' | 'may'>,
): Promise<readonly [Alert, ...Alert[]]> {
  const [first, ...others] = await bot.alerts.find(id.trim().toLowerCase());
  const isHere = (alert: Alert) => alert.channel === channel && maySeeAlert(alert, bot.alerts.rules, { channel, may });
  if (first !== undefined && [first, ...others].every(isHere)) return [first, ...others];
  throw new Refusal('not_found', `There is no alert \`${id.slice(0, 40)}\` here.`, {
    hint: 'See /host alerts list.',
    field: 'alert',
  });
}

export const alertsTest = defineQuery({
  path: 'alerts test',
  isBehind: true,
  title: 'Show a sample alert',
  summary: 'Show a sample of an alert',
  examples: ['alerts test', 'alerts test power'],
  args: {
    rule: withDefault(
      searched({ source: 'alert-rules', hint: 'A rule from /host alerts rules.', example: 'power' }),
      'balance',
    ),
  },
  capability: 'operate',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ rule: name }, { bot, now }) => {
    const [rule] = readRules([name], bot.alerts.rules);
    if (rule === undefined) throw new Refusal('not_found', `There is no alert rule ${name.slice(0, 40)}.`);
    const { title, severity, lines } = rule.sample(now);
    const about = `This is what ${rule.name} looks like: ${rule.fires}. It clears when ${rule.clears}.`;
    return {
      summary: `A sample: ${title}`,
      parts: [
        { kind: 'heading', text: `${severitySigns[severity]} ${title}`, aside: 'a sample' },
        ...lines.map((line) => ({ kind: 'text', text: line }) as const),
        { kind: 'context', text: about },
        { kind: 'buttons', buttons: [onItButton(sampleId)] },
      ],
    };
  },
});
