import { z } from 'zod';
import { day, hour, minute, parseSpan, second } from '../text/words.ts';
import { readWindow } from '../time/weekly.ts';
import type { Span } from '../view/view.ts';

/** The capabilities that a policy can grant, described for people who choose or approve one. */
export const capabilityWords = {
  read: 'see servers, domains, projects and DNS',
  billing: 'see the balance, invoices and prices',
  operate: 'start, stop, restart and rescue servers',
  dns: 'change DNS records and domains',
  organize: 'change names, tags and projects',
  destroy: 'cancel, delete and reinstall',
  secrets: 'see root passwords and set SSH keys',
  spend: 'order servers and what else is billed',
  tickets: 'open tickets with the provider',
} as const;
export type Grantable = keyof typeof capabilityWords;
export const grantable = Object.keys(capabilityWords) as readonly Grantable[];

/** Admins are named in the configuration. */
export const capabilities = [...grantable, 'admin'] as const;
export type Capability = (typeof capabilities)[number];

/** The risk of a command, independent of the requester. */
export const risks = ['safe', 'routine', 'disruptive', 'dangerous', 'destructive'] as const;
export type Risk = (typeof risks)[number];

const userId = z.string().regex(/^[UW][A-Z0-9]+$/);
const groupId = z.string().regex(/^S[A-Z0-9]+$/);

const named = [z.templateLiteral(['user:', userId]), z.templateLiteral(['group:', groupId])] as const;
const namedSubjectSchema = z.union(named, 'user:U012AB3CD or group:S012AB3CD');

/** `everyone`, `user:U…` or `group:S…`. */
export const subjectSchema = z.union([z.literal('everyone'), ...named], 'everyone, user:U012AB3CD or group:S012AB3CD');
export type Subject = z.infer<typeof subjectSchema>;

export function subjectId(subject: string): string {
  return subject.slice(subject.indexOf(':') + 1);
}

export function mentionOf(subject: string): Span {
  return subject.startsWith('user:') ? { user: subjectId(subject) } : { group: subjectId(subject) };
}

/**
 * `all`, or a kind with a pattern in which `*` matches anything: `tag:web*`, `order:34-12345`, `domain:*.example.com`.
 * `\*` matches an asterisk. `tag:` covers all targets with the tag, `domain tag:` only domains.
 */
export const patternSchema = z
  .string()
  .regex(
    /^(all|(order|tag|project|domain|domain tag):.+)$/,
    'all, order:…, tag:…, project:…, domain:… or domain tag:…, with * for anything',
  );

const grantSchema = z.strictObject({
  to: z.array(subjectSchema).min(1),
  can: z.array(z.enum(grantable)).min(1),
  on: z.array(patternSchema).min(1).default(['all']),
});
export type Grant = z.infer<typeof grantSchema>;

/** How approvers are notified: a mention, then a direct message if no one votes; a direct message at once; nothing. */
export const approverNotices = ['mention', 'dm', 'none'] as const;
export type ApproverNotice = (typeof approverNotices)[number];

/** A span such as `15m`. */
const waitSchema = z
  .string()
  .regex(/^(\d{1,5}[smhd]){1,3}$/, 'a time such as 15m')
  .refine((span) => (parseSpan(span) ?? Number.POSITIVE_INFINITY) <= day, 'at most 24h');

const spanSchema = (leastMs: number, mostMs: number, words: string) =>
  z.string().refine((span) => {
    const ms = parseSpan(span) ?? 0;
    return ms >= leastMs && ms <= mostMs;
  }, words);

const graceSchema = spanSchema(minute, 12 * hour, 'a time from 1m to 12h, such as 30m');
/** How long a server is waited for until it answers again. */
export const withinSchema = spanSchema(30 * second, hour, 'a time from 30s to 1h, such as 5m');

/** `typed` requires an approver to type the target's name as well. */
export const approvalSchema = z.strictObject({
  approve: z.int().min(1).max(10),
  /** Named people or groups; membership of the channel is never authority. If empty, the admins approve. */
  by: z.array(namedSubjectSchema).default([]),
  typed: z.boolean().default(false),
  /** Whether a request has to say why it is made. */
  reason: z.boolean().exactOptional(),
  /** Defaults to `mention`. */
  notify: z.enum(approverNotices).exactOptional(),
  /** The countdown before an approved request destroys something, in which it can be stopped. */
  wait: waitSchema.exactOptional(),
  /** The maintenance window of the policy outside of which nothing under this rule begins. */
  window: z.string().exactOptional(),
  /** The longest delay after its hour with which a scheduled request begins by itself. */
  grace: graceSchema.exactOptional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** The decision needed before a request runs. */
export const ruleSchema = z.union([z.literal('none'), z.literal('confirm'), approvalSchema]);
export type Rule = z.infer<typeof ruleSchema>;

export const defaultRules: Readonly<Record<Risk, Rule>> = {
  safe: 'none',
  routine: 'confirm',
  disruptive: 'confirm',
  dangerous: { approve: 1, by: [], typed: false },
  destructive: { approve: 1, by: [], typed: true, wait: '5m' },
};

/** One order or domain, with `*` for anything. An order's id stays when its name changes. */
const protectionSchema = z.strictObject({
  target: z
    .string()
    .max(200)
    .regex(/^(order|domain):.+$/, 'order:… or domain:…'),
  why: z.string().trim().min(1).max(200, 'at most 200 characters'),
});

const windowWordsSchema = z
  .string()
  .max(100)
  .superRefine((words, { addIssue }) => {
    const read = readWindow(words);
    if (!read.ok) addIssue({ code: 'custom', message: `${read.why} Write it like ${read.instead.join(', ')}.` });
  });

/** `none` is no name: it removes one. */
export const windowNameSchema = z
  .string()
  .regex(/^(?!none$)[a-z][a-z0-9-]{0,30}$/, 'a name in lower case such as maintenance');
const mostWindows = 20;

/** Maintenance windows by name: `maintenance: "sun 02:00-05:00 Europe/Berlin"`. */
const windowsSchema = z
  .record(windowNameSchema, windowWordsSchema)
  .refine((windows) => Object.keys(windows).length <= mostWindows, `at most ${mostWindows} maintenance windows`);

const answerSchema = z
  .strictObject({
    on: z.array(patternSchema).min(1),
    port: z.int().min(1).max(65_535).exactOptional(),
    within: withinSchema.exactOptional(),
  })
  .refine(({ port, within }) => port !== undefined || within !== undefined, 'a port, a time `within`, or both');

const policyFieldsSchema = z.strictObject({
  version: z.int().min(0).default(0),
  grants: z.array(grantSchema).default([]),
  rules: z.partialRecord(z.enum(risks), ruleSchema).default({}),
  /** Requesters may approve their own requests; every such card and the audit show it. */
  solo: z.boolean().default(false),
  /** Whether the whole channel sees responses to typed reads, or only the requester. Defaults to `private`. */
  reads: z.enum(['private', 'public']).exactOptional(),
  /** Protected targets; they are removed in the policy file only. A protection holds in every channel. */
  pins: z.array(protectionSchema).max(200).exactOptional(),
  windows: windowsSchema.exactOptional(),
  /** A port that servers have to answer again after a change, besides the usual ones, and within which time. */
  answers: z.array(answerSchema).max(20).exactOptional(),
  /** The people and groups who may run one request without its approvals. */
  breakGlass: z.array(namedSubjectSchema).min(1).max(20).exactOptional(),
});

/** A rule may only require a maintenance window that the policy names: with another one, nothing could ever begin. */
export const policySchema = policyFieldsSchema.superRefine(({ rules, windows = {} }, { addIssue }) => {
  for (const [risk, rule] of Object.entries(rules)) {
    if (typeof rule !== 'object' || rule.window === undefined || Object.hasOwn(windows, rule.window)) continue;
    addIssue({ code: 'custom', path: ['rules', risk, 'window'], message: sayUnnamed(rule.window, windows) });
  }
});
export type Policy = z.infer<typeof policySchema>;

/** `tag:db: answers again on port 5432, within 10m` */
export function sayAnswer({ on, port, within }: NonNullable<Policy['answers']>[number]): string {
  const words = [
    ...(port === undefined ? [] : [`on port ${port}`]),
    ...(within === undefined ? [] : [`within ${within}`]),
  ];
  return `${on.join(', ')}: answers again ${words.join(', ')}`;
}

/** `windows` has no nightly; it has maintenance */
export function sayUnnamed(name: string, windows: Readonly<Record<string, string>>): string {
  const names = Object.keys(windows);
  return `\`windows\` of the policy has no ${name}${names.length === 0 ? '' : `, only ${names.join(', ')}`}`;
}

export const emptyPolicy: Policy = { version: 0, grants: [], rules: {}, solo: false };

export function ruleFor(policy: Policy | undefined, risk: Risk): Rule {
  return policy?.rules[risk] ?? defaultRules[risk];
}

export function namedIn(policy: Policy, kind: 'user' | 'group'): string[] {
  const approvers = Object.values(policy.rules).flatMap((rule) => (typeof rule === 'object' ? rule.by : []));
  const subjects = [...policy.grants.flatMap((grant) => grant.to), ...(policy.breakGlass ?? []), ...approvers];
  return [...new Set(subjects.filter((subject) => subject.startsWith(`${kind}:`)).map(subjectId))];
}

export function waitMsOf(rule: Rule): number {
  return typeof rule === 'object' && rule.wait !== undefined ? (parseSpan(rule.wait) ?? 0) : 0;
}

export function graceMsOf(rule: Rule): number | undefined {
  return typeof rule === 'object' && rule.grace !== undefined ? parseSpan(rule.grace) : undefined;
}

export function noticeOf(rule: Rule): ApproverNotice {
  return (typeof rule === 'object' ? rule.notify : undefined) ?? 'mention';
}

const noticeWords: Readonly<Record<ApproverNotice, string>> = {
  mention: '',
  dm: ', notified by direct message',
  none: ', not notified',
};

/** Follows the names of the approvers; empty for a mention, the default. */
export function describeNotice(rule: Rule): string {
  return noticeWords[noticeOf(rule)];
}

/** The higher risk: a plan may raise its command's risk, never lower it. */
export function higherRisk(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}

/** The next higher risk; `destructive` is the highest. */
export function nextRisk(risk: Risk): Risk {
  return risks[risks.indexOf(risk) + 1] ?? risk;
}
