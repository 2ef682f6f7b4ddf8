import { z } from 'zod';
import type { Order } from '../../core/account/account.ts';
import type { ComesBack, DoneSteps, WriteContext } from '../../core/command/command.ts';
import type { Ending, PlanDraft, Receipt, Verdict } from '../../core/plan/plan.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Provider } from '../../provider/client.ts';
import { type CommandContext, defineAction } from '../define.ts';
import { verdictOf } from '../outcome.ts';
import { oneServer, planOneServer, sameServer, serverStep } from '../servers/power.ts';
import { noNetwork } from './network.ts';

const step = serverStep.extend({ mode: z.enum(['on', 'off']) });
type ConnectionStep = z.infer<typeof step>;

const connection = {
  args: { server: oneServer },
  capability: 'operate',
  isAccountWide: () => true,
  risk: 'disruptive',
  step,
  recheckTarget: (step: ConnectionStep, context: CommandContext) => sameServer(step, context),
  execute: async ({ id, mode }: ConnectionStep, { provider }: WriteContext<Provider>): Promise<Receipt> => {
    const answer = await provider.vps.settings({ order_id: id, private_network_enabled: mode === 'on' });
    return { text: '', data: { isConnected: answer.private_network_enabled } };
  },
  // The setting is in no answer but the one to the change itself.
  verify: async ({ mode }: ConnectionStep, _: unknown, receipt: Receipt | undefined): Promise<Verdict> => {
    const answered = z.object({ isConnected: z.boolean() }).safeParse(receipt?.data).data;
    if (answered === undefined) return unread;
    const now = answered.isConnected ? 'on' : 'off';
    return { ...verdictOf(now === mode, `the provider answered: private network ${now}`), isFinal: true };
  },
  comesBack: ({ id }: ConnectionStep): ComesBack => ({ id, needs: 'all' }),
  reconcile: async (): Promise<Verdict> => unread,
  done: ([{ data }]: DoneSteps<ConnectionStep>): Ending => {
    const isOn = data.mode === 'on';
    return {
      text: `${data.name} ${isOn ? 'connected to' : 'disconnected from'} the private network`,
      undo: `net ${isOn ? 'disconnect' : 'connect'} ${data.id}`,
    };
  },
} as const;

export const netConnect = defineAction({
  ...connection,
  path: 'net connect',
  words: `attach · connect · join · plug in · put · add · hook up | network · private network · vlan · lan · net ·
    private net · priv net · internal net · private lan · vpc | network on = · connect network · join network`,
  title: 'Connect a server',
  summary: 'Connect a server to the private network',
  examples: ['net connect web-1', 'net connect db-1'],
  plan: ({ server }, context) => planConnection('on', server, context),
});

export const netDisconnect = defineAction({
  ...connection,
  path: 'net disconnect',
  words: `detach · unplug · disconnect · remove · take out · isolate · cut · pull off | network · private network ·
    vlan · lan · net · private net · priv net · internal net · private lan · vpc | network off = · disconnect network ·
    leave network`,
  title: 'Disconnect a server',
  summary: 'Disconnect a server from the private network',
  examples: ['net disconnect web-1', 'net disconnect db-1'],
  plan: ({ server }, context) => planConnection('off', server, context),
});

async function planConnection(
  mode: 'on' | 'off',
  server: Order,
  context: CommandContext,
): Promise<PlanDraft<ConnectionStep>> {
  const isOn = mode === 'on';
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
}

const unread = {
  is: 'unsure',
  text: 'the API does not show whether a server is connected; asking for the same again does no harm',
  isFinal: true,
} as const;
