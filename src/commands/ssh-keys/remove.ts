import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { describeSshKey } from '../../core/account/ssh-key.ts';
import { defined } from '../../core/text/defined.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { sent, verdictOf } from '../outcome.ts';
import { addAgain, keyFacts, keySubject, keyWithLinks, sshKeyRemoveArgs } from './keys.ts';

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
