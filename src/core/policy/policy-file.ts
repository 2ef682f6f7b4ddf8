import { z } from 'zod';
import type { Target } from '../account/account.ts';
import { plain } from '../view/view.ts';
import { sayUnmeetable } from './approvers.ts';
import { covers, evaluate, type Question } from './evaluate.ts';
import { mayBreakGlass } from './may-break-glass.ts';
import { describeNotice, type Policy, policySchema, type Risk, risks, ruleFor, sayAnswer } from './policy.ts';
import { isGuarded, protectedRule } from './protection.ts';
import { sayRule, sayWaiting } from './say-rule.ts';
import { windowNamed, windowOfRule } from './windows.ts';

/** Policies as a file: channels with their grants and rules, and test cases that must pass before they are applied. */

const caseSchema = z.strictObject({
  person: z.string().regex(/^[UW][A-Z0-9]+$/, 'a Slack user id such as U012AB3CD'),
  /** Assumptions about the person, without a lookup. */
  groups: z.array(z.string()).default([]),
  membership: z.enum(['member', 'guest', 'stranger', 'deactivated']).default('member'),
  channel: z.string(),
  /** A command as typed; `on` describes its target. */
  asks: z.string(),
  on: z
    .strictObject({
      order: z.string().exactOptional(),
      domain: z.string().exactOptional(),
      tags: z.array(z.string()).default([]),
      project: z.string().nullable().default(null),
    })
    .exactOptional(),
  expect: z.union([
    z.literal(['allowed', 'refused', 'needs confirmation', 'breaks the glass']),
    z
      .string()
      .regex(/^needs \d+ approvals?$/, 'allowed, refused, needs confirmation, breaks the glass, or needs 2 approvals'),
  ]),
});

export const policyFileSchema = z.strictObject({
  channels: z.record(z.string().regex(/^[CG][A-Z0-9]+$/, 'a Slack channel id such as C012AB3CD'), policySchema),
  tests: z.array(caseSchema).default([]),
});
export type PolicyFile = z.infer<typeof policyFileSchema>;

/** A typed command, as far as the rules need it. */
export interface CaseRequest {
  readonly command: Pick<Question, 'capability' | 'risk'>;
  readonly window: string | undefined;
  readonly breaksGlass: boolean;
}

/** The result of each test case: `3: U0READER in C0OPS asks "restart web-1": refused (…), expected allowed`. */
export function runCases(file: PolicyFile, read: (line: string) => CaseRequest | undefined, admins: readonly string[]) {
  const patterns = Object.values(file.channels).flatMap(({ pins = [] }) => pins.map(({ target }) => target));
  return file.tests.map(({ person, groups, membership, channel, asks, on, expect }, index) => {
    const asked = read(asks);
    const policy = file.channels[channel];
    const what = `${index + 1}: ${person} in ${channel} asks "${asks}"`;
    if (asked === undefined) return { ok: false, text: `${what}: there is no such command` };
    const { command, window, breaksGlass } = asked;
    if (window !== undefined && windowNamed(policy, window) === undefined)
      return { ok: false, text: `${what}: the channel has no maintenance window ${window}` };
    const { capability, risk } = command;
    const targets = on === undefined ? [] : [targetOf(on)];
    const actor = { id: person, membership, groups, isAdmin: admins.includes(person), isHere: true };
    const decision = evaluate({ actor, channelStanding: 'ok', policy, capability, risk, targets });
    let [actual, hours] = ['refused', ''];
    if (decision.allowed) {
      const isProtected = isGuarded(risk) && targets.some((target) => covers(patterns, target));
      const { rule } = isProtected ? protectedRule(decision) : decision;
      const breaks = mayBreakGlass(policy, actor).ok ? 'breaks the glass' : 'refused';
      if (typeof rule === 'object') actual = breaksGlass ? breaks : sayWaiting(rule);
      else actual = rule === 'none' ? 'allowed' : 'needs confirmation';
      const only = windowOfRule(policy, decision.rule);
      if (only !== undefined) hours = `, only in ${only.name}`;
    }
    const isOk = actual.replace(/s$/, '') === expect.replace(/s$/, '');
    const text = `${what}: ${actual}${hours} (${plain(decision.because)})${isOk ? '' : `, expected ${expect}`}`;
    return { ok: isOk, text };
  });
}

/** Lists the rules that too few people can meet, with the numbers. Members of groups are not known here. */
export function unmeetableRules({ channels }: PolicyFile, admins: readonly string[]): string[] {
  const people = { admins, membersOf: () => undefined, isAble: () => true };
  return Object.entries(channels).flatMap(([channel, { rules, grants, solo }]) =>
    risks.flatMap((risk) => {
      const rule = rules[risk];
      if (typeof rule !== 'object') return [];
      const arithmetic = sayUnmeetable({ rule, isSolo: solo }, grants, people);
      return arithmetic === undefined
        ? []
        : [`${channel}: nobody could meet the rule for ${risk}: ${plain(arithmetic)}`];
    }),
  );
}

function targetOf(on: NonNullable<z.infer<typeof caseSchema>['on']>): Target {
  const kind = on.domain === undefined ? 'order' : 'domain';
  const id = on.domain ?? on.order ?? '';
  return { kind, id, name: id, tags: on.tags, project: on.project };
}

/**
 * Lists gained grants (+), lost grants (−) and changed rules (~), one line each: `C0OPS + group:S0DEV may operate on
 * tag:web`. Only channels of `after`: others stay unchanged.
 */
export function diffPolicies(before: ReadonlyMap<string, Policy>, after: ReadonlyMap<string, Policy>): string[] {
  return [...after.keys()].sort().flatMap((channel) => {
    const [old, next] = [before.get(channel), after.get(channel)];
    const changes = wordsOfParts.flatMap((wordsOf) => {
      const [lost, gained] = [new Set(wordsOf(old)), new Set(wordsOf(next))];
      return [
        ...[...gained.difference(lost)].map((words) => `${channel}  + ${words}`),
        ...[...lost.difference(gained)].map((words) => `${channel}  − ${words}`),
      ];
    });
    return [...changes, ...ruleChanges(channel, old, next)];
  });
}

const wordsOfParts: readonly ((policy: Policy | undefined) => readonly string[])[] = [
  (policy) => {
    const rights = (policy?.grants ?? []).flatMap(({ to, can, on }) =>
      to.flatMap((subject) => can.flatMap((each) => on.map((pattern) => `${subject} may ${each} on ${pattern}`))),
    );
    return rights.sort();
  },
  (policy) => (policy?.pins ?? []).map(({ target, why }) => `pin ${target}: ${why}`),
  (policy) => Object.entries(policy?.windows ?? {}).map(([name, words]) => `maintenance window ${name}: ${words}`),
  (policy) => (policy?.answers ?? []).map(sayAnswer),
];

function ruleChanges(channel: string, before: Policy | undefined, after: Policy | undefined): string[] {
  const settingsOf = (policy: Policy | undefined) => [
    ...risks.map((risk) => [risk, ruleWords(policy, risk)] as const),
    ['solo', policy?.solo ? 'yes' : 'no'] as const,
    ['reads', policy?.reads ?? 'private'] as const,
    ['break glass', policy?.breakGlass?.join(', ') ?? 'nobody'] as const,
  ];
  const old = new Map(settingsOf(before));
  return settingsOf(after)
    .filter(([name, words]) => old.get(name) !== words)
    .map(([name, words]) => `${channel}  ~ ${name}: ${old.get(name)} → ${words}`);
}

function ruleWords(policy: Policy | undefined, risk: Risk): string {
  const rule = ruleFor(policy, risk);
  const by = typeof rule === 'string' ? [] : rule.by;
  const from = ` from ${by.length === 0 ? 'the admins' : [...by, 'an admin'].join(' or ')}`;
  return `${plain(sayRule(rule, from))}${describeNotice(rule)}${policy?.rules[risk] === undefined ? ' (default)' : ''}`;
}

/** True if two policies are equal except for their version, which the store assigns. */
export function isSamePolicy(a: Policy | undefined, b: Policy | undefined): boolean {
  const strip = (policy: Policy | undefined) => JSON.stringify(policy === undefined ? null : { ...policy, version: 0 });
  return strip(a) === strip(b);
}

/**
 * Warns of grants on a tag, a name or a project if a grant to organize covers more than that: its holders decide which
 * targets the pattern covers, in every channel. Each such change needs the approvers of the channel with the grant.
 */
export function policyWarnings(policies: ReadonlyMap<string, Policy>): string[] {
  const grants = [...policies].flatMap(([channel, policy]) => policy.grants.map((grant) => ({ channel, grant })));
  const organizing = grants.filter(({ grant }) => grant.can.includes('organize'));
  return grants.flatMap(({ channel, grant }) => {
    const patterns = grant.on.filter((pattern) => /^(?:tag|order|project|domain tag):/.test(pattern));
    const can = grant.can.filter((capability) => capability !== 'read');
    if (grant.on.includes('all') || patterns.length === 0 || can.length === 0) return [];
    const wider = organizing.filter((other) => !other.grant.on.every((pattern) => grant.on.includes(pattern)));
    if (wider.length === 0) return [];
    const who = [...new Set(wider.map((other) => `${other.grant.to.join(', ')} in ${other.channel}`))];
    const rights = `${grant.to.join(', ')} may ${grant.can.join(', ')} on ${grant.on.join(', ')}`;
    return [
      `${channel}  ! "${rights}" grants on ${patterns.join(', ')}, and ${who.join('; ')} may organize more ` +
        `than that: they decide what it reaches. Each such change asks the approvers of ${channel} first.`,
    ];
  });
}
