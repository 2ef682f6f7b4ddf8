import { domainTarget, namesOf, orderTarget, projectTarget, targetKey } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';

/** Targets that a word names, to search the audit: a target that no longer exists is found by its label. */
export interface NamedTargets {
  readonly keys: readonly string[];
  readonly label: string;
}

export async function targetsNamed(word: string, { account, may }: ReadContext<unknown>): Promise<NamedTargets> {
  const { orders, domains, projects } = await account();
  const wanted = word.toLowerCase();
  const isNamed = (names: readonly string[]) => names.some((name) => name.toLowerCase() === wanted);
  const targets = [
    ...orders.filter((order) => isNamed([...namesOf(order), order.label])).map(orderTarget),
    ...domains.filter(({ name }) => isNamed([name])).map(domainTarget),
    ...projects.filter(({ name }) => isNamed([name])).map(projectTarget),
  ];
  return { keys: targets.filter((target) => may('read', target)).map(targetKey), label: wanted };
}
