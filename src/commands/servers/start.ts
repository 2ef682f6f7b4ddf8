import { orders } from '../../core/args.ts';
import { orderTarget } from '../../core/world.ts';
import { defineAction } from '../define.ts';
import {
  accepted,
  factsOf,
  jobOf,
  leftOut,
  namesOf,
  parallel,
  powerShouldBe,
  powersOf,
  serverStep,
  statusNotes,
  stepOf,
  subjectLine,
} from './power.ts';

export const start = defineAction({
  path: 'start',
  summary: 'Start servers that are off',
  examples: ['start staging-1', 'start tag:web --parallel 3'],
  alsoCalled: ['boot', 'poweron'],
  args: {
    servers: orders({ hint: 'names, ids, addresses or tag:web', example: 'web-1' }),
    parallel,
  },
  capability: 'operate',
  risk: 'routine',
  step: serverStep,
  plan: async ({ servers, parallel }, { reader }) => {
    const power = await powersOf(reader, servers);
    const starting = servers.filter((server) => power(server) !== 'on');
    const isSingle = starting.length === 1;
    return {
      title: `Start ${namesOf(starting.length === 0 ? servers : starting)}`,
      subject: servers.map((server) => subjectLine(server, power(server))),
      targets: starting.map(orderTarget),
      effect: isSingle
        ? 'the server starts; expect up to a minute until it answers'
        : `the servers start, ${parallel === 1 ? 'one after another' : `${parallel} at a time`}, stopping at the first that does not come up`,
      details: [...leftOut(servers, starting, 'already on'), ...statusNotes(starting)],
      facts: factsOf(servers, power),
      steps: starting.map(stepOf),
      parallel,
      ...(starting.length === 0
        ? { nothingToDo: `${namesOf(servers)} ${servers.length === 1 ? 'is' : 'are'} already on.` }
        : {}),
    };
  },
  execute: async ({ id }, { provider }) => accepted(await provider.vps.start({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'start'),
  verify: (step, context) => powerShouldBe('on', step, context),
  done: (steps) => ({ text: `${namesOf(steps)} started` }),
});
