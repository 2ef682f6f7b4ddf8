import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { person } from '../../core/command/slack-args.ts';
import type { Text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { keyArg } from './args.ts';
import { findSshKey, titleOf } from './keys.ts';

export const sshKeyOwner = defineAction({
  path: 'ssh-key owner',
  title: 'Record a key owner',
  summary: 'Record the owner of a key; an alert names the key when the owner is deactivated',
  examples: ['ssh-key owner "Ada laptop" @U012AB3CD', 'ssh-key owner 2 person=@U012AB3CD'],
  args: { key: keyArg, person: person({ hint: 'The owner of the key.' }) },
  isAccountWide: () => true,
  capability: 'secrets',
  risk: 'routine',
  step: z.object({ fingerprint: z.string(), title: z.string(), owner: z.string() }),
  plan: async ({ key: word, person: owner }, { reader, bot }) => {
    const [keys, owners] = await Promise.all([reader.sshKeys.list(), bot.sshKeyOwners()]);
    const key = findSshKey(word, keys);
    const title = titleOf(key);
    const fingerprint = fingerprintOfLine(key.key) ?? `key ${key.id}`;
    const before = owners.get(fingerprint);
    const previous: Text = before === undefined ? 'Nobody' : [{ user: before }];
    return {
      title: `Record the owner of the SSH key ${title}`,
      subject: [[{ bold: title }, ` · ${fingerprint} · key ${key.id}`]],
      targets: [accountTarget],
      effect: 'Only the bot stores this. Nothing is sent to the provider.',
      details: [
        ['Belongs to', [{ user: owner }]],
        ['So far', previous],
      ],
      facts: { fingerprint, owner: before ?? null },
      steps: [{ target: accountTarget, label: title, data: { fingerprint, title, owner } }],
      ...(before === owner ? { nothingToDo: 'It is recorded as theirs already.' } : {}),
    };
  },
  execute: async ({ fingerprint, owner }, { bot }) => {
    await bot.setSshKeyOwner(fingerprint, owner);
    return { text: '', data: null };
  },
  verify: async ({ fingerprint, owner }, { bot }) => {
    const isSo = (await bot.sshKeyOwners()).get(fingerprint) === owner;
    return { is: isSo ? 'so' : 'not', text: isSo ? 'the owner is recorded' : 'the owner is not recorded' };
  },
  done: ([step]) => ({ text: `The owner of the SSH key ${step?.data.title ?? ''} is recorded` }),
});
