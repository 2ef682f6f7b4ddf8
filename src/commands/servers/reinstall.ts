import { z } from 'zod';
import type { Order } from '../../core/account/account.ts';
import { sayStatus } from '../../core/account/trouble.ts';
import { minute, sentenceStart } from '../../core/text/words.ts';
import { unavailable } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/account.ts';
import { defineAction } from '../define.ts';
import { findSshKeys, keysOfServer, keysToInstall, sayKeys } from '../ssh-keys/keys.ts';
import { linkOf, linkStep, sendLink, verifyLink } from '../ssh-keys/links.ts';
import { chosenImage, imageArgs, imageKinds, imageOf, imagesFor, sayImage } from './images.ts';
import { oneVirtualServer, planOneServer, sameServer, serverStep, unsureOf } from './power.ts';

/** A reinstallation installs the keys linked to the server, so other keys are linked first. */
async function planKeys(server: Order, words: readonly string[] | undefined, reader: Reader) {
  const linked = await keysOfServer(reader, server.id);
  if (words === undefined) {
    if (linked === undefined)
      return { words: 'Unknown: those linked to the server could not be read.', facts: {}, steps: [] };
    return { words: `Those linked to it: ${sayKeys(linked)}`, facts: { 'linked SSH keys': idsOf(linked) }, steps: [] };
  }
  if (linked === undefined) {
    const hint = 'Nothing was sent. Try again in a minute, or leave ssh_keys out.';
    throw unavailable(`The SSH keys of ${server.label} could not be read just now.`, hint, 'ssh_keys');
  }
  const wanted = findSshKeys(words, await reader.sshKeys.list());
  const lacks = (keys: readonly ProviderSshKey[]) => (key: ProviderSshKey) => !keys.some(({ id }) => id === key.id);
  return {
    words: sayKeys(wanted),
    facts: { 'linked SSH keys': idsOf(linked), 'SSH keys': idsOf(wanted) },
    steps: [
      ...linked.filter(lacks(wanted)).map((key) => linkOf('unlink', key, server)),
      ...wanted.filter(lacks(linked)).map((key) => linkOf('link', key, server)),
    ],
  };
}

function idsOf(keys: readonly ProviderSshKey[]): number[] {
  return keys.map(({ id }) => id).toSorted((a, b) => a - b);
}

const installStep = serverStep.extend({
  image: z.object({ kind: z.enum(imageKinds), id: z.int(), name: z.string() }),
});

const erased = unsureOf('it was erased cannot be read from outside: check the server itself before you ask again');

const images = imageArgs({ dependsOn: 'server' });
const imageHint = 'Such as template="Debian 13", app=WordPress or snapshot=3.';

export const reinstall = defineAction({
  path: 'reinstall',
  words: `reinstall · rebuild · reimage · wipe · erase · format · install · redeploy · nuke · install again · set up
    from scratch · factory reset · reset to factory | system · linux · operating system · os | put new · from scratch ·
    new os · fresh install · clean install · fresh system · put new linux`,
  title: 'Reinstall a server',
  summary: 'Erase a server and install a system, an application or a snapshot on it',
  examples: ['reinstall web-1 template="Debian 13"', 'reinstall web-1 app=WordPress'],
  args: {
    server: oneVirtualServer,
    ...images,
    template: { ...images.template, takesLeft: true },
    ssh_keys: keysToInstall('Without it, the keys that are linked now.'),
  },
  pages: [['server'], [...imageKinds, 'ssh_keys']],
  needs: [{ of: imageKinds, say: 'a template, an app or a snapshot' }],
  capability: 'destroy',
  // Snapshots and SSH keys belong to the account; a snapshot may contain the data of any server.
  isAccountWide: ({ snapshot, ssh_keys }) => snapshot !== undefined || ssh_keys !== undefined,
  risk: 'destructive',
  step: z.union([linkStep, installStep]),
  plan: async ({ server, ssh_keys, ...words }, context) => {
    const { reader } = context;
    const [{ plan, glance, dependents }, image, keys] = await Promise.all([
      planOneServer(server, context),
      imageOf(chosenImage(words, imageHint), imagesFor(reader, server.id)),
      planKeys(server, ssh_keys, reader),
    ]);
    const { kind, id, name } = image;
    return {
      ...plan,
      title: `Reinstall ${server.label}`,
      effect: `All data on ${server.label} is destroyed and replaced by ${sayImage(image)}. Nothing of it can be restored.`,
      glance: glance(`everything on it is destroyed and replaced by ${sayImage(image)}, no snapshot is made`),
      details: [
        ['Lost', 'Every file, database, user, key and setting on the server.'],
        ['Replaced by', sentenceStart(sayImage(image))],
        ['SSH keys', keys.words],
        ['Snapshot', 'None is made first. Make one with the provider if anything is to be kept.'],
        ...dependents,
      ],
      facts: {
        ...plan.facts,
        addresses: [...server.addresses],
        'replaced by': `${kind} ${name} (${id})`,
        ...keys.facts,
      },
      steps: [
        ...keys.steps,
        ...plan.steps.map((step) => ({ ...step, data: { ...step.data, image: { kind, id, name } } })),
      ],
      typedName: server.label,
    };
  },
  recheckTarget: async (step, context) => ('change' in step ? step : sameServer(step, context)),
  execute: async (step, context) => {
    if ('change' in step) return sendLink(step, context);
    const { id, image } = step;
    const answer = await context.provider.reinstall.run({ order_id: id, [image.kind]: image.id });
    return { text: answer.display_name, data: { status: answer.status } };
  },
  follow: (step) => ('change' in step ? undefined : { kind: 'until', action: 'reinstall', timeoutMs: 30 * minute }),
  // The power does not distinguish the new system from the old one. The only evidence is that the server went offline
  // and came back, which also happens after a failed installation.
  verify: async (step, context, _, { wasOffline }) => {
    if ('change' in step) return verifyLink(step, context);
    const { reader } = context;
    const [{ status }, { status: power }] = await Promise.all([
      reader.vpsOrders.read({ order_id: step.id }),
      reader.vps.status({ order_id: step.id }),
    ]);
    const text = `the order is ${sayStatus(status)}, and the power is ${power}`;
    if (power !== 'on') return { is: 'unsure', text: `${text}; it has not come back`, isOffline: true };
    const system = 'which system is on it cannot be read: check the server itself';
    if (!wasOffline) return { is: 'unsure', text: `${text}; it was not seen to go away; ${system}` };
    return { is: 'unsure', text: `${text}: it went away and came back; ${system}`, isFinal: true };
  },
  comesBack: (step) => ('change' in step ? undefined : { id: step.id, needs: 'any' }),
  // A server that is on may have been reinstalled, or never touched.
  reconcile: (step, context) => ('change' in step ? verifyLink(step, context) : erased(step, context)),
  done: (steps) => {
    const last = (steps.at(-1) ?? steps[0]).data;
    if ('image' in last) return { text: `${last.name} reinstalled with ${sayImage(last.image)}` };
    // The step stopped after the keys.
    return { text: `the SSH keys of ${last.name} changed; it was not reinstalled` };
  },
});
