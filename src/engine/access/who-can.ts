import { domainTarget, type Order, orderTarget, type Target } from '../../core/account/account.ts';
import { covers, describeSubjects } from '../../core/policy/evaluate.ts';
import { type Capability, capabilities, type Risk, ruleFor } from '../../core/policy/policy.ts';
import { sayRuleOfRisk } from '../../core/policy/say-rule.ts';
import { nounOf, type Reading, resolveDomain, resolveOrders } from '../../core/targets/targets.ts';
import { list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { notice, says, type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { readAsked } from './explain.ts';

interface Asked {
  readonly what: string;
  readonly capability: Capability | 'none';
  /** The risk of the command; absent for a capability. */
  readonly risk?: Risk;
  readonly targets: readonly Target[];
  /** The orders with the same name as the domain. */
  readonly namesakes?: readonly Order[];
}

/**
 * `/host who can restart web-1`: the people and groups whom a grant of this channel allows it, as named in the policy.
 */
export async function whoCan(
  context: Pick<EngineContext, 'accountReader' | 'commands' | 'policies'>,
  line: string,
  access: Access,
): Promise<View> {
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
function aboutNamesakes(
  capability: Capability,
  [domain]: readonly Target[],
  namesakes: readonly Order[],
): readonly ViewPart[] {
  const others = namesakes
    .slice(0, mostNamesakes)
    .map(({ id, kind }) => ({ id, words: `the ${nounOf([kind])} ${id}` }));
  if (others.length === 0 || domain === undefined) return [];
  const words = list(others.map((other) => other.words));
  return [
    { kind: 'context', text: `This is about the domain ${domain.name}, and not about ${words} of the same name.` },
    {
      kind: 'buttons',
      buttons: others.map((other) => ({
        label: `About ${other.words}`,
        intent: { do: 'run', line: `who can ${capability} ${other.id}` },
      })),
    },
  ];
}

/** Parses a capability with a target, or a command line. Refuses targets that this person may not read. */
async function readQuestion(
  context: Pick<EngineContext, 'accountReader' | 'commands'>,
  line: string,
  access: Access,
): Promise<Asked> {
  const maySee: Reading['maySee'] = (target) => access.may('read', target);
  const words = line.trim().split(/\s+/);
  const capability = capabilities.find((candidate) => candidate === words[0]?.toLowerCase());
  const name = words.slice(1).join(' ');
  const isNamed = (targets: readonly Target[]): readonly Target[] => {
    if (targets.every(maySee)) return targets;
    throw new Refusal('not_found', 'Nothing that you may read here has this name.', {
      hint: '`/host list` shows the names.',
    });
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
  const { command } = asked;
  const targets = isNamed(asked.targets);
  const named = targets.filter(({ kind }) => kind !== 'account' && kind !== 'channel').map((target) => target.name);
  const what = [`/host ${command.path}`, ...named.slice(0, 3)].join(' ');
  return {
    what,
    capability: command.capability,
    targets,
    ...(command.kind === 'action' ? { risk: command.risk } : {}),
  };
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
  return { targets: resolveOrders(name, reading, ['vps', 'ds', 'other']).map(orderTarget) };
}
