import { isOrderOrDomain, type Target, targetKey } from '../../core/account/account.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { When } from '../../core/plan/when.ts';
import { isGuarded, type Protection, type ProtectionOf, protectionFinder } from '../../core/policy/protection.ts';
import { firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

type Context = Pick<EngineContext, 'policies' | 'store'>;

/** The protections that people set. They are stored by the key of the target: of two simultaneous ones, the first holds. */
export async function protectionsOfPeople({ store }: Pick<Context, 'store'>) {
  return [...(await store.values.all('protection')).values()].filter((protection) => protection !== null);
}

/** A protected target of a request. */
export interface ProtectedTarget {
  readonly key: string;
  readonly name: string;
  readonly why: string;
  readonly by: Text;
}

/** The protections that people set and those of all policies: a protection holds in every channel. */
export async function protectionsOfAll(context: Context): Promise<ProtectionOf> {
  const [ofPeople, all] = await Promise.all([protectionsOfPeople(context), context.policies.all()]);
  const ofPolicies = [...all].flatMap(([channel, { pins = [] }]) =>
    pins.map((protection): Protection => ({ ...protection, channel, by: null, since: null })),
  );
  return protectionFinder([...ofPeople, ...ofPolicies]);
}

/** The protected ones among these targets. A protection that cannot be read throws: nothing destructive begins then. */
export async function protectionsOn(context: Context, targets: readonly Target[]): Promise<readonly ProtectedTarget[]> {
  const pinnable = new Map(targets.filter(isOrderOrDomain).map((target) => [targetKey(target), target]));
  if (pinnable.size === 0) return [];
  const protectionOf = await protectionsOfAll(context);
  return [...pinnable].flatMap(([key, target]) => {
    const protection = protectionOf(target);
    if (protection === undefined) return [];
    const by: Text =
      protection.by === null ? ['the policy of ', { channel: protection.channel }] : [{ user: protection.by }];
    return [{ key, name: target.name, why: protection.why, by }];
  });
}

/** For texts: a protection that cannot be read is left out. */
export async function protectionsToShow(context: Context & Pick<EngineContext, 'log'>, targets: readonly Target[]) {
  return protectionsOn(context, targets).catch((error) => {
    context.log.warn({ err: error }, 'could not read the pins for a text');
    return [];
  });
}

interface PinnedRequest {
  readonly risk: string;
  readonly plan: { readonly protections?: readonly Pick<ProtectedTarget, 'key'>[] };
  readonly when: When;
}

/** The targets that were protected after the request was made, for a risk at which a protection counts or a standing approval. */
export async function protectedSince(
  context: Context,
  { risk, plan, when }: PinnedRequest,
  targets: readonly Target[],
): Promise<readonly ProtectedTarget[]> {
  if (!isGuarded(risk) && when.kind !== 'run' && when.kind !== 'weekly') return [];
  const protectedBefore = new Set((plan.protections ?? []).map(({ key }) => key));
  return (await protectionsOn(context, targets)).filter(({ key }) => !protectedBefore.has(key));
}

/** The protected targets that a request for several would change. One request for one target has none. */
export function protectedInBulk(
  { steps = [] }: Partial<Pick<Plan<unknown>, 'steps'>>,
  protections: readonly ProtectedTarget[],
): readonly ProtectedTarget[] {
  const targets = steps.map(({ target }) => target).filter(isOrderOrDomain);
  const changed = new Set(targets.map(targetKey));
  return changed.size < 2 ? [] : protections.filter(({ key }) => changed.has(key));
}

/** `web-1 is pinned: the shop runs on it` */
export function sayProtected(protections: readonly Pick<ProtectedTarget, 'name' | 'why'>[]): string {
  return firstFew(protections, 3, ({ name, why }) => `${name} is pinned: ${why}`);
}
