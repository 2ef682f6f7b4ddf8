import { z } from 'zod';
import { accountTarget, liveServers } from '../../core/account/account.ts';
import { describeSshKey, fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { defined } from '../../core/text/defined.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { addAgain, findSshKey, readLinks, sayLinked, sshKeyRemoveArgs, titleOf } from './keys.ts';

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
  plan: async ({ key: word }, { reader, account }) => {
    const [keys, snapshot] = await Promise.all([reader.sshKeys.list(), account()]);
    const key = findSshKey(word, keys);
    const servers = liveServers(snapshot.orders);
    const links = await readLinks(reader, servers);
    const title = titleOf(key);
    return {
      title: `Remove the SSH key ${title}`,
      subject: [[{ bold: title }, ` · ${describeSshKey(key.key)} · key ${key.id}`]],
      targets: [accountTarget],
      effect: 'The key is no longer written to servers that are created or reinstalled.',
      glance: dotted([
        describeSshKey(key.key),
        `linked to ${sayLinked(key.id, servers, links)}`,
        'stays on every machine it was written to',
      ]),
      details: [
        ['Linked to', sayLinked(key.id, servers, links)],
        ['Stays', 'On every machine it was written to. Remove it there from ~/.ssh/authorized_keys.'],
      ],
      facts: { key: key.id, fingerprint: fingerprintOfLine(key.key) ?? key.key.slice(0, 40) },
      steps: [
        {
          target: accountTarget,
          label: title,
          data: { id: key.id, title: key.title, key: key.key, isDefault: key.default === true },
        },
      ],
    };
  },
  execute: async ({ id }, { provider }) => {
    await provider.sshKeys.remove({ key_id: id });
    return { text: '', data: null };
  },
  verify: async ({ id }, { reader }) => {
    const isThere = (await reader.sshKeys.list()).some((key) => key.id === id);
    return { is: isThere ? 'not' : 'so', text: `the key is ${isThere ? 'still' : 'no longer'} in the account` };
  },
  done: ([step]) => {
    if (step === undefined) return { text: 'SSH key removed' };
    const undo = addAgain(step.data);
    return {
      text: `SSH key ${step.data.title || step.data.id} removed`,
      ...defined({ undo }),
    };
  },
});
