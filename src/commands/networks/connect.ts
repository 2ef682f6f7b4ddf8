import { z } from 'zod';
import { ifReadable } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction, verdictOf } from '../define.ts';
import { oneServer, planOneServer, sameServer, serverStep } from '../servers/power.ts';
import { noNetwork } from './network.ts';

type Connection = Pick<Parameters<typeof defineAction>[0], 'examples' | 'path' | 'summary' | 'title' | 'words'>;

export const netConnect = defineConnection('on', {
  path: 'net connect',
  words: `attach · connect · join · plug in · put · add · hook up | network · private network · vlan · lan · net ·
    private net · priv net · internal net · private lan · vpc | network on = · connect network · join network`,
  title: 'Connect a server',
  summary: 'Connect a server to the private network',
  examples: ['net connect web-1', 'net connect db-1'],
});

export const netDisconnect = defineConnection('off', {
  path: 'net disconnect',
  words: `detach · unplug · disconnect · remove · take out · isolate · cut · pull off | network · private network ·
    vlan · lan · net · private net · priv net · internal net · private lan · vpc | network off = · disconnect network ·
    leave network`,
  title: 'Disconnect a server',
  summary: 'Disconnect a server from the private network',
  examples: ['net disconnect web-1', 'net disconnect db-1'],
});

function defineConnection(mode: 'off' | 'on', connection: Connection) {
  const isOn = mode === 'on';
  return defineAction({
    ...connection,
    args: { server: oneServer },
    capability: 'operate',
    isAccountWide: () => true,
    risk: 'disruptive',
    step: serverStep.extend({ mode: z.enum(['on', 'off']) }),
    plan: async ({ server }, context) => {
      const [{ plan, state }, networks] = await Promise.all([
        planOneServer(server, context),
        ifReadable(context.reader.privateNetworks.list()),
      ]);
      if (isOn && networks?.length === 0) throw noNetwork();
      const act = `${isOn ? 'Connect' : 'Disconnect'} ${server.label}`;
      return {
        ...plan,
        title: `${act} ${isOn ? 'to' : 'from'} the private network`,
        act,
        glance: dotted([
          state,
          isOn ? '' : 'all its connections over private addresses are cut',
          'whether it is connected now cannot be read',
          networks === undefined ? 'the network could not be read' : '',
        ]),
        effect: isOn
          ? 'The server is connected to the private network of the account.'
          : 'The server leaves the private network. All its connections over private addresses are cut.',
        details: [
          ['Now', 'Unknown: the API does not show whether a server is connected.'],
          ['Network', networks === undefined ? 'Unknown: it could not be read.' : ''],
        ],
        facts: { ...plan.facts, 'private network': mode },
        steps: plan.steps.map((step) => ({ ...step, data: { ...step.data, mode } })),
      };
    },
    recheckTarget: sameServer,
    execute: async ({ id }, { provider }) => {
      const answer = await provider.vps.settings({ order_id: id, private_network_enabled: isOn });
      return { text: '', data: { isConnected: answer.private_network_enabled } };
    },
    // The setting is in no answer but the one to the change itself.
    verify: async (_step, _context, receipt) => {
      const answered = z.object({ isConnected: z.boolean() }).safeParse(receipt?.data).data;
      if (answered === undefined) return unread;
      const now = answered.isConnected ? 'on' : 'off';
      return { ...verdictOf(now === mode, `the provider answered: private network ${now}`), isFinal: true };
    },
    comesBack: ({ id }) => ({ id, needs: 'all' }),
    reconcile: async () => unread,
    done: ([{ data }]) => ({
      text: `${data.name} ${isOn ? 'connected to' : 'disconnected from'} the private network`,
      undo: `net ${isOn ? 'disconnect' : 'connect'} ${data.id}`,
    }),
  });
}

const unread = {
  is: 'unsure',
  text: 'the API does not show whether a server is connected; asking for the same again does no harm',
  isFinal: true,
} as const;
