import { channelTarget } from '../../core/account/account.ts';
import type { Alert } from '../../core/alert/alert.ts';
import type { AlertRuleInfo } from '../../core/alert/alert-rule.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import { onItButton } from '../../core/alert/on-it-button.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { severitySigns } from '../../core/view/signs.ts';
import { buttonRow, formButton, menuPart, runButton, text, textPart, type ViewPart } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { stateOf } from './list.ts';
import { linesOf, sayThresholds } from './subscription.ts';

/** The card names up to this number of open alerts. */
const mostOnCard = 3;

export const alerts = defineQuery({
  path: 'alerts',
  title: 'Alerts',
  summary: 'Show what is open here, the alerts that are on, the hooks and the quiet hours',
  capability: 'read',
  isAboutChannel: true,
  run: async (_, { bot, channel, may }) => {
    const [subscription, open, hooks] = await Promise.all([
      bot.alerts.subscription(channel),
      bot.alerts.open(),
      // Only admins may see which hooks post here.
      bot.isAdmin ? bot.alerts.hooks(channel) : [],
    ]);
    const shown = open.slice(0, mostOnCard);
    const waiting = shown.filter(({ state }) => state === 'open');
    const unassigned = waiting.map(({ id, finding }) => ({ ...onItButton(id), label: finding.title }));
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
        ...textPart('text', open.length > shown.length ? `and ${open.length - shown.length} more` : ''),
        ...menuPart(onItButton('').label, unassigned),
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
  const since = { date: openedAt, style: 'full' } as const;
  const words = text(`${severitySigns[severity]} `, { bold: finding.title }, ' · since ', since);
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
  const others = rules.filter((rule) => !usual.includes(rule));
  return [...(names.length === 0 ? [] : [`as usual, for all: ${names.join(', ')}`]), ...linesOf(subscription, others)];
}
