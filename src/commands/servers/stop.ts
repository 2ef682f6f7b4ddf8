import { orders } from '../../core/args.ts';
import { orderTarget } from '../../core/world.ts';
import { defineAction } from '../define.ts';
import {
  accepted,
  dependsOn,
  factsOf,
  jobOf,
  leftOut,
  namesOf,
  parallel,
  powerShouldBe,
  powersOf,
  serverStep,
  stepOf,
  subjectLine,
} from './power.ts';

export const stop = defineAction({
  path: 'stop',
  summary: 'Shut servers down',
  examples: ['stop staging-1', 'stop tag:staging'],
  alsoCalled: ['shutdown', 'poweroff', 'halt'],
  args: {
    servers: orders({ hint: 'names, ids, addresses or tag:web', example: 'web-1' }),
    parallel,
  },
  capability: 'operate',
  risk: 'disruptive',
  step: serverStep,
  plan: async ({ servers, parallel }, { reader, world, now }) => {
    const power = await powersOf(reader, servers);
    const stopping = servers.filter((server) => power(server) !== 'off');
    const isSingle = stopping.length === 1;
    return {
      title: `Stop ${namesOf(stopping.length === 0 ? servers : stopping)}`,
      subject: servers.map((server) => subjectLine(server, power(server))),
      targets: stopping.map(orderTarget),
      effect: isSingle
        ? 'the server shuts down and stays off until it is started; it goes on costing money'
        : `the servers shut down, ${parallel === 1 ? 'one after another' : `${parallel} at a time`}, and stay off until they are started; they go on costing money`,
      details: [...leftOut(servers, stopping, 'already off'), ...dependsOn(stopping, await world(), now)],
      facts: factsOf(servers, power),
      steps: stopping.map(stepOf),
      parallel,
      ...(stopping.length === 0
        ? { nothingToDo: `${namesOf(servers)} ${servers.length === 1 ? 'is' : 'are'} already off.` }
        : {}),
    };
  },
  execute: async ({ id }, { provider }) => accepted(await provider.vps.stop({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'stop'),
  verify: (step, context) => powerShouldBe('off', step, context),
  done: (steps) => ({
    text: `${namesOf(steps)} stopped`,
    undo: `start ${steps.map((step) => step.data.id).join(' ')}`,
  }),
});
