import type { Order } from '../../core/account/account.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import { accepted, defineAction } from '../define.ts';
import { namesOf, oneVirtualServer, planOneServer, planPower, powerJob, serversArgs, unsureOf } from './power.ts';

export const start = defineAction({
  path: 'start',
  words: `start · boot · back on · power on · turn on · switch on · poweron · bring up · boot up · fire up · bring
    back | | on again · want on · turn back on · start up · must on`,
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
  execute: ({ id }, { provider }) => accepted(provider.vps.start({ order_id: id })),
  done: (steps) => ({ text: `${namesOf(steps)} started` }),
});

export const stop = defineAction({
  path: 'stop',
  words: `stop · shut down · shutdown · power off · turn off · switch off · poweroff · halt · take down · kill ·
    bring down · switch of · turn of · force stop · stop instance · take offline · power down · force off · spin down | |
    must off · want off · switched off`,
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
  execute: ({ id }, { provider }) => accepted(provider.vps.stop({ order_id: id })),
  done: (steps) => ({
    text: `${namesOf(steps)} stopped`,
    undo: `start ${steps.map((step) => step.data.id).join(' ')}`,
  }),
});

export const restart = defineAction({
  path: 'restart',
  words: `restart · reboot · bounce · new start · make restart · kick · cycle · start again · turn off and on again ·
    switch off and on again · off and on again | | rollout restart · server reboot · do restart · restart of · start
    again · ps restart · reboot instance · fresh boot · fresh start`,
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
  execute: ({ id }, { provider }) => accepted(provider.vps.restart({ order_id: id })),
  // The power does not show whether the server restarted, so after a lost response the result is unsure.
  reconcile: unsureOf('it restarted cannot be read'),
  done: (steps) => ({ text: `${namesOf(steps)} restarted` }),
});

function onlyStarting(restarting: readonly Order[], running: readonly Order[]): [string, Text][] {
  const off = restarting.filter((server) => !running.includes(server)).map(({ label }) => label);
  if (off.length === 0 || running.length === 0) return [];
  return [['Only started', `${firstFew(off, 8)}: off now`]];
}

export const hardReset = defineAction({
  path: 'hard-reset',
  words: `hard reset · hardreset · reset · power cycle · powercycle · force restart · force reboot · hard restart ·
    hard reboot · hard rst · pull plug · reset button · force reset | |`,
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
  execute: ({ id }, { provider }) => accepted(provider.vps.hardReset({ order_id: id })),
  // As with a restart: the power does not show whether the server was reset.
  reconcile: unsureOf('it was reset cannot be read'),
  done: ([step]) => ({ text: `${step.label} was reset` }),
});
