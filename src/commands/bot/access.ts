import { z } from 'zod';
import { channelTarget } from '../../core/account.ts';
import { choice, flag, integer, optional, text, words } from '../../core/args.ts';
import { Refusal } from '../../core/errors.ts';
import { capabilities, risks } from '../../core/policy.ts';
import { formButton } from '../buttons.ts';
import { defineAction, defineQuery } from '../define.ts';
import { isSameGrant, policyParts, readCapabilities, readPatterns, readRule, readSubjects } from './access-words.ts';
import { planChange, policyStep, saveChange, verifyChange } from './change-access.ts';

export const access = defineQuery({
  path: 'access',
  summary: 'Who may do what in this channel',
  examples: ['access', 'access'],
  args: {},
  capability: 'none',
  isAboutChannel: true,
  visibility: 'person',
  run: async (_, { bot, channel }) => {
    const policy = await bot.policy(channel);
    const buttons = bot.isAdmin
      ? [
          formButton('Grant…', 'access grant'),
          formButton('Revoke…', 'access revoke'),
          formButton('Rule…', 'access rule'),
          formButton('Reads…', 'access reads'),
        ]
      : [];
    return {
      summary: policy === undefined ? 'No policy here.' : `The policy of this channel, version ${policy.version}`,
      parts: [
        { kind: 'heading', text: 'Who may do what here' },
        ...policyParts(policy),
        ...(buttons.length === 0 ? [] : [{ kind: 'buttons', buttons } as const]),
      ],
    };
  },
});

const common = {
  capability: 'admin',
  isAboutChannel: true,
  risk: 'routine',
  step: policyStep,
  execute: saveChange,
  verify: verifyChange,
} as const;

export const accessGrant = defineAction({
  ...common,
  path: 'access grant',
  summary: 'Let people or groups do something here',
  examples: ['access grant everyone read', 'access grant everyone "read, operate" on=tag:web'],
  args: {
    to: words({
      place: 'word',
      hint: 'everyone, @person or @group; several with commas',
      most: 20,
      schema: z.string(),
    }),
    can: text({
      place: 'rest',
      hint: capabilities.filter((capability) => capability !== 'admin').join(', '),
      example: 'read, operate',
    }),
    on: optional(
      text({
        place: 'option',
        hint: 'all, tag:web, order:34-*, project:Shop, domain:*.example.com, domain tag:prod',
        example: 'tag:web',
      }),
    ),
  },
  plan: async ({ to, can, on }, context) => {
    const grant = { to: await readSubjects(to, context.bot), can: readCapabilities(can), on: readPatterns(on) };
    return planChange('Grant rights here', context, (policy) =>
      policy.grants.some((known) => isSameGrant(known, grant))
        ? policy
        : { ...policy, grants: [...policy.grants, grant] },
    );
  },
  done: () => ({ text: 'The rights are granted' }),
});

export const accessRevoke = defineAction({
  ...common,
  path: 'access revoke',
  summary: 'Take a grant back',
  examples: ['access revoke 1', 'access revoke grant=2'],
  args: { grant: integer({ hint: 'its number in /host access', min: 1, max: 1_000 }) },
  plan: async ({ grant }, context) => {
    const policy = await context.bot.policy(context.channel);
    if (policy?.grants[grant - 1] === undefined) {
      throw new Refusal('not_found', `There is no grant ${grant} here.`, {
        hint: 'See the numbers in /host access.',
        field: 'grant',
      });
    }
    return planChange('Take a grant back', context, (before) => ({
      ...before,
      grants: before.grants.filter((_, index) => index !== grant - 1),
    }));
  },
  done: () => ({ text: 'The grant is taken back' }),
});

export const accessRule = defineAction({
  ...common,
  path: 'access rule',
  summary: 'What a risk needs before it runs: nothing, a confirmation, or approvals',
  examples: ['access rule dangerous approve 2', 'access rule disruptive confirm'],
  args: {
    risk: choice({ of: risks, hint: 'safe, routine, disruptive, dangerous or destructive' }),
    rule: text({ place: 'rest', hint: 'none, confirm, approve 1, or approve 2 typed', example: 'approve 1' }),
    by: optional(text({ place: 'option', hint: 'who may approve: @person or @group, several with commas' })),
  },
  plan: async ({ risk, rule, by }, context) => {
    const approvers = await readSubjects(by === undefined ? [] : [by], context.bot);
    if (approvers.includes('everyone')) {
      throw new Refusal(
        'bad_value',
        'Being in a channel is no authority to approve: `everyone` cannot be an approver.',
        {
          hint: 'Name people or user groups; without `by` the admins approve.',
          field: 'by',
        },
      );
    }
    const next = readRule(
      rule.split(/\s+/),
      approvers.filter((one) => one !== 'everyone'),
    );
    return planChange(`Rule for ${risk}`, context, (policy) => ({
      ...policy,
      rules: { ...policy.rules, [risk]: next },
    }));
  },
  done: () => ({ text: 'The rule is set' }),
});

export const accessSolo = defineAction({
  ...common,
  path: 'access solo',
  summary: 'Whether one person may approve their own request here',
  examples: ['access solo --on', 'access solo'],
  args: { on: flag({ hint: 'on for teams of one; every card says so' }) },
  plan: ({ on }, context) => planChange(on ? 'Solo on' : 'Solo off', context, (policy) => ({ ...policy, solo: on })),
  done: () => ({ text: 'Set' }),
});

export const accessReads = defineAction({
  ...common,
  path: 'access reads',
  summary: 'Whether the whole channel reads the answer to a typed read',
  examples: ['access reads public', 'access reads private'],
  args: {
    reads: choice({ of: ['private', 'public'], hint: 'private: only the person who asks; public: the channel' }),
  },
  plan: ({ reads }, context) =>
    planChange(`Answer reads in ${reads === 'public' ? 'public' : 'private'}`, context, ({ reads: _, ...policy }) =>
      reads === 'public' ? { ...policy, reads } : policy,
    ),
  done: () => ({ text: 'Set' }),
});

export const accessConfirm = defineAction({
  path: 'access confirm',
  summary: 'Say that the rights hold although the channel is shared or public now',
  examples: ['access confirm', 'access confirm'],
  args: {},
  capability: 'admin',
  isAboutChannel: true,
  risk: 'routine',
  step: z.object({
    channel: z.string(),
    shown: z.object({ isShared: z.boolean(), isPrivate: z.boolean(), teams: z.array(z.string()) }),
  }),
  plan: async (_, { channel, bot }) => {
    const { isShared, isPrivate, teams } = await bot.posture(channel);
    const visible = isPrivate ? 'private' : 'public';
    const connected = teams.length === 0 ? '' : ` (${teams.join(', ')})`;
    const shared = isShared ? `shared with another organization${connected}` : 'not shared';
    return {
      title: 'Confirm the rights of this channel',
      subject: [],
      targets: [channelTarget(channel)],
      effect: 'the policy holds for the channel as it is now, with everybody who can be in it',
      details: [['The channel', `${visible}, ${shared}`]],
      facts: {
        'policy version': (await bot.policy(channel))?.version ?? 0,
        channel: visible,
        shared: isShared,
        teams: [...teams],
      },
      steps: [
        {
          target: channelTarget(channel),
          label: '',
          data: { channel, shown: { isShared, isPrivate, teams: [...teams] } },
        },
      ],
    };
  },
  execute: async ({ channel, shown }, { bot }) => {
    if (!(await bot.confirmChannel(channel, shown)))
      throw new Refusal('changed', 'The channel is not what was shown on the card.', { hint: 'Ask again.' });
    return { text: '', data: null };
  },
  verify: async () => ({ is: 'so', text: 'confirmed' }),
  done: () => ({ text: 'The rights of this channel are confirmed' }),
});
