import { defineAction } from '../define.ts';
import { planPower, serversArgs, stopWarning } from './plan-power.ts';
import { accepted, dependsOn, jobOf, namesOf, powerShouldBe, sameServer, serverStep } from './power.ts';

export const stop = defineAction({
  path: 'stop',
  title: 'Stop servers',
  summary: 'Shut servers down',
  examples: ['stop staging-1', 'stop tag:staging'],
  args: serversArgs,
  capability: 'operate',
  risk: 'disruptive',
  step: serverStep,
  plan: async (args, context) => {
    const account = await context.account();
    return planPower(args, context, {
      verb: 'Stop',
      risk: 'disruptive',
      already: 'off',
      single: () => 'The server shuts down and stays off until it is started. You continue to be billed.',
      several: (pace) =>
        `The servers shut down, ${pace}, and stay off until they are started. You continue to be billed.`,
      briefly: () => 'off until started again, still billed',
      details: (stopping) => dependsOn(stopping, account, context),
      warning: (stopping) => stopWarning(stopping, { account, may: context.may }),
    });
  },
  recheckTarget: sameServer,
  execute: async ({ id }, { provider }) => accepted(await provider.vps.stop({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'stop'),
  verify: (step, context) => powerShouldBe('off', step, context),
  done: (steps) => ({
    text: `${namesOf(steps)} stopped`,
    undo: `start ${steps.map((step) => step.data.id).join(' ')}`,
  }),
});
