import { quote } from '../../core/grammar/tokens.ts';
import { defineAction } from '../define.ts';
import { glanceOf } from './glance.ts';
import {
  accepted,
  dependsOn,
  jobOf,
  oneVirtualServer,
  planOneServer,
  powerOf,
  powerShouldBe,
  sameServer,
  serverStep,
} from './power.ts';

export const hardReset = defineAction({
  path: 'hard-reset',
  title: 'Hard reset a server',
  summary: 'Reset a server that no longer answers, without shutting it down',
  examples: ['hard-reset web-1', 'hard-reset 34-12345'],
  args: { server: oneVirtualServer },
  capability: 'operate',
  risk: 'dangerous',
  step: serverStep,
  plan: async ({ server }, { reader, account, now, may }) => {
    const shown = await planOneServer(server, reader);
    const isOff = shown.steps[0]?.data.power === 'off';
    return {
      ...shown,
      title: `Hard reset ${server.label}`,
      effect: isOff
        ? 'The server is off, so it only boots. It takes up to a minute until it answers.'
        : 'The server is reset and boots, without shutting down first. Anything not yet saved to disk is lost, and the disk may need a check.',
      glance: glanceOf([server], {
        power: () => shown.steps[0]?.data.power ?? 'unknown',
        briefly: isOff ? 'up within a minute' : 'unsaved writes may be lost',
        goingDown: isOff ? [] : [server],
        account: await account(),
        may,
      }),
      details: [
        isOff
          ? ['Gentler', ['It is off: ', { code: `start ${quote(server.label)}` }, ' starts it.']]
          : ['Gentler', [{ code: `restart ${quote(server.label)}` }, ' shuts down first.']],
        ...dependsOn([server], await account(), { now, may }, isOff ? [] : [server]),
      ],
    };
  },
  recheckTarget: sameServer,
  execute: async ({ id }, { provider }) => accepted(await provider.vps.hardReset({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, 'hard_reset'),
  verify: (step, context) => powerShouldBe('on', step, context),
  // As with a restart: the power does not show whether the server was reset.
  reconcile: async (step, { reader }) => ({
    is: 'unsure',
    text: `${step.name} is ${await powerOf(reader, step.id)} now; whether it was reset cannot be read`,
  }),
  done: ([step]) => ({ text: `${step?.label ?? 'the server'} was reset` }),
});
