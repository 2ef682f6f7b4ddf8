import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { describeSshKey } from '../../core/account/ssh-key.ts';
import { orders } from '../../core/command/args.ts';
import type { WriteContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Receipt } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';
import { unavailable } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Provider } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/account.ts';
import { parallelOf } from '../args.ts';
import { type CommandContext, defineAction, sent, verdictOf } from '../define.ts';
import { namesOf } from '../servers/power.ts';
import { findSshKey, keyArg, keyFacts, keySubject, keysOfServer, titleOf } from './keys.ts';

/** `ssh-key link` and `ssh-key unlink`: one write for each server whose list changes. */

const words = {
  link: {
    past: 'linked to',
    title: (key: string, names: string) => `Link the SSH key ${key} to ${names}`,
    effect: (names: string) => `Anybody who holds the key can log in to ${names} after the next installation.`,
    glance: 'opens them after their next installation; running servers stay as they are',
    already: 'linked already',
    back: 'unlink',
  },
  unlink: {
    past: 'unlinked from',
    title: (key: string, names: string) => `Unlink the SSH key ${key} from ${names}`,
    effect: (names: string) => `The next installation of ${names} no longer writes the key.`,
    glance: 'no longer written at the next installation; running servers stay as they are',
    already: 'not linked',
    back: 'link',
  },
} as const;
type Change = keyof typeof words;

const args = {
  key: keyArg,
  servers: orders({ hint: 'Names, ids, addresses or a tag such as tag:web.', example: 'web-1' }),
  parallel: parallelOf('servers'),
};

export const linkStep = z.object({
  id: z.string(),
  name: z.string(),
  change: z.enum(['link', 'unlink']),
  key: z.int(),
  title: z.string(),
});
type LinkStep = z.infer<typeof linkStep>;

type Own = 'examples' | 'execute' | 'path' | 'risk' | 'summary' | 'title' | 'words';

export const sshKeyLink = defineLinks('link', {
  path: 'ssh-key link',
  words: `link · add · put · install | ssh key · key · public key | key onto · key work on · give ssh key · key on ·
    key to`,
  title: 'Link an SSH key',
  summary: 'Link a key of the account to servers, for their next installation',
  examples: ['ssh-key link "CI deploy" db-1', 'ssh-key link 2 tag:web'],
  risk: 'dangerous',
  execute: ({ id, key }, { provider }) => sent(provider.sshKeys.link({ order_id: id, key_pk: key })),
});

export const sshKeyUnlink = defineLinks('unlink', {
  path: 'ssh-key unlink',
  words: `unlink · remove · take · delete · detach · strip | ssh key · key | key from · key off · key not for · key
    no longer used`,
  title: 'Unlink an SSH key',
  summary: 'Unlink a key from servers; it stays in the account',
  examples: ['ssh-key unlink "CI deploy" db-1', 'ssh-key unlink 2 tag:web'],
  risk: 'disruptive',
  execute: ({ id, key }, { provider }) => sent(provider.sshKeys.unlink({ order_id: id, key_pk: key })),
});

function defineLinks(change: Change, own: Pick<Parameters<typeof defineAction<typeof args, LinkStep>>[0], Own>) {
  const { past, title, effect, glance, already, back } = words[change];
  return defineAction({
    ...own,
    args,
    isAccountWide: () => true,
    capability: 'secrets',
    step: linkStep,
    plan: async ({ key: word, servers, parallel }, { reader }) => {
      const key = findSshKey(word, await reader.sshKeys.list());
      const readLink = async (server: Order) => {
        const keys = await keysOfServer(reader, server.id);
        return { server, isLinked: keys?.some(({ id }) => id === key.id) };
      };
      const seen = await Promise.all(servers.map(readLink));
      const unread = seen.filter(({ isLinked }) => isLinked === undefined).map(({ server }) => server.label);
      if (unread.length > 0) {
        const hint = 'Nothing was sent. Try again in a minute.';
        throw unavailable(`The keys of ${firstFew(unread, 6)} could not be read just now.`, hint);
      }
      const changed = seen.filter(({ isLinked }) => isLinked !== (change === 'link')).map(({ server }) => server);
      const same = servers.filter((server) => !changed.includes(server)).map(({ label }) => label);
      const names = namesOf(changed);
      const leftOut = same.length > 0 && changed.length > 0 ? [`${firstFew(same, 6)}: ${already}`] : [];
      return {
        title: title(titleOf(key), names),
        subject: [keySubject(key)],
        targets: servers.map(orderTarget),
        effect: effect(names),
        glance: dotted([describeSshKey(key.key), glance, ...leftOut.map((some) => `left out: ${some}`)]),
        details: [
          ['Running servers', 'Very likely not changed: the list is used when a server is installed.'],
          ...leftOut.map((some) => ['Left out', some] as const),
        ],
        facts: {
          ...keyFacts(key),
          ...Object.fromEntries(seen.map(({ server, isLinked }) => [`linked to ${server.label}`, isLinked === true])),
        },
        steps: changed.map((server) => ({ ...linkOf(change, key, server), label: server.label })),
        parallel,
        nothingToDo: changed.length === 0 ? `${titleOf(key)} is ${already}: ${firstFew(same, 6)}.` : undefined,
      };
    },
    verify: verifyLink,
    done: (steps) => {
      const { title: key, key: id } = steps[0].data;
      const raw = { key: [String(id)], servers: steps.map(({ data }) => data.id) };
      return {
        text: `SSH key ${key} ${past} ${namesOf(steps)}`,
        undo: lineOf({ path: `ssh-key ${back}`, args }, raw),
      };
    },
  });
}

export function linkOf(change: Change, key: ProviderSshKey, server: Order) {
  const title = titleOf(key);
  const data: LinkStep = { id: server.id, name: server.label, change, key: key.id, title };
  return { target: orderTarget(server), label: `${change} ${title}`, data };
}

export function sendLink({ change, id, key }: LinkStep, { provider }: WriteContext<Provider>): Promise<Receipt> {
  return sent((change === 'link' ? provider.sshKeys.link : provider.sshKeys.unlink)({ order_id: id, key_pk: key }));
}

export async function verifyLink({ change, id, name, key, title }: LinkStep, { reader }: CommandContext) {
  const keys = await keysOfServer(reader, id);
  if (keys === undefined) return { is: 'unsure', text: `the keys of ${name} could not be read` } as const;
  const isLinked = keys.some((linked) => linked.id === key);
  return verdictOf(isLinked === (change === 'link'), `${title} is ${isLinked ? '' : 'not '}linked to ${name}`);
}
