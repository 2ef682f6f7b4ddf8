import { searched, withDefault } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineQuery } from '../define.ts';
import { readRules } from './subscription.ts';

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
  run: async ({ rule: name }, { bot }) => {
    const [rule] = readRules([name], bot.alerts.rules);
    const view = rule === undefined ? undefined : bot.alerts.sample(rule.name);
    if (view === undefined) throw new Refusal('not_found', `There is no alert rule ${name.slice(0, 40)}.`);
    return view;
  },
});
