import { onItButton, sampleId } from '../../core/alert/on-it-button.ts';
import { searched, withDefault } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/severity.ts';
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
