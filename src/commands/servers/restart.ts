import { orders } from '../../core/args.ts';
import { orderTarget } from '../../core/world.ts';
import { defineAction } from '../define.ts';
import {
  accepted,
  dependsOn,
  factsOf,
  jobOf,
  namesOf,
  parallel,
  powerOf,
  powerShouldBe,
  powersOf,
  serverStep,
  stepOf,
  subjectLine,
} from './power.ts';

export const restart = defineAction({
  path: 'restart',
  summary: 'Shut servers down and start them again',
  examples: ['restart web-1', 'restart tag:web --parallel 2'],
  alsoCalled: ['reboot'],
  args: {
    servers: orders({ hint: 'names, ids, addresses or tag:web', example: 'web-1' }),
    parallel,
  },
  capability: 'operate',
  risk: 'disruptive',
  step: serverStep,
  plan: async ({ servers, parallel }, { reader, world, now }) => {
    const power = await powersOf(reader, servers);
    const isSingle = servers.length === 1;
    return {
      title: `Restart ${namesOf(servers)}`,
      subject: servers.map((server) => subjectLine(server, power(server))),
      targets: servers.map(orderTarget),
      effect: isSingle
        ? 'the server shuts down and starts again; expect one to three minutes away'
        : `the servers shut down and start again, ${parallel === 1 ? 'one after another' : `${parallel} at a time`}, stopping at the first that does not come back`,
      details: dependsOn(servers, await world(), now),
      facts: factsOf(servers, power),
      steps: servers.map(stepOf),
      parallel,
    };
  },
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
