import { z } from 'zod';
import { orderTarget } from '../../core/account.ts';
import { optional, searched } from '../../core/args.ts';
import { Refusal } from '../../core/errors.ts';
import { minute } from '../../core/words.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { chosenImage, type Images, type ImageWords, imageKinds, imageOf, sayImage } from './images.ts';
import {
  dependsOn,
  factsOf,
  oneServer,
  powerOf,
  sameServer,
  sayStatus,
  serverStep,
  stepOf,
  subjectLine,
} from './power.ts';

export const reinstall = defineAction({
  path: 'reinstall',
  summary: 'Erase a server and install a system, an application or a snapshot on it',
  examples: ['reinstall web-1 template="Debian 13"', 'reinstall web-1 app=WordPress'],
  alsoCalled: ['rebuild', 'reimage'],
  args: {
    server: oneServer,
    template: optional(
      searched({
        hint: 'a clean operating system: its name or id',
        source: 'templates',
        dependsOn: 'server',
        place: 'option',
      }),
    ),
    app: optional(
      searched({ hint: 'or an application with its system', source: 'apps', dependsOn: 'server', place: 'option' }),
    ),
    snapshot: optional(
      searched({ hint: 'or a snapshot to restore', source: 'snapshots', dependsOn: 'server', place: 'option' }),
    ),
  },
  pages: [['server'], imageKinds],
  needs: [{ of: imageKinds, say: 'a template, an app or a snapshot' }],
  capability: 'destroy',
  // Snapshots belong to the account, and may hold the data of any server in it.
  isAccountWide: ({ snapshot }) => snapshot !== undefined,
  risk: 'destructive',
  step: serverStep.extend({ image: z.object({ kind: z.enum(imageKinds), id: z.int(), name: z.string() }) }),
  plan: async ({ server, ...words }, { reader, account, now, may }) => {
    const [power, image] = await Promise.all([powerOf(reader, server.id), chosen(words, server.id, reader)]);
    const step = stepOf(server, power);
    return {
      title: `Reinstall ${server.label}`,
      subject: [subjectLine(server, power)],
      targets: [orderTarget(server)],
      effect: `all data on ${server.label} is destroyed and replaced by ${sayImage(image)}; nothing of it can be brought back`,
      details: [
        ['Lost', 'every file, database, user, key and setting on the server'],
        ['Replaced by', sayImage(image)],
        ['Snapshot', 'none is made first: make one with the provider if anything is to be kept'],
        ...dependsOn([server], await account(), { now, may }),
      ],
      facts: {
        ...factsOf([server], () => power),
        addresses: [...server.addresses],
        'replaced by': `${image.kind} ${image.name} (${image.id})`,
      },
      steps: [{ ...step, data: { ...step.data, image: { kind: image.kind, id: image.id, name: image.name } } }],
      typedName: server.label,
    };
  },
  lookAgain: sameServer,
  execute: async ({ id, image }, { provider }) => {
    const answer = await provider.reinstall.run({ order_id: id, [image.kind]: image.id });
    return { text: answer.display_name, data: { status: answer.status } };
  },
  follow: () => ({ kind: 'until', action: 'reinstall', timeoutMs: 30 * minute }),
  // The old system was on as well, and nothing tells the new one from it: that the server went away and came back is all
  // there is to see, and it did so too when the installing failed.
  verify: async (step, { reader }, _, { wasAway }) => {
    const [{ status }, { status: power }] = await Promise.all([
      reader.vpsOrders.read({ order_id: step.id }),
      reader.vps.status({ order_id: step.id }),
    ]);
    const text = `order ${sayStatus(status)}, power status: ${power}`;
    if (power !== 'on') return { is: 'unsure', text: `${text}; it has not come back`, isAway: true };
    const system = 'which system is on it cannot be read: look at the server itself';
    if (!wasAway) return { is: 'unsure', text: `${text}; it was not seen to go away; ${system}` };
    return { is: 'unsure', text: `${text}: it went away and came back; ${system}`, isFinal: true };
  },
  // A server that is on may have been erased and be up again, or never touched.
  reconcile: async (step, { reader }) => {
    const power = await powerOf(reader, step.id);
    return {
      is: 'unsure',
      text: `${step.name} is ${power} now; whether it was erased cannot be read from outside: look at the server itself before you ask again`,
    };
  },
  done: ([step]) => ({
    text: `${step?.label ?? 'the server'} reinstalled with ${step === undefined ? 'a new system' : sayImage(step.data.image)}`,
  }),
});

async function chosen(words: ImageWords, id: string, reader: Reader) {
  const images: Images = {
    template: () => reader.reinstall.templates({ order_id: id }),
    app: () => reader.reinstall.apps({ order_id: id }),
    snapshot: () => reader.reinstall.snapshots({ order_id: id }),
  };
  const choice = chosenImage(words);
  if (choice !== undefined) return imageOf(choice, images);
  throw new Refusal('bad_value', 'What is to replace it? Name exactly one template, app or snapshot.', {
    hint: 'Such as template="Debian 13", app=WordPress or snapshot=3.',
    field: 'template',
  });
}
