import { defined } from '../../core/defined.ts';
import type { Decision } from '../../core/evaluate.ts';
import type { Plan } from '../../core/plan.ts';
import { noticeOf, type Policy, type Risk, type Rule, ruleFor } from '../../core/policy.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

type Approval = Exclude<Rule, string>;

const adminsOnly: Approval = { approve: 1, by: [], typed: false };

/**
 * Decides over a plan. A plan that makes a grant of another channel cover more targets is decided by the approvers of
 * that channel or an admin: the rule of the requesting channel does not decide about rights elsewhere.
 */
export async function decideOnPlan(
  { policies }: Pick<EngineContext, 'policies'>,
  access: Access,
  { capability, risk }: { readonly capability: Parameters<Access['decide']>[0]; readonly risk: Risk },
  plan: Pick<Plan<never>, 'targets' | 'widens'>,
): Promise<Decision> {
  const decision = access.decide(capability, risk, plan.targets);
  const widening = (plan.widens ?? []).map(({ channel }) => channel);
  const elsewhere = widening.filter((channel) => channel !== access.channel);
  if (!decision.allowed || elsewhere.length === 0) return decision;
  const all = await policies.all();
  const widened = elsewhere.map((channel) => all.get(channel));
  const own = typeof decision.rule === 'object' ? [decision.rule] : [];
  const deciding = [...widened.map(approvalOf), ...(widening.includes(access.channel) ? own : [])];
  return {
    ...decision,
    rule: {
      approve: Math.max(...[...deciding, ...own].map(({ approve }) => approve)),
      by: namedByAll(deciding),
      typed: [...deciding, ...own].some(({ typed }) => typed),
      ...noticeOfAll(deciding),
    },
    isSolo: decision.isSolo && widened.every((policy) => policy?.solo === true),
  };
}

/** A rule that lets the requester confirm is meant for requests made in that channel; from elsewhere an admin decides. */
function approvalOf(policy: Policy | undefined): Approval {
  const rule = ruleFor(policy, 'dangerous');
  return typeof rule === 'object' ? rule : adminsOnly;
}

/** As the rules say where they agree; where they do not, the usual mention. */
function noticeOfAll(rules: readonly Approval[]): Pick<Approval, 'notify'> {
  const notify = (['dm', 'none'] as const).find((notice) => rules.every((rule) => noticeOf(rule) === notice));
  return defined({ notify });
}

/** Approvers that every one of the rules names; if none is left, the admins, who may approve everywhere. */
function namedByAll(rules: readonly Approval[]): Approval['by'] {
  const named = new Set(rules.flatMap(({ by }) => by));
  return [...named].filter((subject) => rules.every(({ by }) => by.includes(subject)));
}
