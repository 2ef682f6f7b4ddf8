import { z } from 'zod';
import { orderTarget } from '../../core/account/account.ts';
import { choice } from '../../core/command/args.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { factsOf, oneServer, powerOf, powerSigns, sameServer, serverStep, stepOf, subjectLine } from './power.ts';

const effects = {
  on: 'The server is connected to the private network of the account.',
  off: 'The server leaves the private network. All its connections over private addresses are cut.',
} as const;

export const network = defineAction({
  path: 'network',
  title: 'Private network',
  summary: 'Connect a server to the private network, or disconnect it',
  examples: ['network on web-1', 'network off web-1'],
  args: {
    mode: choice({ of: ['on', 'off'], hint: 'On connects, off disconnects.', label: 'Private network' }),
    server: oneServer,
  },
  capability: 'operate',
  isAccountWide: () => true,
  risk: 'disruptive',
  step: serverStep.extend({ mode: z.enum(['on', 'off']) }),
  plan: async ({ mode, server }, { reader }) => {
    const [power, existing] = await Promise.all([powerOf(reader, server.id), networkOf(reader)]);
    if (mode === 'on' && existing === 'none') {
      throw new Refusal('impossible', 'This account has no private network to connect to.', {
        hint: 'Make it first: /host net create.',
        suggestions: [{ label: 'Create the network', command: 'net create' }],
        field: 'mode',
      });
    }
    const step = stepOf(server, power);
    const details: [string, Text][] = [
      ['Now', 'Unknown: the API does not show whether a server is connected.'],
      ...(existing === 'unknown' ? [['Network', 'Unknown: it could not be read.'] satisfies [string, Text]] : []),
    ];
    return {
      title:
        mode === 'on'
          ? `Connect ${server.label} to the private network`
          : `Disconnect ${server.label} from the private network`,
      act: `${mode === 'on' ? 'Connect' : 'Disconnect'} ${server.label}`,
      subject: [subjectLine(server, power)],
      targets: [orderTarget(server)],
      effect: effects[mode],
      glance: dotted([
        powerSigns[power],
        mode === 'on' ? '' : 'all its connections over private addresses are cut',
        'whether it is connected now cannot be read',
        existing === 'unknown' ? 'the network could not be read' : '',
      ]),
      details,
      facts: { ...factsOf([server], () => power), 'private network': mode },
      steps: [{ ...step, data: { ...step.data, mode } }],
    };
  },
  recheck: sameServer,
  execute: async ({ id, mode }, { provider }) => {
    const answer = await provider.vps.settings({ order_id: id, private_network_enabled: mode === 'on' });
    return { text: '', data: { isConnected: answer.private_network_enabled } };
  },
  // Only the response to the change contains the setting.
  verify: async ({ mode }, _, receipt) => {
    const answered = z.object({ isConnected: z.boolean() }).safeParse(receipt?.data).data;
    if (answered === undefined) return unread;
    const isSo = answered.isConnected === (mode === 'on');
    return {
      is: isSo ? 'so' : 'not',
      text: `the provider answered: private network ${answered.isConnected ? 'on' : 'off'}`,
      isFinal: true,
    };
  },
  reconcile: async () => unread,
  done: ([step]) => {
    const name = step?.label ?? 'the server';
    const isOn = step?.data.mode === 'on';
    return {
      text: `${name} ${isOn ? 'connected to' : 'disconnected from'} the private network`,
      ...(step === undefined ? {} : { undo: `network ${isOn ? 'off' : 'on'} ${step.data.id}` }),
    };
  },
});

const unread = {
  is: 'unsure',
  text: 'the API does not show whether a server is connected; asking for the same again does no harm',
  isFinal: true,
} as const;

async function networkOf(reader: Reader): Promise<'exists' | 'none' | 'unknown'> {
  try {
    return (await reader.privateNetworks.list()).length > 0 ? 'exists' : 'none';
  } catch (error) {
    if (error instanceof ProviderError) return 'unknown';
    throw error;
  }
}
