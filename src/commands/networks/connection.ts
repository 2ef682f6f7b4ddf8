import { z } from 'zod';
import type { Order } from '../../core/account/account.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { ifReadable, Refusal } from '../../core/view/errors.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { oneServer, planOneServer, sameServer, serverStep } from '../servers/power.ts';

const effects = {
  on: 'The server is connected to the private network of the account.',
  off: 'The server leaves the private network. All its connections over private addresses are cut.',
} as const;

const step = serverStep.extend({ mode: z.enum(['on', 'off']) });
type ConnectionStep = z.infer<typeof step>;

/** Shared by `net connect` and `net disconnect`. */
export const connection = {
  args: { server: oneServer },
  capability: 'operate',
  isAccountWide: () => true,
  risk: 'disruptive',
  step,
  recheckTarget: (step: ConnectionStep, context: ReadContext<Reader>) => sameServer(step, context),
  execute: async ({ id, mode }: ConnectionStep, { provider }: WriteContext<Provider>): Promise<Receipt> => {
    const answer = await provider.vps.settings({ order_id: id, private_network_enabled: mode === 'on' });
    return { text: '', data: { isConnected: answer.private_network_enabled } };
  },
  // The setting is in no answer but the one to the change itself.
  verify: async ({ mode }: ConnectionStep, _: unknown, receipt: Receipt | undefined): Promise<Verdict> => {
    const answered = z.object({ isConnected: z.boolean() }).safeParse(receipt?.data).data;
    if (answered === undefined) return unread;
    const isSo = answered.isConnected === (mode === 'on');
    return {
      is: isSo ? 'so' : 'not',
      text: `the provider answered: private network ${answered.isConnected ? 'on' : 'off'}`,
      isFinal: true,
    };
  },
  reconcile: async (): Promise<Verdict> => unread,
  done: ([step]: readonly DoneStep<ConnectionStep>[]): Ending => {
    const name = step?.label ?? 'the server';
    const isOn = step?.data.mode === 'on';
    return {
      text: `${name} ${isOn ? 'connected to' : 'disconnected from'} the private network`,
      ...(step === undefined ? {} : { undo: `net ${isOn ? 'disconnect' : 'connect'} ${step.data.id}` }),
    };
  },
} as const;

export async function planConnection(
  mode: 'on' | 'off',
  server: Order,
  context: ReadContext<Reader>,
): Promise<Plan<ConnectionStep>> {
  const [{ plan, state }, existing] = await Promise.all([planOneServer(server, context), networkOf(context.reader)]);
  if (mode === 'on' && existing === 'none') {
    throw new Refusal('impossible', 'This account has no private network to connect to.', {
      hint: 'Make it first: /host net create.',
      suggestions: [{ label: 'Create the network', command: 'net create' }],
    });
  }
  const details: [string, Text][] = [
    ['Now', 'Unknown: the API does not show whether a server is connected.'],
    ...(existing === 'unknown' ? [['Network', 'Unknown: it could not be read.'] satisfies [string, Text]] : []),
  ];
  return {
    ...plan,
    title:
      mode === 'on'
        ? `Connect ${server.label} to the private network`
        : `Disconnect ${server.label} from the private network`,
    act: `${mode === 'on' ? 'Connect' : 'Disconnect'} ${server.label}`,
    glance: dotted([
      state,
      mode === 'on' ? '' : 'all its connections over private addresses are cut',
      'whether it is connected now cannot be read',
      existing === 'unknown' ? 'the network could not be read' : '',
    ]),
    effect: effects[mode],
    details,
    facts: { ...plan.facts, 'private network': mode },
    steps: plan.steps.map((step) => ({ ...step, data: { ...step.data, mode } })),
  };
}

const unread = {
  is: 'unsure',
  text: 'the API does not show whether a server is connected; asking for the same again does no harm',
  isFinal: true,
} as const;

async function networkOf(reader: Reader): Promise<'exists' | 'none' | 'unknown'> {
  const networks = await ifReadable(reader.privateNetworks.list());
  return networks === undefined ? 'unknown' : networks.length > 0 ? 'exists' : 'none';
}
