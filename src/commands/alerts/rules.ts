import { onItButton, sampleId } from '../../core/alert/on-it-button.ts';
import { searched, withDefault } from '../../core/command/args.ts';
import { sayDuration } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/severity.ts';
import { defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { readRules, sayThresholds } from './subscription.ts';

const common = { isBehind: true, isAboutChannel: true, visibility: 'person' } as const;

export const alertsRules = defineQuery({
  ...common,
  path: 'alerts rules',
  words: `| alert rule · threshold · kind of warning · type of alert · alert threshold · alert condition ·
    prometheusrule · type of alarm | which alerts · when comes alert · can warn about`,
  title: 'Alert rules',
  summary: 'List the alert rules, a line each: when it fires, and how often it looks',
  capability: 'read',
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
