import type { ReadContext } from '../../core/command/command.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { plain, type Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { type ChangeStep, fitted, tallyOf } from './changes.ts';
import { cachedSentence, glanceOf } from './details.ts';
import { planRecords, type RecordPlan } from './record-plan.ts';

/** One plan for several zones: each record is a step, each zone has its own facts, and the highest risk counts. */
export async function planZones(
  parts: readonly RecordPlan[],
  about: { readonly title: string; readonly typedName: string; readonly notes?: readonly string[] },
  context: ReadContext<Reader>,
): Promise<Plan<ChangeStep>> {
  const changes = parts.flatMap((part) => part.changes);
  const notes = (about.notes ?? []).map((note): [string, Text] => ['Note', note]);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    const plan = await planRecords({ ...only, title: about.title }, context);
    return { ...plan, details: [...plan.details, ...notes], typedName: about.typedName };
  }
  const plans = await Promise.all(parts.map((part) => planRecords({ ...part, isOneOfSeveral: true }, context)));
  const diff = plans.flatMap((plan) => plan.diff ?? []);
  const details = unique(plans.flatMap((plan) => plan.details));
  const raised = plans.flatMap((plan) => plan.raised ?? []);
  const tally = `${tallyOf(changes)} in ${count(parts.length, 'domain')}, one after another, stopping at the first that fails.`;
  const plan: Plan<ChangeStep> = {
    title: about.title,
    subject: plans.flatMap((plan) => plan.subject),
    targets: plans.flatMap((plan) => plan.targets),
    effect: [tally, cachedSentence(changes)].filter((text) => text !== '').join(' '),
    glance: glanceOf(
      count(parts.length, 'domain'),
      changes,
      details.map(([, value]) => value),
    ),
    details: [...details, ...notes],
    diff,
    facts: Object.assign(
      {},
      ...plans.map((plan, index) =>
        Object.fromEntries(
          Object.entries(plan.facts).map(([label, fact]) => [`${parts[index]?.domain.name}: ${label}`, fact]),
        ),
      ),
    ),
    steps: plans.flatMap((plan) => plan.steps),
    ...(raised.length === 0
      ? {}
      : {
          raised: {
            risk: raised.map(({ risk }) => risk).reduce(higherRisk),
            why: [...new Set(raised.map(({ why }) => plain(why)))].join(' '),
          },
        }),
    typedName: about.typedName,
  };
  return fitted(plan, changes);
}

function unique(details: readonly (readonly [string, Text])[]): (readonly [string, Text])[] {
  return [...new Map(details.map((detail) => [`${detail[0]}: ${plain(detail[1])}`, detail])).values()];
}
