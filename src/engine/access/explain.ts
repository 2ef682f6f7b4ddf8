import type { Order, Target } from '../../core/account/account.ts';
import { domainTarget, emptyAccount, mayReadAll, orderTarget } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { parse } from '../../core/grammar/parse.ts';
import { covers, describeSubjects } from '../../core/policy/evaluate.ts';
import type { Capability, Policy, Risk, Rule } from '../../core/policy/policy.ts';
import { capabilities, capabilityWords, ruleFor, waitMsOf } from '../../core/policy/policy.ts';
import { isGuarded } from '../../core/policy/protection.ts';
import { sayRuleOfRisk } from '../../core/policy/say-rule.ts';
import { spanAt, windowOfRule } from '../../core/policy/windows.ts';
import { nounOf, type Reading, resolveDomain, resolveOrders } from '../../core/targets/targets.ts';
import { list, sayDuration, sentenceStart } from '../../core/text/words.ts';
import { notFound, Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import type { Text, View, ViewPart } from '../../core/view/view.ts';
import { buttonRow, fieldsPart, notice, runButton, says, text } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import { type AnyCommand, isPlan } from '../context/dependencies.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import { allowedNames } from './allowed-names.ts';
import { frozenBy, sayFrozen } from './frozen.ts';
import { type ProtectedTarget, protectionsToShow } from './protections.ts';
import { nameOr } from './say-names.ts';

/**
 * `/host why restart web-1`: shows the deciding grant and rule, or the missing one. Runs nothing. `about`: the other
 * person, if the question is about one.
 */
export async function explain(context: EngineContext, line: string, asking: Access, about?: string): Promise<View> {
  const access = about === undefined ? asking : await context.accessOf(about, asking.channel);
  const asked = await readAsked(context, line, asking);
  if (asked === undefined) {
    return { ...says(['Name a command: ', { code: '/host why restart web-1' }, '.']), summary: 'Which command?' };
  }
  const { command, targets, what } = asked;
  // A response about another person names the targets, so the reader must be allowed to read them.
  if (about !== undefined && !mayReadAll(targets, asking))
    throw new Refusal('not_granted', 'You may ask this only about what you may read here.');
  const decision = access.decide(command.capability, command.risk, targets);
  // The reason of a freeze may name tags that this person may not read.
  const isAllowedAction = command.kind === 'action' && decision.allowed;
  const frozen = isAllowedAction ? await frozenBy(context, access.channel, targets) : undefined;
  const protections = isAllowedAction ? await protectionsToShow(context, targets) : [];
  const who = about === undefined ? 'You' : await nameOr(context.directory.person(about), 'This person');
  const heading = `${who} ${decision.allowed ? 'may use' : 'may not use'} ${what} here${frozen === undefined ? '' : ', but not now'}`;
  const confirms = about === undefined ? 'you confirm' : 'they confirm';
  const solo = isAllowedAction && decision.isSolo ? ', by the person who asked as well (solo)' : '';
  const fields = fieldsPart([
    ['Why', sentenceStartOf(about === undefined ? decision.because : aboutAnother(decision.because))],
    ['Needs', sayNeeds(command.capability)],
    ['Risk', command.risk],
    ['Rule', isAllowedAction ? text(sayRuleOfRisk(command.risk, decision.rule, confirms), solo) : ''],
    ['Policy', access.policy === undefined ? 'none in this channel' : `version ${access.policy.version}`],
    ...(isAllowedAction ? hourFields(decision.rule, access.policy, context.now()) : []),
    ['Pinned', protections.length === 0 ? '' : protectionWords(protections, command.risk)],
    ['Frozen', frozen && sayFrozen(frozen)],
  ]);
  const parts: ViewPart[] = [{ kind: 'heading', text: heading }, ...fields];
  if (!asked.hasTargets)
    parts.push({ kind: 'context', text: 'Name the target as well to see whether a grant covers it.' });
  return { summary: `${heading}.`, parts };
}

/** The command of a line and its targets among those that this person may read; undefined for an empty line. */
async function readAsked(context: EngineContext, line: string, access: Access) {
  const parsed = parse(line, context.commands, domainsOf(context));
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind === 'menu') return undefined;
  const { command, raw } = parsed;
  if (isPlan(command))
    throw new Refusal('impossible', 'A plan has the rights and the rules of its lines.', {
      hint: 'Ask about one of them, as in `/host why restart web-1`.',
    });
  const hasTargets = Object.entries(command.args).every(([name, arg]) => arg.optional || raw[name] !== undefined);
  const targets = hasTargets ? await targetsIn(context, command, raw, access) : [];
  const what = `/host ${command.path} ${allowedNames(access, targets, parsed)}`.trim();
  return { command, what, hasTargets, targets };
}

/** The targets of a complete line. */
export async function targetsIn(context: EngineContext, command: AnyCommand, raw: RawArgs, { may }: Access) {
  const account = command.needsAccount ? await context.accountReader.read({ staleOk: true }) : emptyAccount;
  return command.prepare(raw, { account, maySee: (target) => may('read', target) }).targets;
}

/** The countdown of the rule, and the maintenance window outside of which it does not begin. */
function hourFields(rule: Rule, policy: Policy | undefined, now: number): [string, Text][] {
  const wait = waitMsOf(rule);
  const window = windowOfRule(policy, rule);
  const span = window && spanAt(window, now);
  const waits = `${sayDuration(wait)} after the last approval, and can be stopped until then`;
  const fields: [string, Text][] = wait > 0 ? [['Waits', waits]] : [];
  if (window === undefined || span === undefined) return fields;
  const only = text(`only in the maintenance window “${window.name}”, `, { code: window.words });
  const isOpen = span.from <= now;
  const next = isOpen ? ', which is open until ' : ', which opens next on ';
  return [...fields, ['Begins', text(only, next, { date: isOpen ? span.to : span.from, style: 'full' })]];
}

/** The protections, the people who set them, and the approver that they add at this risk. */
function protectionWords(protections: readonly ProtectedTarget[], risk: Risk): Text {
  const more = isGuarded(risk)
    ? 'So it needs one approver more than the rule says, and the name typed.'
    : `That changes nothing at the risk ${risk}.`;
  const each = protections
    .slice(0, mostProtections)
    .map(({ name, by, why }) => text(`${signs.protected} ${name} is pinned by `, by, `: ${why}. `));
  return text(...each, more);
}

const mostProtections = 3;

/** Rewords reasons from "you" to "they". */
export function aboutAnother(because: Text): Text {
  const reworded = (words: string) =>
    words.replace(/\bnames you\b/, 'names them').replace(/\byou (have|are|need)\b/g, 'they $1');
  return text(because).map((span) => (typeof span === 'string' ? reworded(span) : span));
}

/** `You need “operate”; you have “read”` */
function sentenceStartOf(sentence: Text): Text {
  const [first, ...rest] = text(sentence);
  return typeof first === 'string' ? text(sentenceStart(first), ...rest) : sentence;
}

function sayNeeds(capability: Capability | 'none'): string {
  if (capability === 'none') return 'no right: every member may use it';
  if (capability === 'admin') return 'an admin, who is named in HOSTLER_ADMINS';
  return `“${capability}”: ${capabilityWords[capability]}`;
}

interface Asked {
  readonly what: string;
  readonly capability: Capability | 'none';
  /** The risk of the command; absent for a capability. */
  readonly risk?: Risk;
  readonly targets: readonly Target[];
  /** The orders with the same name as the domain. */
  readonly namesakes?: readonly Order[];
}

/** `/host who can restart web-1`: the people and groups that a grant here allows it, as named in the policy. */
export async function whoCan(context: EngineContext, line: string, access: Access): Promise<View> {
  const { what, capability, targets, risk, namesakes = [] } = await readQuestion(context, line, access);
  if (capability === 'none') return says(text('Every member of this channel may use ', { code: what }, '.'));
  const admins = describeSubjects([]);
  if (capability === 'admin') return says(text('Only ', admins, ' may use ', { code: what }, '.'));
  const { policy } = access;
  const standing = await context.policies.standing(access.channel);
  const grants = (policy?.grants ?? []).filter(
    ({ can, on }) => can.includes(capability) && (targets.length === 0 || targets.some((target) => covers(on, target))),
  );
  const shownOn = ({ on }: { on: readonly string[] }): Text =>
    targets.length > 0 && targets.every((target) => covers(on, target))
      ? ''
      : on.includes('all')
        ? ' on everything'
        : text(' on ', { code: on.join(', ') });
  const lines = grants.map(
    (grant): ViewPart => ({ kind: 'text', text: text('• ', describeSubjects(grant.to), shownOn(grant)) }),
  );
  const heading = lines.length === 0 ? `Nobody may use ${what} here` : `Who may use ${what} here`;
  const parts: ViewPart[] = [{ kind: 'heading', text: heading }];
  if (standing !== 'ok' && policy !== undefined)
    parts.push(...notice('warning', 'For now nobody may: the rights of this channel are suspended.').parts);
  parts.push(...lines);
  if (risk !== undefined && lines.length > 0)
    parts.push({ kind: 'context', text: sayRuleOfRisk(risk, ruleFor(policy, risk), 'the person who asks confirms') });
  return { summary: heading, parts: [...parts, ...aboutNamesakes(capability, targets, namesakes)] };
}

const mostNamesakes = 3;

/** Says that the domain was meant, with the same question about the orders of its name. */
function aboutNamesakes(capability: Capability, [domain]: readonly Target[], namesakes: readonly Order[]): ViewPart[] {
  const others = namesakes
    .slice(0, mostNamesakes)
    .map(({ id, kind }) => ({ id, words: `the ${nounOf([kind])} ${id}` }));
  if (others.length === 0 || domain === undefined) return [];
  const words = list(others.map((other) => other.words));
  return [
    { kind: 'context', text: `This is about the domain ${domain.name}, and not about ${words} of the same name.` },
    ...buttonRow(others.map((other) => runButton(`About ${other.words}`, `who can ${capability} ${other.id}`))),
  ];
}

/** Parses a capability with a target, or a command line. Refuses targets that this person may not read. */
async function readQuestion(context: EngineContext, line: string, access: Access): Promise<Asked> {
  const maySee: Reading['maySee'] = (target) => access.may('read', target);
  const words = line.trim().split(/\s+/);
  const capability = capabilities.find((candidate) => candidate === words[0]?.toLowerCase());
  const name = words.slice(1).join(' ');
  const isNamed = (targets: readonly Target[]): readonly Target[] => {
    if (targets.every(maySee)) return targets;
    throw notFound('Nothing that you may read here has this name.', '`/host list` shows the names.');
  };
  if (capability !== undefined && context.commands.every(({ path }) => path !== line.trim())) {
    if (name === '') return { what: `“${capability}”`, capability, targets: [] };
    const reading = { account: await context.accountReader.read({ staleOk: true }), maySee };
    const named = targetsNamed(name, reading);
    return { ...named, what: `“${capability}” on ${name}`, capability, targets: isNamed(named.targets) };
  }
  const asked = await readAsked(context, line, access);
  if (asked === undefined)
    throw new Refusal('bad_value', 'Name a capability or a command.', { hint: 'Write `/host who can restart web-1`.' });
  const { command, what } = asked;
  const targets = isNamed(asked.targets);
  return { what, capability: command.capability, targets, ...(command.kind === 'action' && { risk: command.risk }) };
}

function targetsNamed(name: string, reading: Reading): Pick<Asked, 'namesakes' | 'targets'> {
  const { account, maySee } = reading;
  const isNamed = (candidate: string | null) => candidate?.toLowerCase() === name.toLowerCase();
  const namesakes = account.orders.filter(
    (order) => (isNamed(order.name) || isNamed(order.hostname)) && maySee(orderTarget(order)),
  );
  const domain = account.domains.find((candidate) => isNamed(candidate.name));
  // A domain that this person may not read hides no server.
  if (domain !== undefined && namesakes.length > 0 && !maySee(domainTarget(domain)))
    return { targets: namesakes.map(orderTarget) };
  if (domain !== undefined) return { targets: [domainTarget(resolveDomain(name, reading))], namesakes };
  return { targets: resolveOrders(name, { ...reading, kinds: ['vps', 'ds', 'other'] }).map(orderTarget) };
}
