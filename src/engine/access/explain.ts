import { emptyAccount, mayReadAll, type Target } from '../../core/account/account.ts';
import { parse } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { isGuarded } from '../../core/policy/pins.ts';
import { type Capability, type Policy, type Risk, type Rule, waitMsOf } from '../../core/policy/policy.ts';
import { capabilityWords } from '../../core/policy/rights-change.ts';
import { sayRuleOfRisk } from '../../core/policy/say-rule.ts';
import { spanAt, windowOfRule } from '../../core/policy/windows.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { sayDuration, sentenceStart } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import { allowedNames } from './allowed-names.ts';
import { frozenBy, sayFrozen } from './freezes.ts';
import { type Pinned, pinsOn } from './pins.ts';
import { nameOr } from './say-names.ts';

/** `/host why restart web-1`: shows the deciding grant and rule, or the missing one. Runs nothing. */
export async function explain(
  context: EngineContext,
  line: string,
  asking: Access,
  /** The other person, if the question is about one. */
  about?: string,
): Promise<View> {
  const access = about === undefined ? asking : await context.accessOf(about, asking.channel);
  const asked = await readAsked(context, line, asking);
  if (asked === undefined) {
    return {
      summary: 'Which command?',
      parts: [{ kind: 'text', text: ['Name a command: ', { code: '/host why restart web-1' }, '.'] }],
    };
  }
  const { command, targets } = asked;
  // A response about another person names the targets, so the reader must be allowed to read them.
  if (about !== undefined && !mayReadAll(targets, asking))
    throw new Refusal('not_granted', 'You may ask this only about what you may read here.');
  const decision = access.decide(command.capability, command.risk, targets);
  // The reason of a freeze may name tags that this person may not read.
  const isAllowedAction = command.kind === 'action' && decision.allowed;
  const frozen = isAllowedAction ? await frozenBy(context, access.channel, targets) : undefined;
  const pins = isAllowedAction ? await pinsOn(context, targets).catch(() => []) : [];
  const who = about === undefined ? 'You' : await nameOr(context.directory.person(about), 'This person');
  const names = allowedNames(asking, targets, asked);
  const what = `/host ${names === '' ? command.path : `${command.path} ${names}`}`;
  const heading = `${who} ${decision.allowed ? 'may use' : 'may not use'} ${what} here${frozen === undefined ? '' : ', but not now'}`;
  const fields: [string, Text][] = [
    ['Why', sentenceStartOf(about === undefined ? decision.because : aboutAnother(decision.because))],
    ['Needs', sayNeeds(command.capability)],
    ['Risk', command.risk],
  ];
  if (isAllowedAction) {
    const confirms = about === undefined ? 'you confirm' : 'they confirm';
    const solo = decision.isSolo ? ', by the person who asked as well (solo)' : '';
    fields.push(['Rule', text(sayRuleOfRisk(command.risk, decision.rule, confirms), solo)]);
  }
  fields.push(['Policy', access.policy === undefined ? 'none in this channel' : `version ${access.policy.version}`]);
  if (isAllowedAction) fields.push(...hourFields(decision.rule, access.policy, context.now()));
  if (pins.length > 0) fields.push(['Pinned', pinWords(pins, command.risk)]);
  if (frozen !== undefined) fields.push(['Frozen', sayFrozen(frozen)]);
  const parts: ViewPart[] = [
    { kind: 'heading', text: heading },
    { kind: 'fields', fields },
  ];
  if (!asked.hasTargets)
    parts.push({ kind: 'context', text: 'Name the target as well to see whether a grant covers it.' });
  return { summary: `${heading}.`, parts };
}

/** The command of a line and its targets among those that this person may read; undefined for an empty line. */
export async function readAsked(
  context: Pick<EngineContext, 'accountReader' | 'commands'>,
  line: string,
  { may }: Pick<Access, 'may'>,
) {
  const parsed = parse(line, context.commands, domainsOf(context));
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind === 'menu') return undefined;
  const { command, raw } = parsed;
  const hasTargets = Object.entries(command.args).every(([name, arg]) => arg.optional || raw[name] !== undefined);
  const targets = hasTargets ? await targetsIn(context, command, raw, (target) => may('read', target)) : [];
  return { command, raw, hasTargets, targets };
}

/** The targets of a complete line. */
export async function targetsIn(
  { accountReader }: Pick<EngineContext, 'accountReader'>,
  command: AnyCommand,
  raw: RawArgs,
  maySee: Reading['maySee'],
): Promise<readonly Target[]> {
  const account = command.needsAccount ? await accountReader.read({ staleOk: true }) : emptyAccount;
  return command.prepare(raw, { account, maySee }).targets;
}

/** The countdown of the rule, and the maintenance window outside of which it does not begin. */
function hourFields(rule: Rule, policy: Policy | undefined, now: number): [string, Text][] {
  const wait = waitMsOf(rule);
  const window = windowOfRule(policy, rule);
  const span = window && spanAt(window, now);
  const fields: [string, Text][] = [];
  if (wait > 0) fields.push(['Waits', `${sayDuration(wait)} after the last approval, and can be stopped until then`]);
  if (window === undefined || span === undefined) return fields;
  const words = text(
    `only in the maintenance window ${window.name}, `,
    { code: window.words },
    span.from <= now ? ', which is open until ' : ', which opens next on ',
    { date: span.from <= now ? span.to : span.from, style: 'full' },
  );
  return [...fields, ['Begins', words]];
}

/** The pins, the people who set them, and the approver that they add at this risk. */
function pinWords(pins: readonly Pinned[], risk: Risk): Text {
  const more = isGuarded(risk)
    ? 'So it needs one approver more than the rule says, and the name typed.'
    : `That changes nothing at the risk ${risk}.`;
  const each = pins
    .slice(0, mostPins)
    .map(({ name, by, why }) => text(`${signs.pinned} ${name} is pinned by `, by, `: ${why}. `));
  return text(...each, more);
}

const mostPins = 3;

/** Rewords reasons from "you" to "they". */
export function aboutAnother(because: Text): Text {
  return reworded(because, (words) =>
    words.replace(/\bnames you\b/, 'names them').replace(/\byou (have|are|need)\b/g, 'they $1'),
  );
}

function reworded(words: Text, turn: (words: string) => string): Text {
  return typeof words === 'string' ? turn(words) : words.map((span) => (typeof span === 'string' ? turn(span) : span));
}

/** `You need “operate”; you have “read”` */
function sentenceStartOf(sentence: Text): Text {
  const [first, ...rest] = typeof sentence === 'string' ? [sentence] : sentence;
  return typeof first === 'string' ? text(sentenceStart(first), ...rest) : sentence;
}

function sayNeeds(capability: Capability | 'none'): string {
  if (capability === 'none') return 'no right: every member may use it';
  if (capability === 'admin') return 'an admin, who is named in HOSTLER_ADMINS';
  return `“${capability}”: ${capabilityWords[capability]}`;
}
