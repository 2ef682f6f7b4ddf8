import { defineAction } from '../define.ts';
import { planPower, serversArgs } from './plan-power.ts';
import { accepted, dependsOn, jobOf, namesOf, powerOf, powerShouldBe, sameServer, serverStep } from './power.ts';
import { restartWarning } from './taken-down.ts';

export const restart = defineAction({
  path: 'restart',
  title: 'Restart servers',
  summary: 'Shut servers down and start them again',
  examples: ['restart web-1', 'restart tag:web --parallel 2'],
  alsoCalled: ['reboot', 'bounce'],
  args: serversArgs,
  capability: 'operate',
  risk: 'disruptive',
  step: serverStep,
  plan: async (args, context) => {
    const known = await context.account();
    return planPower(args, context, {
      verb: 'Restart',
      risk: 'disruptive',
      one: 'The server shuts down and starts again. It is down for about one to three minutes.',
      several: (timeScale) =>
        `The servers shut down and start again, ${timeScale}, stopping at the first that does not come back.`,
      details: (restarting) => dependsOn(restarting, known, context),
      warning: (restarting) => restartWarning(restarting, args.parallel, { account: known, may: context.may }),
    });
  },
  lookAgain: sameServer,
  execute: async ({ id }, { provider }) => accepted(await provider.vps.restart({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'restart'),
  verify: (step, context) => powerShouldBe('on', step, context),
  // Being on does not tell whether it restarted: after a lost answer only the power can be said.
  reconcile: async (step, { reader }) => ({
    is: 'unsure',
    text: `${step.name} is ${await powerOf(reader, step.id)} now; whether it restarted cannot be read`,
  }),
  done: (steps) => ({ text: `${namesOf(steps)} restarted` }),
});
