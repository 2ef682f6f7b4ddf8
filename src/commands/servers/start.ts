import { defineAction } from '../define.ts';
import { planPower, serversArgs } from './plan-power.ts';
import { accepted, namesOf, powerJob } from './power.ts';

export const start = defineAction({
  path: 'start',
  title: 'Start servers',
  summary: 'Start servers that are off',
  examples: ['start staging-1', 'start tag:web --parallel 3'],
  args: serversArgs,
  capability: 'operate',
  risk: 'routine',
  ...powerJob('start', 'on'),
  plan: (args, context) =>
    planPower(args, context, {
      verb: 'Start',
      risk: 'routine',
      already: 'on',
      single: () => 'The server starts. It takes up to a minute until it answers.',
      several: (pace) => `The servers start, ${pace}, stopping at the first that does not come up.`,
      briefly: () => 'up within a minute',
    }),
  execute: async ({ id }, { provider }) => accepted(await provider.vps.start({ order_id: id })),
  done: (steps) => ({ text: `${namesOf(steps)} started` }),
});
