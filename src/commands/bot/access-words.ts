import type { BotReader } from '../../core/bot.ts';
import { linesDiff } from '../../core/diff.ts';
import { Refusal } from '../../core/errors.ts';
import { describeSubjects } from '../../core/evaluate.ts';
import { nearest } from '../../core/nearest.ts';
import {
  capabilities,
  defaultRules,
  describeRule,
  type Grant,
  type Grantable,
  type Policy,
  patternSchema,
  type Risk,
  type Rule,
  risks,
  ruleSchema,
  type Subject,
  splitPatterns,
  subjectSchema,
} from '../../core/policy.ts';
import { type DiffLine, plain, type Text, text, type ViewPart } from '../../core/view.ts';
import { oneNamed } from './one-named.ts';

/** A policy in words people read and type. */

/** `everyone`, `@person`, `@group`: as Slack writes what is chosen from its list, or by the name that was typed. */
export async function readSubjects(words: readonly string[], bot: Pick<BotReader, 'named'>): Promise<Subject[]> {
  const given = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  return Promise.all(given.map(async (word) => subjectOf(word, bot)));
}

async function subjectOf(word: string, bot: Pick<BotReader, 'named'>): Promise<Subject> {
  const id = word.replace(/^@/, '');
  if (id.toLowerCase() === 'everyone') return 'everyone';
  const known = subjectSchema.safeParse(`${id.startsWith('S') ? 'group' : 'user'}:${id}`);
  if (known.success) return known.data;
  const { kind, id: found } = await oneNamed(word, bot, 'to');
  return subjectSchema.parse(`${kind === 'group' ? 'group' : 'user'}:${found}`);
}

export function readCapabilities(words: string): Grantable[] {
  return words
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const found = capabilities.find((known) => known === word);
      if (found !== undefined && found !== 'admin') return found;
      const near = nearest(word, capabilities);
      const hint =
        found === 'admin'
          ? 'Admins are named in HOSTLER_ADMINS only.'
          : near
            ? `Did you mean ${near}?`
            : `They are: ${capabilities.filter((c) => c !== 'admin').join(', ')}.`;
      throw new Refusal('bad_value', `\`${word}\` is not a capability that can be granted.`, { hint, field: 'can' });
    });
}

export function readPatterns(words: string | undefined): string[] {
  return splitPatterns(words ?? 'all').map((word) => {
    const parsed = patternSchema.safeParse(word);
    if (parsed.success) return parsed.data;
    throw new Refusal('bad_value', `\`${word}\` names no targets.`, {
      hint: 'Write all, tag:web, order:34-12345, project:Shop, domain:*.example.com or domain tag:prod.',
      field: 'on',
    });
  });
}

export function readRule(words: readonly string[], by: readonly Subject[]): Rule {
  const [kind = '', count = '1', ...rest] = words.map((word) => word.toLowerCase());
  if (kind === 'none' || kind === 'confirm') return kind;
  const parsed = ruleSchema.safeParse({
    approve: Number(count),
    by,
    typed: rest.includes('typed') || count === 'typed',
  });
  if (kind === 'approve' && parsed.success) return parsed.data;
  throw new Refusal('bad_value', `\`${words.join(' ')}\` is not a rule.`, {
    hint: 'Write none, confirm, approve 1, or approve 2 typed; name approvers with by=@group.',
    field: 'rule',
  });
}

export function isSameGrant(a: Grant, b: Grant): boolean {
  const key = (grant: Grant) => JSON.stringify([[...grant.to].sort(), [...grant.can].sort(), [...grant.on].sort()]);
  return key(a) === key(b);
}

/** Renders a policy line by line: to show it, and for the difference between two. */
export function policyLines(policy: Policy): Text[] {
  const grants = policy.grants.map(
    (grant, index): Text =>
      text(`${index + 1}. `, describeSubjects(grant.to), ` may ${grant.can.join(', ')} on ${grant.on.join(', ')}`),
  );
  const rules = risks.map((risk): Text => ruleLine(policy, risk));
  return [
    ...grants,
    ...rules,
    `solo: ${policy.solo ? 'yes, one person may approve their own request here' : 'no'}`,
    `reads: ${policy.reads === 'public' ? 'public, the channel reads the answers' : 'private, only the person who asks reads the answer'}`,
  ];
}

function ruleLine(policy: Policy, risk: Risk): Text {
  const rule = policy.rules[risk] ?? defaultRules[risk];
  const by: Text = typeof rule === 'object' ? text(' by ', describeSubjects(rule.by)) : '';
  return text(`${risk} → ${describeRule(rule)}`, by, policy.rules[risk] === undefined ? ' (default)' : '');
}

export function policyParts(policy: Policy | undefined): ViewPart[] {
  if (policy === undefined) {
    return [
      {
        kind: 'text',
        text: 'This channel has no policy, so nothing is allowed here. An admin starts one with `/host access grant @group read`.',
      },
    ];
  }
  return [
    ...policyLines(policy).map((line): ViewPart => ({ kind: 'text', text: line })),
    { kind: 'context', text: `version ${policy.version}` },
  ];
}

export function policyDiff(before: Policy, after: Policy): DiffLine[] {
  // A grant that only moved up, because one before it went, is no difference.
  const unnumbered = (policy: Policy) => policyLines(policy).map((line) => plain(line).replace(/^\d+\. /, ''));
  return linesDiff(unnumbered(before), unnumbered(after));
}
