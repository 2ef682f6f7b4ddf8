import type { Order } from '../../core/account/account.ts';
import { type Alert, type AlertState, endSign } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { handOverButton, onItButton, rightButtons, sampleId } from '../../core/alert/on-it-button.ts';
import { isForSupport, ticketButton } from '../../core/alert/ticket-button.ts';
import { searched, text as textArg, withDefault } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import { notFound, Refusal } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/signs.ts';
import { buttonRow, fieldsPart, refreshButton, runButton, type Text, type ViewPart } from '../../core/view/view.ts';
import { defineList, defineQuery, listView } from '../define.ts';
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
