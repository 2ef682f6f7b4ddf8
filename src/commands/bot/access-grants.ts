import { type ArgMap, integer, optional, type ValuesOf } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { patterns, patternWord } from '../../core/command/patterns.ts';
import { checks, subjects } from '../../core/command/several.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { capabilityWords, type Grant, grantable, type Policy, subjectId } from '../../core/policy/policy.ts';
import { notFound } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { isSameGrant, readCapabilities, readSubjects } from './access-words.ts';
import { type Change, planChange, policyChange, previewLines } from './change-access.ts';

const grantArgs = {
  to: subjects({
    place: 'word',
    label: 'People',
    hint: 'People, user groups or everyone. Typed: everyone, @person or @group, with commas between.',
    most: 20,
  }),
  can: checks({
    label: 'May',
    hint: grantable.join(', '),
    example: 'read, operate',
    most: grantable.length,
    options: grantable.map((value) => ({ value, label: value, description: capabilityWords[value] })),
  }),
  on: optional({
    ...patterns({
      source: 'access-targets',
      place: 'option',
      hint: 'Everything unless you choose something. Typed: all, tag:web, order:34-*, project:Shop, domain:*.example.com or domain tag:prod.',
      example: 'tag:web',
      most: 20,
    }),
    after: ['on', 'to', 'for'],
    takes: ([word = '']: readonly string[]) => (/^all$|:/.test(word) ? 1 : 0),
  }),
} satisfies ArgMap;

const grantNumber = integer({ label: 'Grant', hint: 'Its number in /host access.', min: 1, max: 1_000 });
const changeArgs = { grant: grantNumber, ...grantArgs } satisfies ArgMap;

async function readGrant({ to, can, on }: ValuesOf<typeof grantArgs>, { bot }: ReadContext): Promise<Grant> {
  return { to: await readSubjects(to, bot), can: readCapabilities(can), on: [...(on ?? ['all'])] };
}

function replaced(policy: Policy, number: number, by: readonly Grant[]): Policy {
  const show = { label: 'Show the grants', command: 'access' };
  if (policy.grants[number - 1] === undefined)
    throw notFound(`There is no grant ${number} here.`, 'The numbers are in /host access.', 'grant', show);
  return { ...policy, grants: policy.grants.flatMap((existing, index) => (index === number - 1 ? by : [existing])) };
}

/** Shares one change of the policy between the form's preview and the plan. */
function changing<Args>(title: string, changeOf: (args: Args, context: ReadContext) => Change | Promise<Change>) {
  return {
    preview: async (args: Args, context: ReadContext) => previewLines(await changeOf(args, context), context),
    plan: async (args: Args, context: ReadContext) => planChange(title, context, await changeOf(args, context)),
  };
}

export const accessGrant = defineAction({
  ...policyChange,
  path: 'access grant',
  words: `grant · give · allow · let · invite · add · authorize · get | access · right · permission · capability ·
    role | give access · should be able to · everybody can read · everyone can read`,
  title: 'Give access',
  summary: 'Let people or groups do something here',
  examples: ['access grant everyone read', 'access grant everyone "read, operate" on=tag:web'],
  args: grantArgs,
  fillIn: (raw, { bot }) => withIds(raw, bot),
  ...changing('Give access here', async (args: ValuesOf<typeof grantArgs>, context) => {
    const grant = await readGrant(args, context);
    return (policy) =>
      policy.grants.some((existing) => isSameGrant(existing, grant))
        ? policy
        : { ...policy, grants: [...policy.grants, grant] };
  }),
  done: () => ({ text: 'The rights are granted' }),
});

export const accessChange = defineAction({
  ...policyChange,
  path: 'access change',
  words: 'change · raise · lower · narrow | grant',
  isBehind: true,
  title: 'Change access',
  summary: 'Change the people, capabilities or targets of a grant',
  examples: ['access change 1 everyone read', 'access change 2 everyone "read, operate" on=tag:web'],
  args: changeArgs,
  fillIn: async (raw, { bot, channel }) => {
    const current = (await bot.policy(channel))?.grants[Number(raw.grant?.[0]) - 1];
    if (current === undefined) return withIds(raw, bot);
    const { to, can, on } = current;
    return { to: to.map(wordFor), can, on: on.map(patternWord), ...(await withIds(raw, bot)) };
  },
  ...changing('Change access here', async ({ grant, ...args }: ValuesOf<typeof changeArgs>, context) => {
    const next = await readGrant(args, context);
    return (policy) => replaced(policy, grant, [next]);
  }),
  done: () => ({ text: 'The grant is changed' }),
});

export const accessRevoke = defineAction({
  ...policyChange,
  path: 'access revoke',
  words: `revoke · undo · take away · withdraw · remove · delete · strip | access · right · permission · grant ·
    capability · rolebinding | revoke operate · revoke dns · revoke read · take dns away · take operate away ·
    take away from · undo grant · kick out of · must not have · should not have`,
  isBehind: true,
  title: 'Remove access',
  summary: 'Remove a grant',
  examples: ['access revoke 1', 'access revoke grant=2'],
  args: { grant: grantNumber },
  ...changing(
    'Remove access here',
    ({ grant }: { readonly grant: number }) =>
      (policy) =>
        replaced(policy, grant, []),
  ),
  done: () => ({ text: 'The grant is removed' }),
});

/** Replaces typed names by ids for the form's pickers; an unknown name is refused on submission. */
async function withIds(raw: RawArgs, bot: ReadContext['bot']): Promise<RawArgs> {
  if (raw.to === undefined) return raw;
  const subjects = await readSubjects(raw.to, bot).catch(() => undefined);
  return subjects === undefined ? raw : { ...raw, to: subjects.map(wordFor) };
}

function wordFor(subject: string): string {
  return subject === 'everyone' ? subject : `@${subjectId(subject)}`;
}
