import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import { postureSchema } from '../../core/command/bot-port.ts';
import { impossible, Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';

export const accessConfirm = defineAction({
  path: 'access confirm',
  words: 'confirm | access · policy · grant',
  isBehind: true,
  title: 'Confirm the permissions',
  summary: 'Confirm the permissions of a channel that became shared or public',
  capability: 'admin',
  isAboutChannel: true,
  risk: 'routine',
  step: z.object({ channel: z.string(), shown: postureSchema }),
  plan: async (_, { channel, bot }) => {
    const shown = await bot.posture(channel);
    const { isShared, isPrivate, teams } = shown;
    if (isShared && teams.length === 0) {
      const hint = 'Its rights cannot be confirmed: share it anew, and the organization that joins is noted.';
      throw impossible('Slack does not name the organizations of this channel.', hint);
    }
    const visible = isPrivate ? 'private' : 'public';
    const connected = teams.length === 0 ? '' : ` (${teams.join(', ')})`;
    const shared = isShared ? `shared with another organization${connected}` : 'not shared';
    return {
      title: 'Confirm the rights of this channel',
      effect: 'The permissions apply to the channel as it is now, with everybody who can be in it.',
      details: [['The channel', `${visible}, ${shared}`]],
      facts: {
        'policy version': (await bot.policy(channel))?.version ?? 0,
        channel: visible,
        shared: isShared,
        'other organizations': teams,
      },
      steps: [{ target: channelTarget(channel), data: { channel, shown } }],
    };
  },
  execute: async ({ channel, shown }, { bot }) => {
    if (await bot.confirmChannel(channel, shown)) return { text: '', data: null };
    throw new Refusal('changed', 'The channel changed since the card was shown.', { hint: 'Ask again.' });
  },
  verify: async () => ({ is: 'so', text: 'the rights are confirmed' }),
  done: () => ({ text: 'The rights of this channel are confirmed' }),
});
