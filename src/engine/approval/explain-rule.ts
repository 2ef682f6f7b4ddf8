import { sayElsewhere } from '../../core/plan/plan.ts';
import { sayAsker } from '../../core/plan/say-state.ts';
import { risks } from '../../core/policy/policy.ts';
import { firstFew } from '../../core/text/words.ts';
import { fieldsPart, peopleIn, type Text, text, type View } from '../../core/view/view.ts';
import { aboutAnother } from '../access/explain.ts';
import { decideOn, weightsOf } from '../access/weights.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import { protectionLines } from '../operation/card-details.ts';
import { cardIsIn } from '../operation/card-links.ts';
import { decidersOf, sayRuleOf } from '../operation/card-names.ts';
import { type Operation, requestOf } from '../operation/read-operation.ts';
import { mustBeAllowedToOpen } from './review.ts';

/**
 * The answer to "Why this rule?" on a card: the reason for the rule, the deciders, and the people who can change the
 * rule. It ends with the card's link as text that can be copied.
 */
export async function explainRule(
  context: EngineContext,
  { actor: user }: Pick<Request, 'actor'>,
  id: string,
): Promise<View> {
  const operation = await requestOf(context, id);
  await mustBeAllowedToOpen(context, user, operation);
  const { plan, channel } = operation;
  const names = plan.targets.filter(({ kind }) => kind !== 'account' && kind !== 'channel').map(({ name }) => name);
  const fields = fieldsPart([
    ['Request', `${plan.title}${operation.state === 'waiting' ? '' : ' (it no longer waits)'}`],
    ['Affects', firstFew([...new Set(names)], 8)],
    ['Risk', riskWords(context, operation)],
    ['Rule', await ruleWords(context, operation)],
    ['Pinned', protectionLines(operation).join('\n')],
    ['Asked by', await askedWords(context, user, operation)],
    ['Decided by', deciderWords(context, operation)],
    [
      'Can be changed by',
      text('An admin, with ', { code: '/host access' }, ': ', peopleIn(context.settings.admins.slice(0, 5)), '.'),
    ],
  ]);
  const words = sayRuleOf(operation);
  return {
    summary: text(`${plan.title}: `, words, '.'),
    parts: [
      { kind: 'text', text: words },
      ...fields,
      ...(await cardIsIn(context, operation)),
      { kind: 'buttons', buttons: [{ label: 'Who may do what', intent: { do: 'run', line: 'access', in: channel } }] },
    ],
  };
}

/** The risk of the command and the reason if it was raised: the number of servers, names in use, an undo. */
function riskWords(context: EngineContext, { command: path, risk, plan }: Operation): Text {
  const command = commandAt(context, path);
  const own = command?.risk ?? risk;
  const first = text({ code: `/host ${path}` }, ` is ${own}.`);
  return plan.raised === undefined || own === risk ? first : text(first, ` Here it is ${risk}: `, plan.raised.why);
}

async function ruleWords({ policies }: EngineContext, operation: Operation): Promise<Text> {
  const { channel, risk, plan, policyVersion } = operation;
  const policy = await policies.get(channel);
  const elsewhere = sayElsewhere(plan, channel);
  if (elsewhere !== undefined) return text('An admin decides, since ', elsewhere, '.');
  const level = risks.find((candidate) => candidate === risk);
  const isOwn = level !== undefined && policy?.rules[level] !== undefined;
  const words = isOwn
    ? text({ channel }, ` has its own rule for what is ${risk}.`)
    : text({ channel }, ` has no rule for what is ${risk}, so the default holds.`);
  const isSameVersion = String(policy?.version ?? 0) === policyVersion;
  return isSameVersion ? words : text(words, ' The rights here changed since; they are checked again before it runs.');
}

/** The requester and the right that allowed the request. */
async function askedWords(context: EngineContext, reader: string, operation: Operation): Promise<Text> {
  const { requester, channel, command: path, plan } = operation;
  const asker = sayAsker(operation);
  const command = commandAt(context, path);
  if (command === undefined) return asker;
  const access = await context.accessOf(requester, channel);
  const { allowed, because } = decideOn(access, weightsOf(command, plan));
  const reason = reader === requester ? because : aboutAnother(because);
  return text(asker, allowed ? ' (' : ' (may not ask for it now: ', reason, ').');
}

function deciderWords({ settings }: EngineContext, operation: Operation): Text {
  if (typeof operation.rule !== 'object' && operation.token === null) return 'Only the person who asked.';
  const solo =
    operation.isSolo && typeof operation.rule === 'object'
      ? ' The person who asked may approve, too: this channel is set to solo.'
      : '';
  return text(decidersOf(operation, settings.admins), `.${solo}`);
}
