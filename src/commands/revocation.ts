import { z } from 'zod';
import { channelTarget } from '../core/account/account.ts';
import type { HookInfo } from '../core/alert/alert.ts';
import type { ReadContext, WriteContext } from '../core/command/command.ts';
import { sent, verdictOf } from './define.ts';

/** The parts that the revocations of hooks, of tokens and of addresses of events have in common. */
export function revocation(kinds: readonly HookInfo['kind'][]) {
  const here = ({ bot }: Pick<ReadContext, 'bot'>, channel: string) => bot.alerts.hooks(channel, kinds);
  return {
    step: z.object({ channel: z.string(), id: z.string() }),
    execute: ({ id }: { readonly id: string }, { bot }: Pick<WriteContext, 'bot'>) => sent(bot.alerts.revokeHook(id)),
    verify: async ({ channel, id }: Record<'channel' | 'id', string>, context: Pick<ReadContext, 'bot'>) =>
      verdictOf(!(await here(context, channel)).some((hook) => hook.id === id), '', 'it is still in use'),
    /** The hook with this id or name. */
    find: async (wanted: string, context: Pick<ReadContext, 'bot' | 'channel'>) => {
      const word = wanted.trim().toLowerCase();
      return (await here(context, context.channel)).find(({ id, name }) => id === word || name.toLowerCase() === word);
    },
    plan: ({ id, name, channel }: HookInfo) => ({
      facts: { id },
      steps: [{ target: channelTarget(channel), label: name, data: { channel, id } }],
    }),
  };
}
