import { targetKey } from '../account/account.ts';
import { nextRisk, type Risk, risks } from '../policy/policy.ts';
import { count, list } from '../text/words.ts';
import { text } from '../view/view.ts';
import type { Plan } from './plan.ts';

/** More orders than this in one request make it one level graver. */
const mostUnraised = 3;

/** The plan of several orders at once: one level above the command's own risk, with their number first on the card. */
export function raisedBySize<S>(plan: Plan<S>, own: Risk, noun: 'server' | 'order'): Plan<S> {
  const number = ordersOf(plan);
  // Reading and stopping are not made harder.
  if (own === 'safe' || number <= mostUnraised || plan.nothingToDo !== undefined) return plan;
  const said = count(number, noun);
  const much = `It changes ${said} at once.`;
  const risk = nextRisk(own);
  const { raised } = plan;
  const isGraver = raised !== undefined && risks.indexOf(raised.risk) > risks.indexOf(risk);
  return {
    ...plan,
    subject: [[{ bold: said }, ` at once${sharedTags(plan)}`], ...plan.subject],
    raised: {
      risk: isGraver ? raised.risk : risk,
      why: raised === undefined ? much : text(raised.why, ` ${much}`),
    },
  };
}

/** `, all tagged prod`: what they have in common is how people notice that they meant less. */
function sharedTags({ targets }: Pick<Plan<unknown>, 'targets'>): string {
  const [first, ...others] = targets.filter(({ kind }) => kind === 'order').map(({ tags }) => tags);
  const shared = (first ?? []).filter((tag) => others.every((tags) => tags.includes(tag)));
  return shared.length === 0 ? '' : `, all tagged ${list(shared)}`;
}

/** The orders that are written to; of one write about several, those that it names. */
function ordersOf({ steps, targets }: Pick<Plan<unknown>, 'steps' | 'targets'>): number {
  const written = steps.map(({ target }) => target).filter(({ kind }) => kind === 'order');
  const named = written.length > 0 ? written : targets.filter(({ kind }) => kind === 'order');
  return new Set(named.map(targetKey)).size;
}
