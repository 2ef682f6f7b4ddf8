import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import type { ReadContext, WriteContext } from '../../core/command/command.ts';
import type { Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { emptyPolicy, type Policy, policySchema } from '../../core/policy/policy.ts';
import { rightsGained } from '../../core/policy/rights-change.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { changeLines, warningsOf } from './rights-preview.ts';

/** Parts of all changes of a policy: each shows the new rights, is bound to a version, and is read back. */

const policyStep = z.object({ channel: z.string(), before: z.int(), policy: z.json() });
type PolicyStep = z.infer<typeof policyStep>;

export async function planChange(
  title: string,
  { bot, channel }: ReadContext<Reader>,
  change: (policy: Policy) => Policy,
  doubts: readonly Text[] = [],
): Promise<Plan<PolicyStep>> {
  const before = (await bot.policy(channel)) ?? emptyPolicy;
  const after = policySchema.parse(change(before));
  const lines = changeLines(before, after);
  const warnings = [...doubts, ...(await warningsOf(rightsGained(before, after), { bot, channel }))];
  return {
    title,
    subject: lines,
    targets: [channelTarget(channel)],
    effect: 'Changes at once who may do what in this channel.',
    details: [],
    facts: { 'policy version': before.version },
    steps: [
      {
        target: channelTarget(channel),
        label: '',
        data: { channel, before: before.version, policy: JSON.parse(JSON.stringify(after)) },
      },
    ],
    // A warning on the card without a higher risk: an organization with one admin has no other approver.
    ...(warnings.length === 0
      ? {}
      : { raised: { risk: 'routine', why: warnings.reduce((all, each) => text(all, ' ', each)) } }),
    ...(lines.length === 0 ? { nothingToDo: 'The rights are like this already. Nothing was changed.' } : {}),
  };
}

async function saveChange(step: PolicyStep, { bot }: WriteContext<Provider>): Promise<Receipt> {
  const isSaved = await bot.savePolicy(step.channel, policySchema.parse(step.policy), step.before);
  if (!isSaved)
    throw new Refusal('changed', 'Somebody else changed this policy a moment ago. Nothing was changed.', {
      hint: 'Check it with /host access and try again.',
    });
  return { text: `version ${step.before + 1}`, data: null };
}

async function verifyChange(step: PolicyStep, { bot }: ReadContext<Reader>): Promise<Verdict> {
  const now = await bot.policy(step.channel);
  const isSo = now !== undefined && now.version > step.before;
  return { is: isSo ? 'so' : 'not', text: isSo ? '' : 'the rights are not saved' };
}

export const policyChange = {
  capability: 'admin',
  isAboutChannel: true,
  risk: 'routine',
  step: policyStep,
  execute: saveChange,
  verify: verifyChange,
} as const;
