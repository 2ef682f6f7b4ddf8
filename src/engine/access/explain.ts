import { emptyAccount, isOrderOrDomain, mayReadAll, type Target } from '../../core/account/account.ts';
import { parse } from '../../core/grammar/parse.ts';
import { isGuarded, type Pin } from '../../core/policy/pins.ts';
import { type Capability, type Policy, type Risk, type Rule, waitMsOf } from '../../core/policy/policy.ts';
import { capabilityWords } from '../../core/policy/rights-change.ts';
import { sayRuleOfRisk } from '../../core/policy/say-rule.ts';
import { spanAt, windowOfRule } from '../../core/policy/windows.ts';
import { sayDuration, sentenceStart } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text, type View } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import { allowedNames } from './allowed-names.ts';
import { frozenBy, sayFrozen } from './freezes.ts';
import { pinsOfAll } from './pins.ts';

/** `/host why restart web-1`: shows the deciding grant and rule, or the missing one. Runs nothing. */
export async function explain(
  context: EngineContext,
  line: string,
  asking: Access,
  /** The other person, if the question is about one. */
  about?: string,
): Promise<View> {
  const access = about === undefined ? asking : await context.accessOf(about, asking.channel);
  const parsed = parse(line, context.commands, domainsOf(context));
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind === 'menu') {
    return {
      summary: 'Which command?',
      parts: [{ kind: 'text', text: ['Name a command: ', { code: '/host why restart web-1' }, '.'] }],
    };
  }
  const { command, raw } = parsed;
  const hasTargets = Object.entries(command.args).every(([name, arg]) => arg.optional || raw[name] !== undefined);
  const account =
    command.needsAccount && hasTargets ? await context.accountReader.read({ staleOk: true }) : emptyAccount;
  const targets = hasTargets
    ? command.prepare(raw, { account, maySee: (target) => asking.may('read', target) }).targets
    : [];
  // A response about another person names the targets, so the reader must be allowed to read them.
  if (about !== undefined && !mayReadAll(targets, asking))
    throw new Refusal('not_granted', 'You may ask this only about what you may read here.');
  const decision = access.decide(command.capability, command.risk, targets);
  // The reason of a freeze may name tags that this person may not read.
  const frozen =
    command.kind === 'action' && decision.allowed ? await frozenBy(context, access.channel, targets) : undefined;
  const pinOf =
    command.kind === 'action' && decision.allowed ? await pinsOfAll(context).catch(() => undefined) : undefined;
  const pins = targets.flatMap((target) => {
    const pin = isOrderOrDomain(target) ? pinOf?.(target) : undefined;
    return pin === undefined ? [] : [{ name: target.name, ...pin }];
  });
  const needs = sayNeeds(command.capability);
  const who = about === undefined ? 'You' : await nameOf(context, about);
  const names = allowedNames(asking, targets, parsed);
  const what = `/host ${names === '' ? command.path : `${command.path} ${names}`}`;
  const heading = `${who} ${decision.allowed ? 'may use' : 'may not use'} ${what} here${frozen === undefined ? '' : ', but not now'}`;
  return {
    summary: `${heading}.`,
    parts: [
      { kind: 'heading', text: heading },
      {
        kind: 'fields',
        fields: [
          ['Why', sentenceStartOf(about === undefined ? decision.because : aboutAnother(decision.because))],
          ['Needs', needs],
          ['Risk', command.risk],
          ...(decision.allowed && command.kind === 'action'
            ? ([
                [
                  'Rule',
                  text(
                    sayRuleOfRisk(command.risk, decision.rule, about === undefined ? 'you confirm' : 'they confirm'),
                    decision.isSolo ? ', by the person who asked as well (solo)' : '',
                  ),
                ],
              ] as const)
            : []),
          ['Policy', access.policy === undefined ? 'none in this channel' : `version ${access.policy.version}`],
          ...(decision.allowed && command.kind === 'action'
            ? hourFields(decision.rule, access.policy, context.now())
            : []),
          ...(pins.length === 0 ? [] : ([['Pinned', pinWords(pins, command.risk)]] as const)),
          ...(frozen === undefined ? [] : ([['Frozen', sayFrozen(frozen)]] as const)),
        ],
      },
      ...(hasTargets
        ? []
        : [{ kind: 'context', text: 'Name the target as well to see whether a grant covers it.' } as const]),
    ],
  };
}

/** The countdown of the rule, and the maintenance window outside of which it does not begin. */
function hourFields(rule: Rule, policy: Policy | undefined, now: number): [string, Text][] {
  const wait = waitMsOf(rule);
  const window = windowOfRule(policy, rule);
  const span = window && spanAt(window, now);
  return [
    ...(wait === 0
      ? []
      : [
          ['Waits', `${sayDuration(wait)} after the last approval, and can be stopped until then`] satisfies [
            string,
            Text,
          ],
        ]),
    ...(window === undefined || span === undefined
      ? []
      : [
          [
            'Begins',
            text(
              `only in the maintenance window ${window.name}, `,
              { code: window.words },
              span.from <= now ? ', which is open until ' : ', which opens next on ',
              { date: span.from <= now ? span.to : span.from, style: 'full' },
            ),
          ] satisfies [string, Text],
        ]),
  ];
}

/** The pins, the people who set them, and the approver that they add at this risk. */
function pinWords(pins: readonly (Pin & Pick<Target, 'name'>)[], risk: Risk): Text {
  const more = isGuarded(risk)
    ? 'So it needs one approver more than the rule says, and the name typed.'
    : `That changes nothing at the risk ${risk}.`;
  const each = pins.slice(0, mostPins).map(({ name, by, channel, why }) => {
    const setBy: Text = by === null ? ['the policy of ', { channel }] : [{ user: by }];
    return text(`${signs.pinned} ${name} is pinned by `, setBy, `: ${why}. `);
  });
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

async function nameOf({ directory }: Pick<EngineContext, 'directory'>, user: string): Promise<string> {
  return directory.person(user).then(
    ({ name }) => name,
    () => 'This person',
  );
}
