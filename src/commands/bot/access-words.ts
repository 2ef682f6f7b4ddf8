import type { BotReader } from '../../core/command/bot-port.ts';
import { describeSubjects } from '../../core/policy/evaluate.ts';
import {
  type ApproverNotice,
  describeNotice,
  type Grant,
  type Grantable,
  grantable,
  type Policy,
  type Risk,
  type Rule,
  risks,
  ruleFor,
  ruleSchema,
  type Subject,
  sayAnswer,
  subjectSchema,
} from '../../core/policy/policy.ts';
import { sayRuleFrom } from '../../core/policy/say-rule.ts';
import { defined } from '../../core/text/defined.ts';
import { nearestOr } from '../../core/text/words.ts';
import { badValue } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import { oneNamed } from './one-named.ts';

/** Parses `everyone`, `@person` and `@group`, chosen from Slack's list or typed by name. */
export async function readSubjects(words: readonly string[], bot: Pick<BotReader, 'named'>, field = 'to') {
  const names = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  return Promise.all(names.map(async (word) => subjectOf(word, bot, field)));
}

async function subjectOf(word: string, bot: Pick<BotReader, 'named'>, field: string): Promise<Subject> {
  const id = word.replace(/^@/, '');
  if (id.toLowerCase() === 'everyone') return 'everyone';
  const parsed = subjectSchema.safeParse(`${id.startsWith('S') ? 'group' : 'user'}:${id}`);
  if (parsed.success) return parsed.data;
  const { kind, id: namedId } = await oneNamed(word, bot, field);
  return subjectSchema.parse(`${kind === 'group' ? 'group' : 'user'}:${namedId}`);
}

/** `read access` is `read`. */
const wordsForRights: ReadonlySet<string> = new Set(['access', 'right', 'rights', 'permission', 'permissions']);

export function readCapabilities(words: readonly string[]): Grantable[] {
  const named = words.filter((word) => !wordsForRights.has(word.toLowerCase()));
  return (named.length === 0 ? words : named).map((word) => {
    const wanted = word.toLowerCase();
    const capability = grantable.find((candidate) => candidate === wanted);
    if (capability !== undefined) return capability;
    const near = nearestOr(`They are: ${grantable.join(', ')}.`, wanted, grantable);
    const hint = wanted === 'admin' ? 'Admins are named in HOSTLER_ADMINS only.' : near;
    throw badValue(`\`${word}\` is not a capability that can be granted.`, hint, 'can');
  });
}

/** A rule as the bot itself says it: `2 approvals, with the name typed` is `approve 2 typed`. */
function asTyped(words: readonly string[]): readonly string[] {
  const line = words.join(' ').toLowerCase();
  const untimed = line.endsWith(' to stop it') ? (line.split(', then ')[0] ?? line) : line;
  const command = untimed.replace(/, at most [^,]+ late$/, '').replace(/, only in [a-z0-9-]+$/, '');
  if (command === 'no confirmation') return ['none'];
  if (/^(?:(?:one|1) )?confirmation$/.test(command)) return ['confirm'];
  const [, before, number, typed, behind] =
    /^(a reason and )?(one|\d+) approvals?((?:,? with| and) the name typed| typed)?(,? with (?:a )?reason| reason)?$/.exec(
      command,
    ) ??
    /^()approvals?[= ](\d+)( typed)?( reason)?$/.exec(command) ??
    [];
  const hasReason = (before ?? '') !== '' || behind !== undefined;
  if (number === undefined) return words;
  return [
    'approve',
    number === 'one' ? '1' : number,
    ...(typed === undefined ? [] : ['typed']),
    ...(hasReason ? ['reason'] : []),
  ];
}

export function readRule(
  typed: readonly string[],
  by: readonly Subject[],
  { notify, ...hours }: Record<'wait' | 'window' | 'grace', string | undefined> & { notify: ApproverNotice },
): Rule {
  const words = asTyped(typed);
  const [kind = '', count = '1', ...rest] = words.map((word) => word.toLowerCase());
  if ((kind === 'none' || kind === 'confirm') && words.length === 1) {
    if (notify === 'mention') return kind;
    throw onlyForApprovals(`With the rule \`${kind}\` there are no approvers to notify.`, '`notify`', 'notify');
  }
  const parsed = ruleSchema.safeParse({
    approve: Number(count),
    by,
    typed: rest.includes('typed') || count === 'typed',
    ...(rest.includes('reason') ? { reason: true } : {}),
    ...(notify === 'mention' ? {} : { notify }),
    ...defined(hours),
  });
  // A word that is passed over may have been meant: `notify dm` without its equals sign.
  const isWhole = rest.every((word) => word === 'typed' || word === 'reason');
  if (kind === 'approve' && isWhole && parsed.success) return parsed.data;
  const hint =
    'Write none, confirm, approve 1, or approve 2 typed reason; name approvers with by=@group, and how they are notified with notify=dm.';
  throw badValue(`\`${words.join(' ')}\` is not a rule.`, hint, 'rule');
}

/** Refuses a setting of a rule that needs no approval. */
export function onlyForApprovals(text: string, setting: string, field: string) {
  return badValue(text, `Leave ${setting} out, or let somebody approve: \`approve 1\`.`, field);
}

export function isSameGrant(a: Grant, b: Grant): boolean {
  const key = (grant: Grant) => JSON.stringify([[...grant.to].sort(), [...grant.can].sort(), [...grant.on].sort()]);
  return key(a) === key(b);
}

/** The settings of a policy beside its grants, in words. */
export function ruleFields(policy: Policy): (readonly [string, Text])[] {
  return [
    ...risks.map((risk) => [risk, text(sayRuleOf(policy, risk), policy.rules[risk] ? '' : ' (default)')] as const),
    ['solo', policy.solo ? 'yes, one person may approve their own request here' : 'no'],
    ['break glass', sayGlass(policy)],
    ...Object.entries(policy.windows ?? {}).map(
      ([name, words]) => [`maintenance window ${name}`, [{ code: words }]] as const,
    ),
    ...(policy.answers ?? []).map((answer) => ['after a change', sayAnswer(answer)] as const),
    [
      'reads',
      policy.reads === 'public'
        ? 'public, the channel reads the answers'
        : 'private, only the person who asks reads the answer',
    ],
  ];
}

export function sayRuleOf(policy: Policy, risk: Risk): Text {
  const rule = ruleFor(policy, risk);
  return text(sayRuleFrom(rule), describeNotice(rule));
}

export function sayGlass({ breakGlass }: Policy): Text {
  return breakGlass === undefined ? 'nobody' : describeSubjects(breakGlass);
}
