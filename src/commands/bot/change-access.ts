import { z } from 'zod';
import { channelTarget } from '../../core/account.ts';
import type { ReadContext, WriteContext } from '../../core/command.ts';
import { Refusal } from '../../core/errors.ts';
import { hashOf } from '../../core/json.ts';
import type { Plan, Receipt, Verdict } from '../../core/plan.ts';
import { emptyPolicy, type Policy, policySchema } from '../../core/policy.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { policyDiff } from './access-words.ts';

/** Shared by all changes of a policy: each is shown as a policyDiff, bound to a version, and read back. */

export const policyStep = z.object({ channel: z.string(), before: z.int(), policy: z.json() });
export type PolicyStep = z.infer<typeof policyStep>;

export async function planChange(
  title: string,
  { bot, channel }: ReadContext<Reader>,
  change: (policy: Policy) => Policy,
): Promise<Plan<PolicyStep>> {
  const before = (await bot.policy(channel)) ?? emptyPolicy;
  const after = policySchema.parse(change(before));
  const diff = policyDiff(before, after);
  return {
    title,
    subject: [],
    targets: [channelTarget(channel)],
    effect: 'changes who may do what in this channel, at once',
    details: [],
    diff,
    facts: { 'policy version': before.version, policy: hashOf(JSON.parse(JSON.stringify(before))) },
    steps: [
      {
        target: channelTarget(channel),
        label: '',
        data: { channel, before: before.version, policy: JSON.parse(JSON.stringify(after)) },
      },
    ],
    ...(diff.length === 0 ? { nothingToDo: 'The policy says so already.' } : {}),
  };
}

export async function saveChange(step: PolicyStep, { bot }: WriteContext<Provider>): Promise<Receipt> {
  const isSaved = await bot.savePolicy(step.channel, policySchema.parse(step.policy), step.before);
  if (!isSaved)
    throw new Refusal('changed', 'Somebody else changed this policy a moment ago. Nothing was changed.', {
      hint: 'Look at it with /host access and ask again.',
    });
  return { text: `version ${step.before + 1}`, data: null };
}

export async function verifyChange(step: PolicyStep, { bot }: ReadContext<Reader>): Promise<Verdict> {
  const now = await bot.policy(step.channel);
  const isSo = now !== undefined && now.version > step.before;
  return { is: isSo ? 'so' : 'not', text: `policy version ${now?.version ?? 0}` };
}
