import { order } from '../../core/args.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { orderTarget } from '../../core/world.ts';
import { defineAction } from '../define.ts';
import {
  accepted,
  dependsOn,
  factsOf,
  jobOf,
  powerOf,
  powerShouldBe,
  serverStep,
  stepOf,
  subjectLine,
} from './power.ts';

export const hardReset = defineAction({
  path: 'hard-reset',
  summary: 'Reset a server that no longer answers, without shutting it down',
  examples: ['hard-reset web-1', 'hard-reset 34-12345'],
  alsoCalled: ['reset'],
  args: { server: order({ hint: 'name, id or address', example: 'web-1' }) },
  capability: 'operate',
  risk: 'dangerous',
  step: serverStep,
  plan: async ({ server }, { reader, world, now }) => {
    const power = await powerOf(reader, server.id);
    return {
      title: `Hard reset ${server.label}`,
      subject: [subjectLine(server, power)],
      targets: [orderTarget(server)],
      effect:
        'a reset signal, then a boot, without shutting down first: file systems with deferred writes may become unclean, and what was not written yet may be lost',
      details: [
        ['Gentler', [{ code: `restart ${quote(server.label)}` }, ' shuts down first']],
        ...dependsOn([server], await world(), now),
      ],
      facts: factsOf([server], () => power),
      steps: [stepOf(server)],
    };
  },
  execute: async ({ id }, { provider }) => accepted(await provider.vps.hardReset({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'hard_reset'),
  verify: (step, context) => powerShouldBe('on', step, context),
  // As with a restart: being on does not tell whether it was reset.
  reconcile: async (step, { reader }) => ({
    is: 'unsure',
    text: `${step.name} is ${await powerOf(reader, step.id)} now; whether it was reset cannot be read`,
  }),
  done: ([step]) => ({ text: `${step?.label ?? 'the server'} was reset` }),
});
