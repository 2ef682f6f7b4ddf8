import type { Target } from '../account/account.ts';
import { parseSpan } from '../text/words.ts';
import type { RefusalReason } from '../view/errors.ts';
import { joined, type Text, text } from '../view/view.ts';
import { type Actor, type ChannelStanding, isBarred } from './membership.ts';
import { type Capability, type Grant, mentionOf, type Policy, type Risk, type Rule, ruleFor } from './policy.ts';
import { channelWords, denials, membershipWords } from './refusal-words.ts';

export interface Question {
  readonly actor: Actor;
  readonly channelStanding: ChannelStanding;
  readonly policy: Policy | undefined;
  /** `none` is for commands that every member may use, such as help. */
  readonly capability: Capability | 'none';
  readonly risk: Risk;
  readonly targets: readonly Target[];
}

export type Decision =
  | {
      readonly allowed: true;
      /** The sentence that `why` shows: the grant that allows it. */
      readonly because: Text;
      readonly rule: Rule;
      readonly isSolo: boolean;
      readonly policyVersion: number;
    }
  | { readonly allowed: false; readonly reason: RefusalReason; readonly because: Text };

/** The targets on which a person has one capability in a channel. */
export type Rights =
  | { readonly on: 'nothing'; readonly reason: RefusalReason; readonly because: Text }
  | { readonly on: 'all'; readonly because: Text }
  | { readonly on: 'granted'; readonly grants: readonly Grant[] };

/** Decides a question, with the reason. Pure; denies unless a grant allows. */
export function evaluate(question: Question): Decision {
  return evaluateOn(rightsOf(question), question);
}

export function rightsOf({ actor, channelStanding, policy, capability }: Omit<Question, 'risk' | 'targets'>): Rights {
  const no = (reason: RefusalReason, because: Text): Rights => ({ on: 'nothing', reason, because });

  // First, since no admin can change it and no right helps.
  if (channelStanding === 'group_direct') return no('posture', channelWords.group_direct);
  if (isBarred(actor.membership)) return no('posture', membershipWords[actor.membership]);
  const isByName = actor.membership !== 'member';
  const grants = (policy?.grants ?? []).filter(({ to }) =>
    isByName ? to.includes(`user:${actor.id}`) : to.some((subject) => is(subject, actor)),
  );
  if (isByName && grants.length === 0) return no('posture', membershipWords[actor.membership]);

  if (capability === 'none') return { on: 'all', because: 'every member may ask this' };
  // An admin of the configuration must be able to repair a channel in any state; `admin` allows nothing else.
  if (capability === 'admin' && actor.isAdmin && !isByName) {
    return { on: 'all', because: 'you are an admin by configuration' };
  }
  if (channelStanding !== 'ok') return no('posture', channelWords[channelStanding]);
  if (policy === undefined) return no('no_policy', denials.noPolicy);
  if (capability === 'admin') return no('not_admin', denials.notAdmin);

  const capable = grants.filter((grant) => grant.can.includes(capability));
  if (capable.length === 0) {
    const isForEveryone = policy.grants.some(({ to, can }) => to.includes('everyone') && can.includes(capability));
    // Membership of the channel gives guests no rights.
    if (isForEveryone && !isByName && actor.isHere === undefined) return no('posture', denials.notSaidWhetherHere);
    if (isForEveryone && !isByName) return no('not_granted', denials.notHere);
    return no('not_granted', denials.needsCapability(capability, grants));
  }
  return { on: 'granted', grants: capable };
}

export function isCovered(rights: Rights, target: Target): boolean {
  return rights.on === 'all' || (rights.on === 'granted' && rights.grants.some((grant) => covers(grant.on, target)));
}

export function evaluateOn(
  rights: Rights,
  { capability, policy, risk, targets }: Pick<Question, 'capability' | 'policy' | 'risk' | 'targets'>,
  /** The requester may not be allowed to see every name. */
  nameOf: (target: Target) => string = ({ name }) => name,
): Decision {
  if (rights.on === 'nothing') return { allowed: false, reason: rights.reason, because: rights.because };
  const yes = (because: Text): Decision => ({
    allowed: true,
    because,
    rule: ruleFor(policy, risk),
    isSolo: policy?.solo ?? false,
    policyVersion: policy?.version ?? 0,
  });
  if (rights.on === 'all') return yes(rights.because);
  const { grants } = rights;
  const uncovered = targets.find((target) => !isCovered(rights, target));
  if (uncovered !== undefined) {
    const because = denials.needsTarget(capability, grants, nameOf(uncovered));
    return { allowed: false, reason: 'not_granted', because };
  }
  const used = grants.find((grant) => targets.some((target) => covers(grant.on, target)));
  return yes(text('granted to ', describeGrant(used ?? grants[0])));
}

export type MayDecide = { ok: true } | { ok: false; because: Text };

export function mayApprove(rule: Rule, approver: Actor, requester: string, isSolo: boolean): MayDecide {
  // The voter may have been deactivated since; this is checked again when the work starts.
  if (isBarred(approver.membership)) return { ok: false, because: membershipWords[approver.membership] };
  if (typeof rule === 'string') {
    return approver.id === requester ? { ok: true } : { ok: false, because: denials.notRequester };
  }
  if (approver.membership !== 'member' && !rule.by.some((subject) => subject === `user:${approver.id}`)) {
    return { ok: false, because: membershipWords[approver.membership] };
  }
  if (approver.id === requester) {
    if (!isSolo) return { ok: false, because: denials.ownRequest };
    // Solo only allows the requester to approve; approvers named by the rule still decide.
    if (rule.by.length === 0) return { ok: true };
  }
  if (approver.isAdmin || rule.by.some((subject) => is(subject, approver))) return { ok: true };
  return { ok: false, because: denials.notApprover };
}

function is(subject: string, actor: Actor): boolean {
  if (subject === 'everyone') return actor.isHere === true;
  if (subject.startsWith('user:')) return subject === `user:${actor.id}`;
  return actor.groups.includes(subject.slice('group:'.length));
}

export function covers(on: readonly string[], target: Target): boolean {
  return on.some((pattern) => isMatch(pattern, target));
}

/** The ports that a server has to answer again besides the usual ones, and within which time. */
export function answersOf(policy: Policy | undefined, target: Target) {
  const own = (policy?.answers ?? []).filter(({ on }) => covers(on, target));
  const withinMs = own.flatMap(({ within }) => parseSpan(within ?? '') ?? []).at(0);
  return { ports: own.flatMap(({ port }) => port ?? []), withinMs };
}

/** True if one of the grants allows somebody this, so a message of their channel may say it. */
export function letsSomebody(grants: readonly Grant[], capability: Capability, target: Target): boolean {
  return grants.some(({ can, on }) => can.some((granted) => granted === capability) && covers(on, target));
}

export function matchingPatterns(on: readonly string[], target: Target): readonly string[] {
  return on.filter((pattern) => isMatch(pattern, target));
}

function isMatch(pattern: string, target: Target): boolean {
  if (pattern === 'all') return true;
  // Only `all` covers the account itself: a grant on one server is no grant to spend.
  const [kind, glob] = [pattern.slice(0, pattern.indexOf(':')), pattern.slice(pattern.indexOf(':') + 1)];
  if (kind === 'tag') return target.tags.some((tag) => matches(glob, tag));
  if (kind === 'domain tag') return target.kind === 'domain' && target.tags.some((tag) => matches(glob, tag));
  if (kind === 'project') return target.project !== null && matches(glob, target.project);
  if (kind !== target.kind) return false;
  return matches(glob, target.id) || matches(glob, target.name);
}

/** `*` matches anything and `\*` an asterisk. Linear for every pattern. */
export function matches(glob: string, value: string): boolean {
  const parts = glob
    .toLowerCase()
    .split(/(?<!\\)\*/)
    .map((part) => part.replaceAll('\\*', '*'));
  const subject = value.toLowerCase();
  const [first = ''] = parts;
  if (parts.length === 1) return subject === first;
  const last = parts.at(-1) ?? '';
  if (!subject.startsWith(first) || !subject.endsWith(last) || subject.length < first.length + last.length)
    return false;
  let at = first.length;
  const end = subject.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const index = subject.indexOf(part, at);
    if (index < 0 || index + part.length > end) return false;
    at = index + part.length;
  }
  return true;
}

/** The glob that matches only this name. */
export function globOf(name: string): string {
  return name.replaceAll('*', '\\*');
}

export function describeGrant(grant: Grant | undefined): Text {
  if (grant === undefined) return 'no grant';
  const reach = grant.on.map((pattern) => (pattern === 'all' ? 'everything' : pattern));
  return text(describeSubjects(grant.to), `: ${grant.can.join(', ')} on ${reach.join(', ')}`);
}

export function describeSubjects(subjects: readonly string[]): Text {
  if (subjects.length === 0) return 'the admins';
  const each = subjects.map((subject) => (subject === 'everyone' ? subject : mentionOf(subject)));
  return joined(each, ', ');
}
