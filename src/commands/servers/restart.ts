import type { Order } from '../../core/account/account.ts';
import { firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { accepted, namesOf, planPower, powerJob, serversArgs, unsureOf } from './power.ts';

export const restart = defineAction({
  path: 'restart',
  title: 'Restart servers',
  summary: 'Shut servers down and start them again',
  examples: ['restart web-1', 'restart tag:web --parallel 2'],
  args: serversArgs,
  capability: 'operate',
  risk: 'disruptive',
  ...powerJob('restart', 'on'),
  plan: (args, context) =>
    planPower(args, context, {
      verb: 'Restart',
      risk: 'disruptive',
      single: (running) =>
        running.length === 0
          ? 'The server is off, so it only starts. It takes up to a minute until it answers.'
          : 'The server shuts down and starts again. It is down for about one to three minutes.',
      several: (pace, running) =>
        running.length === 0
          ? `The servers are off, so they only start, ${pace}, stopping at the first that does not come up.`
          : `The servers shut down and start again, ${pace}, stopping at the first that does not come back.`,
      briefly: (running) => (running.length === 0 ? 'up within a minute' : 'down 1–3 min'),
      details: onlyStarting,
      goingDown: {
        isAvoidable: true,
        warning: (servers, names, them) => `Restarting ${servers} behind ${names} at once would take ${them} down.`,
      },
    }),
  execute: async ({ id }, { provider }) => accepted(await provider.vps.restart({ order_id: id })),
  // The power does not show whether the server restarted, so after a lost response the result is unsure.
  reconcile: unsureOf('it restarted cannot be read'),
  done: (steps) => ({ text: `${namesOf(steps)} restarted` }),
});

/** Names the servers that are off and only start. */
function onlyStarting(restarting: readonly Order[], running: readonly Order[]): [string, Text][] {
  const off = restarting.filter((server) => !running.includes(server)).map(({ label }) => label);
  if (off.length === 0 || running.length === 0) return [];
  return [['Only started', `${firstFew(off, 8)}: off now`]];
}
