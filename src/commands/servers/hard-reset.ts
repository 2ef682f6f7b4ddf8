import { quote } from '../../core/grammar/tokens.ts';
import { defineAction } from '../define.ts';
import { accepted, oneVirtualServer, planOneServer, powerJob, unsureOf } from './power.ts';

export const hardReset = defineAction({
  path: 'hard-reset',
  title: 'Hard reset a server',
  summary: 'Reset a server that no longer answers, without shutting it down',
  examples: ['hard-reset web-1', 'hard-reset 34-12345'],
  args: { server: oneVirtualServer },
  capability: 'operate',
  risk: 'dangerous',
  ...powerJob('hard_reset', 'on'),
  plan: async ({ server }, context) => {
    const { isOff, plan, glance, dependents } = await planOneServer(server, context);
    return {
      ...plan,
      title: `Hard reset ${server.label}`,
      effect: isOff
        ? 'The server is off, so it only boots. It takes up to a minute until it answers.'
        : 'The server is reset and boots, without shutting down first. Anything not yet saved to disk is lost, and the disk may need a check.',
      glance: glance(isOff ? 'up within a minute' : 'unsaved writes may be lost'),
      details: [
        isOff
          ? ['Gentler', ['It is off: ', { code: `start ${quote(server.label)}` }, ' starts it.']]
          : ['Gentler', [{ code: `restart ${quote(server.label)}` }, ' shuts down first.']],
        ...dependents,
      ],
    };
  },
  execute: async ({ id }, { provider }) => accepted(await provider.vps.hardReset({ order_id: id })),
  // As with a restart: the power does not show whether the server was reset.
  reconcile: unsureOf('it was reset cannot be read'),
  done: ([step]) => ({ text: `${step.label} was reset` }),
});
