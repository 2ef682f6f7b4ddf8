import { z } from 'zod';
import { accountTarget, liveServers } from '../../core/account/account.ts';
import { describeSshKey, fingerprintOfLine } from '../../core/account/ssh-key.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { count } from '../../core/text/words.ts';
import { dotted, fieldsWith } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { sent, verdictOf } from '../outcome.ts';
import {
  addAgain,
  keyFacts,
  keySubject,
  keyWithLinks,
  readLinks,
  sshKeyAddArgs,
  sshKeyRemoveArgs,
  titleOf,
} from './keys.ts';

/** `ssh-key add` and `ssh-key remove`: the keys of the account. */

const step = z.object({
  key: z.string(),
  title: z.string(),
  isDefault: z.boolean(),
  fingerprint: z.string(),
});
type AddStep = z.infer<typeof step>;

export const sshKeyAdd = defineAction({
  path: 'ssh-key add',
  title: 'Add an SSH key',
  summary: 'Add an SSH key to the account, which links it to all servers',
  examples: [
    'ssh-key add "Ada laptop" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh ada@laptop',
    'ssh-key add deploy ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh --default',
  ],
  args: sshKeyAddArgs,
  isAccountWide: () => true,
  capability: 'secrets',
  risk: 'dangerous',
  step,
  plan: async ({ title, key, default: isDefault }, { reader, account }) => {
    const [keys, snapshot] = await Promise.all([reader.sshKeys.list(), account()]);
    const servers = liveServers(snapshot.orders);
    const same = keys.find((other) => fingerprintOfLine(other.key) === key.fingerprint);
    const isTwin = keys.some((other) => other.title.toLowerCase() === title.toLowerCase());
    const details = fieldsWith([
      ['Default', isDefault ? 'Yes, it is offered for new servers.' : 'No'],
      ['Same title', isTwin ? `Another key is called ${title}, too.` : ''],
      ['Written', 'Only when a server is created or reinstalled. Running servers are not changed.'],
    ]);
    return {
      title: `Add the SSH key ${title}`,
      subject: [
        [
          { bold: title },
          ` · ${key.type}, ${key.bits} bits · ${key.fingerprint}${key.comment === '' ? '' : ` · ${key.comment}`}`,
        ],
      ],
      effect: `The provider links the key to all ${count(servers.length, 'server')} of the account. Anybody who holds it can log in to each of them once it is installed again.`,
      glance: dotted([
        `${key.type} · ${key.fingerprint}`,
        isDefault ? 'a default key' : '',
        isTwin ? `another key is called ${title}, too` : '',
        `opens all ${count(servers.length, 'server')}, each after its next installation`,
      ]),
      details,
      facts: { fingerprint: key.fingerprint, servers: servers.map(({ id }) => id).toSorted() },
      steps: [
        {
          target: accountTarget,
          label: title,
          data: { key: key.line, title, isDefault, fingerprint: key.fingerprint },
        },
      ],
      ...(same === undefined
        ? {}
        : { nothingToDo: `This key is in the account already, as ${titleOf(same)} (key ${same.id}).` }),
    };
  },
  execute: async ({ key, title, isDefault }, { provider }) => {
    const { id } = await provider.sshKeys.add({ key, title, default: isDefault });
    return { text: `key ${id}`, data: { id } };
  },
  verify: isAdded,
  done: ([{ data }]) => ({
    text: `SSH key ${data.title} added`,
    undo: lineOf({ path: 'ssh-key remove', args: sshKeyRemoveArgs }, { key: [data.fingerprint] }),
  }),
});

/** Also reads the servers' own lists: it is not fully documented how an account key reaches them. */
async function isAdded({ fingerprint }: AddStep, { reader, account }: ReadContext<Reader>): Promise<Verdict> {
  const match = (await reader.sshKeys.list()).find((key) => fingerprintOfLine(key.key) === fingerprint);
  if (match === undefined) return { is: 'not', text: `${fingerprint} is not among the keys of the account` };
  const links = await readLinks(reader, liveServers((await account()).orders));
  const linked = [...links.values()].filter((keys) => keys.some(({ id }) => id === match.id)).length;
  return {
    is: 'so',
    text: `key ${match.id} is in the account; linked to ${linked} of the ${count(links.size, 'server')} read`,
  };
}

export const sshKeyRemove = defineAction({
  path: 'ssh-key remove',
  title: 'Remove an SSH key',
  summary: 'Remove an SSH key from the account and from the lists of its servers',
  examples: ['ssh-key remove "Old workstation"', 'ssh-key remove 3'],
  args: sshKeyRemoveArgs,
  isAccountWide: () => true,
  capability: 'secrets',
  risk: 'dangerous',
  step: z.object({ id: z.int(), title: z.string(), key: z.string(), isDefault: z.boolean() }),
  plan: async ({ key: word }, context) => {
    const { key, title, linkedTo } = await keyWithLinks(word, context, (servers) => servers);
    return {
      title: `Remove the SSH key ${title}`,
      subject: [keySubject(key)],
      effect: 'The key is no longer written to servers that are created or reinstalled.',
      glance: dotted([describeSshKey(key.key), `linked to ${linkedTo}`, 'stays on every machine it was written to']),
      details: [
        ['Linked to', linkedTo],
        ['Stays', 'On every machine it was written to. Remove it there from ~/.ssh/authorized_keys.'],
      ],
      facts: keyFacts(key),
      steps: [
        {
          target: accountTarget,
          label: title,
          data: { id: key.id, title: key.title, key: key.key, isDefault: key.default === true },
        },
      ],
    };
  },
  execute: ({ id }, { provider }) => sent(provider.sshKeys.remove({ key_id: id })),
  verify: async ({ id }, { reader }) => {
    const isGone = (await reader.sshKeys.list()).every((key) => key.id !== id);
    return verdictOf(isGone, 'the key is no longer in the account', 'the key is still in the account');
  },
  done: ([{ data }]) => ({ text: `SSH key ${data.title || data.id} removed`, ...defined({ undo: addAgain(data) }) }),
});
