import { z } from 'zod';
import { choice } from '../../core/command/args.ts';
import { accepted, defineAction } from '../define.ts';
import { jobOf, oneVirtualServer, planOneServer, powerVerdict, sameServer, serverStep, unsureOf } from './power.ts';
import { powerOf } from './see-servers.ts';

const modes = {
  on: {
    title: 'Start rescue mode of',
    act: 'Start',
    effect:
      'The server shuts down and boots a rescue system instead of its own. Its disk stays as it is, and its services are down until rescue mode is ended.',
    whenOff: 'The server is off. It boots a rescue system instead of its own, and its disk stays as it is.',
    briefly: 'its services are down until rescue mode ends',
    action: 'rescue_mode',
    ended: 'is in rescue mode',
  },
  off: {
    title: 'End rescue mode of',
    act: 'End',
    effect:
      'The server leaves the rescue system and boots from its own disk. It is down for about one to three minutes.',
    whenOff: 'The server is off. It boots from its own disk, which takes up to a minute.',
    briefly: 'down 1–3 min',
    action: 'stop_rescue_mode',
    ended: 'left rescue mode',
  },
} as const;

export const rescue = defineAction({
  path: 'rescue',
  words: `rescue · boot rescue | rescue mode · rescue system · recovery · recovery mode · recovery image · recovery
    system · emergency system | put in rescue = on · boot into rescue = on · into rescue = on · in rescue mode = on ·
    out of rescue = off · leave rescue = off · take out rescue = off · get out of rescue = off · recovery image = on ·
    end rescue = off · exit rescue = off · own system = off · normal system = off · own disk = off · boot rescue = on ·
    boot recovery = on · into recovery = on · start emergency = on · start recovery = on`,
  title: 'Rescue mode',
  summary: 'Boot a rescue system, or go back to the server’s own',
  examples: ['rescue on web-1', 'rescue off web-1'],
  alsoSays: ['mode', 'system'],
  args: {
    mode: choice({
      of: ['on', 'off'],
      hint: 'On boots the rescue system, off boots from disk again.',
      label: 'Rescue mode',
    }),
    server: oneVirtualServer,
  },
  capability: 'operate',
  risk: 'disruptive',
  step: serverStep.extend({ mode: z.enum(['on', 'off']) }),
  plan: async ({ mode, server }, context) => {
    const { isOff, plan, glance, dependents } = await planOneServer(server, context);
    return {
      ...plan,
      title: `${modes[mode].title} ${server.label}`,
      act: `${modes[mode].act} rescue mode`,
      effect: modes[mode][isOff ? 'whenOff' : 'effect'],
      glance: glance(isOff ? 'boots within a minute' : modes[mode].briefly),
      details: [['Now', 'The API does not show whether it is in rescue mode already.'], ...dependents],
      facts: { ...plan.facts, 'rescue mode': mode },
      steps: plan.steps.map((step) => ({ ...step, data: { ...step.data, mode } })),
    };
  },
  recheckTarget: sameServer,
  execute: ({ id, mode }, { provider }) =>
    accepted((mode === 'on' ? provider.vps.rescueMode : provider.vps.stopRescueMode)({ order_id: id })),
  follow: (step, receipt) => jobOf(step, receipt, modes[step.mode].action),
  // The job has succeeded by now. The API does not return the running system, so only the power can be verified.
  verify: async ({ id }, { reader }) => powerVerdict(await powerOf(reader, id), 'on'),
  foresee: ({ id }) => ({ kind: 'power', order: id, power: 'on' }),
  comesBack: ({ id, mode }) => ({ id, needs: mode === 'on' ? 'any' : 'all' }),
  reconcile: unsureOf('it is in rescue mode cannot be read'),
  done: ([step]) => ({
    text: `${step.label} ${modes[step.data.mode].ended}`,
    ...(step.data.mode === 'on' ? { undo: `rescue off ${step.data.id}` } : {}),
  }),
});
