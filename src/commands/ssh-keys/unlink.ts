import { defineAction } from '../define.ts';
import { endOfLinks, linkArgs, linkStep, planLinks, verifyLink } from './links.ts';

export const sshKeyUnlink = defineAction({
  path: 'ssh-key unlink',
  title: 'Unlink an SSH key',
  summary: 'Unlink a key from servers; it stays in the account',
  examples: ['ssh-key unlink "CI deploy" db-1', 'ssh-key unlink 2 tag:web'],
  args: linkArgs,
  isAccountWide: () => true,
  capability: 'secrets',
  risk: 'disruptive',
  step: linkStep,
  plan: (chosen, context) => planLinks({ ...chosen, verb: 'unlink' }, context),
  execute: async ({ id, key }, { provider }) => {
    await provider.sshKeys.unlink({ order_id: id, key_pk: key });
    return { text: '', data: null };
  },
  verify: verifyLink(false),
  done: endOfLinks('unlink'),
});
