import { z } from 'zod';
import { accountTarget, liveServers, orderTarget } from '../../core/account/account.ts';
import { describeSshKey, fingerprintOfLine, readSshKey } from '../../core/account/ssh-key.ts';
import { optional, order } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { defined } from '../../core/text/defined.ts';
import { byNumbers, count, list } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { buttonRow, dangerButton, dotted, fieldsPart, formButton, offered, runButton } from '../../core/view/view.ts';
import type { ProviderSshKey } from '../../provider/endpoints/account.ts';
import type { CommandContext } from '../define.ts';
import { channelRead, defineAction, defineList, defineQuery, made, sent, verdictOf } from '../define.ts';
import { leftOutItems } from '../left-out.ts';
import { serversOf } from '../servers/see-servers.ts';
import { addAgain, keyArg, keyFacts, keySubject, keyWithLinks, readLinks, sshKeyAddArgs, titleOf } from './keys.ts';

/** `ssh-key add` and `ssh-key remove`: the keys of the account. */

const args = { key: { ...keyArg, place: 'rest' } } as const;

const change = { isAccountWide: () => true, capability: 'secrets', risk: 'dangerous' } as const;

export const sshKeyAdd = defineAction({
  ...change,
  path: 'ssh-key add',
  words: `add · create · put · upload · new · register | ssh key · key · public key · pubkey | add key · add ssh key ·
    new key`,
  title: 'Add an SSH key',
  summary: 'Add an SSH key to the account, which links it to all servers',
  examples: [
    'ssh-key add "Ada laptop" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh ada@laptop',
    'ssh-key add deploy ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh --default',
  ],
  args: sshKeyAddArgs,
  step: z.object({ key: z.string(), title: z.string(), isDefault: z.boolean(), fingerprint: z.string() }),
  plan: async ({ title, key, default: isDefault }, { reader, account }) => {
    const [keys, snapshot] = await Promise.all([reader.sshKeys.list(), account()]);
    const servers = liveServers(snapshot.orders);
    const same = keys.find((other) => fingerprintOfLine(other.key) === key.fingerprint);
    const isTwin = keys.some((other) => other.title.toLowerCase() === title.toLowerCase());
    const comment = key.comment === '' ? '' : ` · ${key.comment}`;
    const data = { key: key.line, title, isDefault, fingerprint: key.fingerprint };
    return {
      title: `Add the SSH key ${title}`,
      subject: [[{ bold: title }, ` · ${key.type}, ${key.bits} bits · ${key.fingerprint}${comment}`]],
      effect: `The provider links the key to all ${count(servers.length, 'server')} of the account. Anybody who holds it can log in to each of them once it is installed again.`,
      glance: dotted([
        `${key.type} · ${key.fingerprint}`,
        isDefault ? 'a default key' : '',
        isTwin ? `another key is called ${title}, too` : '',
        `opens all ${count(servers.length, 'server')}, each after its next installation`,
      ]),
      details: [
        ['Default', isDefault ? 'Yes, it is offered for new servers.' : 'No'],
        ['Same title', isTwin ? `Another key is called ${title}, too.` : ''],
        ['Written', 'Only when a server is created or reinstalled. Running servers are not changed.'],
      ],
      facts: { fingerprint: key.fingerprint, servers: servers.map(({ id }) => id).toSorted() },
      steps: [{ target: accountTarget, label: title, data }],
      nothingToDo: same && `This key is in the account already, as ${titleOf(same)} (key ${same.id}).`,
    };
  },
  execute: ({ key, title, isDefault }, { provider }) =>
    made('key', provider.sshKeys.add({ key, title, default: isDefault })),
  // Also reads the servers' own lists: it is not fully documented how an account key reaches them.
  verify: async ({ fingerprint }, { reader, account }) => {
    const match = (await reader.sshKeys.list()).find((key) => fingerprintOfLine(key.key) === fingerprint);
    if (match === undefined) return { is: 'not', text: `${fingerprint} is not among the keys of the account` };
    const links = await readLinks(reader, liveServers((await account()).orders));
    const linked = [...links.values()].filter((keys) => keys.some(({ id }) => id === match.id)).length;
    return {
      is: 'so',
      text: `key ${match.id} is in the account; linked to ${linked} of the ${count(links.size, 'server')} read`,
    };
  },
  done: ([{ data }]) => ({
    text: `SSH key ${data.title} added`,
    undo: lineOf({ path: 'ssh-key remove', args }, { key: [data.fingerprint] }),
  }),
});

export const sshKeyRemove = defineAction({
  ...change,
  path: 'ssh-key remove',
  words: 'remove · delete · kill · purge · revoke · throw out · get rid of · erase | ssh key · key · public key |',
  title: 'Remove an SSH key',
  summary: 'Remove an SSH key from the account and from the lists of its servers',
  examples: ['ssh-key remove "Old workstation"', 'ssh-key remove 3'],
  args,
  step: z.object({ id: z.int(), title: z.string(), key: z.string(), isDefault: z.boolean() }),
  plan: async ({ key: word }, context) => {
    const { key, title, linkedTo } = await keyWithLinks(word, context);
    const data = { id: key.id, title: key.title, key: key.key, isDefault: key.default === true };
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
      steps: [{ target: accountTarget, label: title, data }],
    };
  },
  execute: ({ id }, { provider }) => sent(provider.sshKeys.remove({ key_id: id })),
  verify: async ({ id }, { reader }) => {
    const isGone = (await reader.sshKeys.list()).every((key) => key.id !== id);
    return verdictOf(isGone, 'the key is no longer in the account', 'the key is still in the account');
  },
  done: ([{ data }]) => ({ text: `SSH key ${data.title || data.id} removed`, ...defined({ undo: addAgain(data) }) }),
});

export const sshKeyList = defineList({
  path: 'ssh-key list',
  words: `| ssh key · key · key pair · public key · key ssh · pubkey | which key · what key · whose key · see all key ·
    key linked · describe key`,
  title: 'SSH keys',
  summary: 'List the SSH keys of the account, or those linked to a server',
  examples: ['ssh-key list', 'ssh-key list web-1'],
  args: { server: optional(order({ hint: 'A server. Without it, all keys of the account.', example: 'web-1' })) },
  isAccountWide: ({ server }) => server === undefined,
  ...channelRead,
  list: async ({ server }, context, show) => {
    const { reader, may } = context;
    const keys = await (server === undefined
      ? reader.sshKeys.list()
      : reader.sshKeys.ofServer({ order_id: server.id }));
    const odd = leftOutItems(keys.unreadable, 'SSH key');
    const cell = server === undefined ? await linkedTo(context) : ({ id }: ProviderSshKey) => String(id);
    const none = server === undefined ? 'The account has no SSH keys.' : `No SSH key is linked to ${server.label}.`;
    const text =
      'These keys are written to the server when it is installed the next time; which it holds now cannot be read.';
    return show({
      all: keys.toSorted((a, b) => byNumbers(titleOf(a), titleOf(b))),
      columns: [{ name: 'Title' }, { name: 'Fingerprint' }, { name: server === undefined ? 'Linked to' : 'Id' }],
      row: (key) => [
        `${titleOf(key)}${key.default === true ? ' · default' : ''}`,
        [{ code: fingerprintOfLine(key.key) ?? 'cannot be read' }],
        cell(key),
      ],
      none: odd.length > 0 ? 'No SSH key could be read.' : none,
      total: count(keys.length, 'SSH key'),
      above: odd,
      showOne: (key) => runButton(titleOf(key), `ssh-key show ${key.id}`),
      buttons: offered([
        [server === undefined && may('secrets', accountTarget), formButton('Add a key…', 'ssh-key add')],
        [server === undefined && may('secrets', accountTarget), formButton('Remove a key…', 'ssh-key remove')],
        [server !== undefined && may('secrets', orderTarget(server)), formButton('Link a key…', 'ssh-key link')],
      ]),
      after: server === undefined ? [] : [{ kind: 'context', text }],
    });
  },
});

/** `2 of 14 servers` */
async function linkedTo(context: CommandContext): Promise<(key: ProviderSshKey) => string> {
  const servers = serversOf(liveServers((await context.account()).orders), context.may);
  const links = await readLinks(context.reader, servers);
  const uses = (id: number) => [...links.values()].filter((linked) => linked.some((key) => key.id === id)).length;
  return ({ id }) => `${uses(id)} of ${count(links.size, 'server')}`;
}

export const sshKeyShow = defineQuery({
  path: 'ssh-key show',
  words: '| ssh key · key',
  title: 'Show an SSH key',
  summary: 'Show one SSH key by its fingerprint, and the servers it is linked to',
  examples: ['ssh-key show "Ada laptop"', 'ssh-key show 2'],
  args,
  isAccountWide: () => true,
  ...channelRead,
  run: async ({ key: word }, context) => {
    const { key, keys, title, linkedTo } = await keyWithLinks(word, context, context.may);
    const fingerprint = fingerprintOfLine(key.key);
    const twins = keys.filter((other) => other.id !== key.id && fingerprintOfLine(other.key) === fingerprint);
    const reading = readSshKey(key.key);
    const mayRemove = context.may('secrets', accountTarget);
    const remove = dangerButton('Remove…', `ssh-key remove key=${key.id}`);
    return {
      summary: `SSH key ${title}`,
      parts: [
        { kind: 'heading', text: title, aside: `key ${key.id}` },
        ...fieldsPart([
          ['Type', 'key' in reading ? `${reading.key.type}, ${reading.key.bits} bits` : reading.problem],
          ['Fingerprint', fingerprint === undefined ? 'Cannot be read' : [{ code: fingerprint }]],
          ['Comment', key.key.trim().split(/\s+/).slice(2).join(' ') || 'None'],
          ['Added', sayDay(key.date)],
          ['Default', key.default === null ? 'Unknown' : key.default ? 'Yes' : 'No'],
          ['Linked to', linkedTo],
          ['The same key', list(twins.map(titleOf))],
        ]),
        ...buttonRow([runButton('All keys', 'ssh-key list'), ...(mayRemove ? [remove] : [])]),
      ],
    };
  },
});
