import { z } from 'zod';
import { channelTarget, type Order } from '../../core/account/account.ts';
import { type Alert, type AlertState, endSign } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { handOverButton, onItButton, rightButtons, sampleId } from '../../core/alert/on-it-button.ts';
import { isForSupport, ticketButton } from '../../core/alert/ticket-button.ts';
import { searched, text as textArg, withDefault } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { person } from '../../core/command/slack-args.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import { badValue, impossible, notFound, Refusal } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/signs.ts';
import type { Text, ViewPart } from '../../core/view/view.ts';
import { buttonRow, fieldsPart, peopleIn, refreshButton, runButton } from '../../core/view/view.ts';
import { personNamed } from '../bot/one-named.ts';
import { defineAction, defineList, defineQuery, listView, verdictOf } from '../define.ts';
import { readRules, sayThresholds } from './subscription.ts';

const common = { isBehind: true, capability: 'read', isAboutChannel: true } as const;

export const alertsList = defineList({
  ...common,
  path: 'alerts list',
  words: `ack · acknowledge | alert · incident · problem · alarm · outage · warning · firing · open alarm · open
    warning | any incident · on it · who is on it · ack all · acknowledge all · alerts ls · any alert · alarm open ·
    alert open · alarm not closed`,
  title: 'Open alerts',
  summary: 'List the open alerts of this channel',
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

export function stateOf({ state, byUser, until }: Alert): Text {
  if (byUser === null || until === null) return stateWords[state];
  const end = [' until ', { date: until, style: 'full' }] as const;
  if (state === 'acknowledged') return [{ user: byUser }, ' is on it', ...end];
  return [`${state} by `, { user: byUser }, ...end];
}

export const alertsShow = defineQuery({
  ...common,
  path: 'alerts show',
  words: '| alert · alarm · alert of | describe alert · what is alarm · open the alert of',
  alone: 'alerts list',
  title: 'Show an alert',
  summary: 'Show one alert in full',
  examples: ['alerts show a1b2c3d4', 'alerts show e5f6g7h8'],
  args: { alert: textArg({ hint: 'The alert, chosen in /host alerts list.', example: 'a1b2c3d4' }) },
  run: async ({ alert: id }, context) => {
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
export async function alertsHere(id: string, { bot, channel, may }: Pick<ReadContext, 'bot' | 'channel' | 'may'>) {
  const [first, ...others] = await bot.alerts.find(id.trim().toLowerCase());
  const isHere = (alert: Alert) => alert.channel === channel && maySeeAlert(alert, bot.alerts.rules, { channel, may });
  if (first !== undefined && [first, ...others].every(isHere)) return [first, ...others] as const;
  throw notFound(`There is no alert \`${id.slice(0, 40)}\` here.`, 'See /host alerts list.', 'alert');
}

export const alertsRules = defineQuery({
  ...common,
  path: 'alerts rules',
  words: `| alert rule · threshold · kind of warning · type of alert · alert threshold · alert condition ·
    prometheusrule · type of alarm | which alerts · when comes alert · can warn about`,
  title: 'Alert rules',
  summary: 'List the alert rules, a line each: when it fires, and how often it looks',
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

export const alertsTest = defineQuery({
  ...common,
  path: 'alerts test',
  words: `test | alert · alarm | fire a fake · send a sample · make false alarm · alarm is working · alert reach
    channel`,
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

const mostNamed = 3;

/** The open alerts about these orders, with the person who is on each, or the button to be that person. */
export async function openAlertsOn(orders: readonly Order[], { bot }: Pick<ReadContext, 'bot'>): Promise<ViewPart[]> {
  const alerts = await bot.alerts.open();
  const ids = new Set(orders.map(({ id }) => id));
  const own = alerts.filter(({ finding: { target } }) => target.kind === 'order' && ids.has(target.id));
  const parts = own.slice(0, mostNamed).map(async (alert): Promise<ViewPart[]> => {
    const { severity, finding, openedAt, byUser, state } = alert;
    const name = byUser === null ? 'nobody' : await bot.nameOf(byUser);
    const words = state === 'snoozed' ? `snoozed by ${name}` : `${name} is on it`;
    const title = `${severitySigns[severity]} ${finding.title} · since `;
    return [
      { kind: 'text', text: [title, { date: openedAt, style: 'full' }, ` · ${words}`] },
      ...(state === 'open' ? buttonRow([onItButton(alert.id)]) : []),
    ];
  });
  const more = own.length - mostNamed;
  return [
    ...(await Promise.all(parts)).flat(),
    ...(more > 0 ? buttonRow([runButton(`${more} more`, 'alerts list')]) : []),
  ];
}

/**
 * Hands over one alert, or all assigned alerts of one message. It needs no confirmation, since the message and its
 * thread show it.
 */
export const alertsHandOver = defineAction({
  path: 'alerts hand-over',
  words: `hand over · reassign · assign · pass on | alert · alarm | pass alarm on · give alert to · give alarm to ·
    take over alert`,
  isBehind: true,
  title: 'Hand over an alert',
  summary: 'Put somebody else on an open alert',
  examples: ['alerts hand-over a1b2c3d4 @U012AB3CD', 'alerts hand-over e5f6g7h8 person=@U012AB3CD'],
  args: {
    alert: searched({ source: 'alerts-here', hint: 'The alert, chosen in /host alerts list.', example: 'a1b2c3d4' }),
    person: person({ hint: 'A person in this channel, who is mentioned once.' }),
  },
  pages: [['alert'], ['person']],
  capability: 'read',
  isAboutChannel: true,
  risk: 'safe',
  step: z.object({ alerts: z.array(z.string()), to: z.string() }),
  plan: async ({ alert: wanted, person: word }, context) => {
    const { bot, channel } = context;
    const matches = await alertsHere(wanted, context);
    const open = matches.filter(({ finding, resolvedAt }) => !finding.isNews && resolvedAt === null);
    const alerts = open.filter(({ state }) => matches.length === 1 || state === 'acknowledged');
    const [first] = alerts;
    if (first === undefined) {
      const what =
        matches.length > 1
          ? 'Nobody is on an open alert of this message'
          : `${matches[0].finding.title}: this alert is not open`;
      throw impossible(`${what}, so there is nothing to hand over.`, 'See /host alerts list.', 'alert');
    }
    const to = await personNamed(word, bot, 'person');
    await checkReader(to, bot);
    const onIt = alerts.flatMap(({ byUser, state }) => (byUser === null || state !== 'acknowledged' ? [] : [byUser]));
    const present = [...new Set(onIt)];
    const isSame = alerts.every(({ byUser, state }) => state === 'acknowledged' && byUser === to);
    const ids = alerts.map(({ id }) => id);
    return {
      title: `Hand over ${alerts.length === 1 ? `the alert "${first.finding.title}"` : count(alerts.length, 'alert')}`,
      effect: 'They are mentioned once, in the thread of the alert.',
      details: [
        ['To', [{ user: to }]],
        ['So far', present.length === 0 ? 'Nobody' : peopleIn(present)],
      ],
      facts: { alerts: ids, by: present },
      steps: [{ target: channelTarget(channel), data: { alerts: ids, to } }],
      nothingToDo: isSame ? `${await bot.nameOf(to)} is on it already.` : undefined,
    };
  },
  execute: async ({ alerts, to }, { bot }) => {
    if (await bot.alerts.handOver(alerts, to)) return { text: '', data: null };
    throw new Refusal('changed', 'The alert has ended. Nothing was changed.');
  },
  verify: async ({ alerts, to }, { bot }) => {
    const current = (await Promise.all(alerts.map((id) => bot.alerts.find(id)))).flat();
    // An alert that has ended keeps its last person.
    const isSo = current.every(({ resolvedAt, byUser }) => resolvedAt !== null || byUser === to);
    return verdictOf(isSo, 'the message names them', 'the message does not name them');
  },
  done: ([step]) => ({
    text: step?.data.alerts.length === 1 ? 'The alert is handed over' : 'The alerts are handed over',
  }),
});

/** The new person must be able to read the channel of the alert. */
async function checkReader(user: string, bot: BotReader): Promise<void> {
  const [membership, isHere, name] = await Promise.all([bot.membership(user), bot.isHere(user), bot.nameOf(user)]);
  const no = (why: string) => badValue(why, 'Choose a person who is in this channel.', 'person');
  if (membership === 'bot') throw no(`${name} is a bot, and an alert is handed over to a person.`);
  if (membership === 'deactivated') throw no(`The account of ${name} is deactivated.`);
  if (isHere === false) throw no(`${name} is not in this channel.`);
  if (membership === 'unknown' || isHere === undefined)
    throw no(`Slack does not say whether ${name} is in this channel.`);
}
