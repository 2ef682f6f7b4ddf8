import { defineAction } from '../define.ts';
import { planPower, serversArgs } from './plan-power.ts';
import { accepted, namesOf, powerJob } from './power.ts';

export const stop = defineAction({
  path: 'stop',
  title: 'Stop servers',
  summary: 'Shut servers down',
  examples: ['stop staging-1', 'stop tag:staging'],
  args: serversArgs,
  capability: 'operate',
  risk: 'disruptive',
  ...powerJob('stop', 'off'),
  plan: (args, context) =>
    planPower(args, context, {
      verb: 'Stop',
      risk: 'disruptive',
      already: 'off',
      single: () => 'The server shuts down and stays off until it is started. You continue to be billed.',
      several: (pace) =>
        `The servers shut down, ${pace}, and stay off until they are started. You continue to be billed.`,
      briefly: () => 'off until started again, still billed',
      goingDown: {
        isAvoidable: false,
        warning: (servers, names, them) => `Stopping ${servers} behind ${names} takes ${them} down.`,
      },
    }),
  execute: async ({ id }, { provider }) => accepted(await provider.vps.stop({ order_id: id })),
  done: (steps) => ({
    text: `${namesOf(steps)} stopped`,
    undo: `start ${steps.map((step) => step.data.id).join(' ')}`,
  }),
});
