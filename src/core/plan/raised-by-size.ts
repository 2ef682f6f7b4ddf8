import { targetKey } from '../account/account.ts';
import { higherRisk, nextRisk, type Risk } from '../policy/policy.ts';
import { count, list } from '../text/words.ts';
import { text } from '../view/view.ts';
import { type Plan, type PlanDraft, wholePlan } from './plan.ts';

/** More orders than this raise the risk by one level. */
const mostUnraised = 3;

/** Raises a plan for many orders to one level above the command's risk, and shows their number first on the card. */
export function raisedBySize<S>(draft: PlanDraft<S>, own: Risk, noun: 'server' | 'order'): Plan<S> {
  const plan = wholePlan(draft);
  const written = plan.steps.map(({ target }) => target).filter(({ kind }) => kind === 'order');
  const orders = written.length > 0 ? written : plan.targets.filter(({ kind }) => kind === 'order');
  const number = new Set(orders.map(targetKey)).size;
  // Reads and other safe commands are never raised.
  if (own === 'safe' || number <= mostUnraised || plan.nothingToDo !== undefined) return plan;
  const amount = count(number, noun);
  return {
    ...plan,
    subject: [[{ bold: amount }, ` at once${sharedTags(plan)}`], ...plan.subject],
    raised: raisedTo(nextRisk(own), `It changes ${amount} at once.`, plan.raised),
  };
}

/** `, all tagged prod`: shared tags help people notice that they meant fewer orders. */
function sharedTags({ targets }: Pick<Plan<unknown>, 'targets'>): string {
  const [first, ...others] = targets.filter(({ kind }) => kind === 'order').map(({ tags }) => tags);
  const shared = (first ?? []).filter((tag) => others.every((tags) => tags.includes(tag)));
  return shared.length === 0 ? '' : `, all tagged ${list(shared)}`;
}

/** At least this risk, with one more reason than a plan has already. */
export function raisedTo(risk: Risk, why: string, raised: Plan<unknown>['raised']): Required<Plan<unknown>>['raised'] {
  if (raised === undefined) return { risk, why };
  return { risk: higherRisk(raised.risk, risk), why: text(raised.why, ` ${why}`) };
}
