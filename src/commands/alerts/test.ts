import { z } from 'zod';
import { text, withDefault } from '../../core/args.ts';
import { channelTarget } from '../../core/world.ts';
import { defineAction } from '../define.ts';
import { readRules } from './subscription.ts';

export const alertsTest = defineAction({
  path: 'alerts test',
  summary: 'Post a sample, to see what an alert looks like here',
  examples: ['alerts test', 'alerts test power'],
  args: { rule: withDefault(text({ hint: 'a rule, as /host alerts rules lists them' }), 'balance') },
  capability: 'operate',
  // It says itself that it is a sample, and touches nothing.
  risk: 'safe',
  step: z.object({ channel: z.string(), rule: z.string() }),
  plan: async ({ rule: name }, { bot, channel }) => {
    const [rule] = readRules([name], bot.alerts.rules);
    const target = channelTarget(channel);
    return {
      title: `A sample of the alert ${rule?.name ?? name}`,
      subject: [],
      targets: [target],
      effect: 'a message that says it is a sample is posted here',
      details: [],
      facts: { rule: rule?.name ?? name },
      steps: [{ target, label: '', data: { channel, rule: rule?.name ?? name } }],
    };
  },
  execute: async ({ channel, rule }, { bot }) => {
    await bot.alerts.sample(channel, rule);
    return { text: '', data: null };
  },
  verify: async () => ({ is: 'so', text: 'posted' }),
  done: () => ({ text: 'The sample is posted' }),
});
