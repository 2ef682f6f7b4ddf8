import { defineAction } from '../define.ts';
import { accepted, namesOf, planPower, powerJob, serversArgs } from './power.ts';

export const start = defineAction({
  path: 'start',
  title: 'Start servers',
  summary: 'Start servers that are off',
  examples: ['start staging-1', 'start tag:web --parallel 3'],
  args: serversArgs,
  capability: 'operate',
  risk: 'routine',
  reverse: 'stop',
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

export const stop = defineAction({
  path: 'stop',
  title: 'Stop servers',
  summary: 'Shut servers down',
  examples: ['stop staging-1', 'stop tag:staging'],
  args: serversArgs,
  capability: 'operate',
  risk: 'disruptive',
  reverse: 'start',
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
