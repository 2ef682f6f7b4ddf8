import { defineAction } from '../define.ts';
import { endOfLinks, linkArgs, linkStep, planLinks, verifyLink } from './links.ts';

export const sshKeyLink = defineAction({
  path: 'ssh-key link',
  title: 'Link an SSH key',
  summary: 'Link a key of the account to servers, for their next installation',
  examples: ['ssh-key link "CI deploy" db-1', 'ssh-key link 2 tag:web'],
  args: linkArgs,
  isAccountWide: () => true,
  capability: 'secrets',
  risk: 'dangerous',
  step: linkStep,
  plan: (chosen, context) => planLinks({ ...chosen, verb: 'link' }, context),
  execute: async ({ id, key }, { provider }) => {
    await provider.sshKeys.link({ order_id: id, key_pk: key });
    return { text: '', data: null };
  },
  verify: verifyLink(true),
  done: endOfLinks('link'),
});
