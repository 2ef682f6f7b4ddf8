import { capabilities, type Grantable, type Policy, policySchema, type Subject } from '../../core/policy/policy.ts';

/** A choice for a channel's first policy. `/host access` changes it later. */
export interface PolicyPreset {
  readonly title: string;
  /** The title's meaning, for the channel's first message. */
  readonly means: string;
  /** The question for the people or groups of the policy, if it needs any. */
  readonly workers?: string;
  readonly policy: (people: { readonly admins: readonly string[]; readonly workers: readonly Subject[] }) => Policy;
}

const everything = capabilities.filter((capability): capability is Grantable => capability !== 'admin');
const everybodyReads = { to: ['everyone'], can: ['read'] };

export const presets: readonly PolicyPreset[] = [
  {
    title: 'Everybody in the channel may look; nobody changes anything yet',
    means: 'Everybody here may look. An admin grants more with /host access.',
    policy: () => policySchema.parse({ grants: [everybodyReads] }),
  },
  {
    title: 'A team: everybody looks, some work, a second of them approves what is dangerous',
    means: 'Everybody here may look, and some may work. A second of them approves what is dangerous.',
    workers: 'Who works? A user group or people, such as @ops or @you,@lead',
    policy: ({ workers }) =>
      policySchema.parse({
        grants: [everybodyReads, { to: workers, can: everything }],
        rules: {
          dangerous: { approve: 1, by: workers },
          destructive: { approve: 1, by: workers, typed: true, wait: '5m' },
        },
      }),
  },
  {
    title: 'One person: the admins do everything, and confirm it themselves',
    means: 'The admins may do everything, and confirm it themselves.',
    policy: ({ admins }) => {
      const by = admins.map((id) => `user:${id}`);
      return policySchema.parse({
        solo: true,
        grants: [{ to: by, can: everything }],
        rules: { routine: 'none', dangerous: 'confirm', destructive: { approve: 1, by, typed: true, wait: '5m' } },
      });
    },
  },
];
