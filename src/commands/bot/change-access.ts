import { z } from 'zod';
import { channelTarget, type Target } from '../../core/account/account.ts';
import type { ReadContext, WriteContext } from '../../core/command/command.ts';
import { describeGrant, describeSubjects } from '../../core/policy/evaluate.ts';
import type { Membership } from '../../core/policy/membership.ts';
import { capabilityWords, emptyPolicy, type Policy, policySchema, risks, subjectId } from '../../core/policy/policy.ts';
import { reachOf, rightsGained } from '../../core/policy/rights-change.ts';
import { windowNamed, windowNames } from '../../core/policy/windows.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text } from '../../core/view/view.ts';
import { verdictOf } from '../define.ts';
import { sayGlass, sayRuleOf } from './access-words.ts';

/** Parts of all changes of a policy: each shows the new rights, is bound to a version, and is read back. */

const policyStep = z.object({ channel: z.string(), before: z.int(), policy: z.json() });
type PolicyStep = z.infer<typeof policyStep>;

export type Change = (policy: Policy) => Policy;

export async function policyHere({ bot, channel }: ReadContext): Promise<Policy> {
  return (await bot.policy(channel)) ?? emptyPolicy;
}

export async function planChange(title: string, context: ReadContext, change: Change, doubts: readonly Text[] = []) {
  const { channel } = context;
  const before = await policyHere(context);
  const after = policySchema.parse(change(before));
  const data = { channel, before: before.version, policy: JSON.parse(JSON.stringify(after)) };
  const lines = changeLines(before, after);
  const warnings = [...doubts, ...(await warningsOf(rightsGained(before, after), context))];
  return {
    title,
    subject: lines,
    effect: 'Changes at once who may do what in this channel.',
    facts: { 'policy version': before.version },
    steps: [{ target: channelTarget(channel), data }],
    // A warning on the card without a higher risk: an organization with one admin has no other approver.
    ...(warnings.length === 0
      ? {}
      : { raised: { risk: 'routine' as const, why: warnings.reduce((all, each) => text(all, ' ', each)) } }),
    nothingToDo: lines.length === 0 ? 'The rights are like this already. Nothing was changed.' : undefined,
  };
}

export const policyChange = {
  capability: 'admin',
  isAboutChannel: true,
  risk: 'routine',
  step: policyStep,
  execute: async ({ channel, before, policy }: PolicyStep, { bot }: WriteContext) => {
    if (await bot.savePolicy(channel, policySchema.parse(policy), before))
      return { text: `version ${before + 1}`, data: null };
    throw new Refusal('changed', 'Somebody else changed this policy a moment ago. Nothing was changed.', {
      hint: 'Check it with /host access and try again.',
    });
  },
  verify: async ({ channel, before }: PolicyStep, { bot }: ReadContext) => {
    const version = (await bot.policy(channel))?.version ?? 0;
    return verdictOf(version > before, '', 'the rights are not saved');
  },
  done: () => ({ text: 'It holds from now on' }),
} as const;

/** The lines of the card, which the channel reads: only patterns, without names of targets. */
function changeLines(before: Policy, after: Policy): Text[] {
  const changed = (label: string, say: (policy: Policy) => Text) => {
    const [was, is] = [say(before), say(after)];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [text(`${label}: `, was, ' → ', is)];
  };
  const windows = new Set([before, after].flatMap(windowNames));
  const readers = after.reads === 'public' ? 'The channel reads' : 'Only the person who asks reads';
  return [
    ...rightsGained(before, after).map((grant) => text('Becomes possible: ', describeGrant(grant))),
    ...rightsGained(after, before).map((grant) => text('No longer possible: ', describeGrant(grant))),
    ...risks.flatMap((risk) => changed(`Rule for ${risk}`, (policy) => sayRuleOf(policy, risk))),
    ...[...windows].flatMap((name) =>
      changed(`Maintenance window “${name}”`, (policy) => [{ code: windowNamed(policy, name)?.words ?? 'none' }]),
    ),
    ...(before.solo === after.solo ? [] : [`${after.solo ? 'One person' : 'Nobody'} may approve their own request.`]),
    ...changed('May break the glass', sayGlass),
    ...(before.reads === after.reads ? [] : [`${readers} the answer to a typed read.`]),
  ];
}

/** The lines of an admin's form, with the meaning of each capability and the present targets of each pattern. */
export async function previewLines(change: Change, context: ReadContext): Promise<Text[]> {
  const before = await policyHere(context);
  const after = change(before);
  const gained = rightsGained(before, after);
  const lost = rightsGained(after, before);
  if (gained.length + lost.length === 0) return ['Nothing changes: these rights are there already.'];
  const account = await context.account().catch(() => undefined);
  const inWords = (grants: Policy['grants']) =>
    grants.map(({ to, can, on }) => {
      const rights = can.map((capability) => `${capability} (${capabilityWords[capability]})`).join(', ');
      const mayRead = (target: Target) => context.may('read', target);
      const reach = account === undefined ? '' : sayReach(reachOf(on, account), mayRead);
      return text('• ', describeSubjects(to), `: ${rights} on `, { code: on.join(', ') }, reach);
    });
  return [
    ...(gained.length === 0 ? [] : [[{ bold: 'Becomes possible' }], ...inWords(gained)]),
    ...(lost.length === 0 ? [] : [[{ bold: 'No longer possible' }], ...inWords(lost)]),
    ...(await warningsOf(gained, context)).map((warning): Text => text(`${signs.warning} `, warning)),
  ];
}

/** ` (now web-1, web-2 and 3 more)`: names of targets that this person may read, and the number of the others. */
function sayReach(reached: readonly Target[], mayRead: (target: Target) => boolean): string {
  if (reached.length === 0) return ' (reaches nothing now)';
  const names = reached.filter(mayRead).map(({ name }) => name);
  return names.length < reached.length ? ` (now ${count(reached.length, 'target')})` : ` (now ${firstFew(names, 5)})`;
}

const membershipWarnings: Partial<Readonly<Record<Membership, string>>> = {
  stranger: ' is from another organization.',
  guest: ' is a guest in this workspace.',
  deactivated: ' is deactivated, and may do nothing.',
};

/** Warnings about people from outside the organization who get rights. */
async function warningsOf(grants: Policy['grants'], { bot, channel }: ReadContext): Promise<Text[]> {
  const subjects = [...new Set(grants.flatMap(({ to }) => to))];
  const users = subjects.filter((subject) => subject.startsWith('user:')).map(subjectId);
  const named = await Promise.all(
    users.map(async (user) => {
      const warning = membershipWarnings[await bot.membership(user)];
      return warning === undefined ? [] : [text({ user }, warning)];
    }),
  );
  const isShared = subjects.includes('everyone') && (await bot.posture(channel).catch(() => undefined))?.isShared;
  const shared =
    'This channel is shared with another organization: "everyone" means all members of your own who are in it.';
  return [...named.flat(), ...(isShared ? [shared] : [])];
}
