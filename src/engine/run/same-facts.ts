import { targetKey } from '../../core/account.ts';
import { canonicalJson, hashOf, type Json } from '../../core/json.ts';
import type { Plan } from '../../core/plan.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from '../operation/record.ts';

/** `unclear`: another version made the first plan, and its words do not show whether they mean the same. */
export type Sameness = 'same' | 'changed' | 'unclear';

/** Whether a plan that was made just now is still the one that people approved. */
export async function compareWithApproved(
  { store }: Pick<EngineContext, 'store'>,
  operation: Operation,
  plan: Plan<Json>,
): Promise<Sameness> {
  if (plan.nothingToDo !== undefined) return 'changed';
  if (hashOf(plan.facts) === operation.factsHash) return 'same';
  if (operation.plan.build === store.build) return 'changed';
  const [before, now] = [operation.plan.facts, plan.facts];
  // Facts of the same name can be compared, whichever version wrote them.
  const isOther = (name: string) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null);
  if (Object.keys(before).some((name) => Object.hasOwn(now, name) && isOther(name))) return 'changed';
  const isReworded = canonicalJson(without(before, now)) === canonicalJson(without(now, before));
  const targets = (all: Plan<Json>['targets']) => canonicalJson(all.map(targetKey).sort());
  const isSameWork =
    targets(plan.targets) === targets(operation.plan.targets) &&
    canonicalJson(plan.steps.map(({ target, data }) => [targetKey(target), data])) ===
      canonicalJson((await store.steps.list(operation.id)).map(({ target, data }) => [target, data]));
  return isReworded && isSameWork ? 'same' : 'unclear';
}

/** The values of facts that the other plan has no name for, in the order in which they are shown. */
function without(facts: Plan<Json>['facts'], other: Plan<Json>['facts']): Json[] {
  return Object.entries(facts).flatMap(([name, value]) => (Object.hasOwn(other, name) ? [] : [value]));
}
