import { isOrderOrDomain, type Target, targetKey } from '../../core/account/account.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Timing } from '../../core/plan/timing.ts';
import { isGuarded, type Pin, type PinOf, pinFinder } from '../../core/policy/pins.ts';
import { firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

type Context = Pick<EngineContext, 'policies' | 'store'>;

/** The pins that people set. They are stored by the key of the target: of two simultaneous ones, the first holds. */
export async function pinsOfPeople({ store }: Pick<Context, 'store'>) {
  return [...(await store.values.all('pin')).values()].filter((pin) => pin !== null);
}

/** A pinned target of a request. */
export interface Pinned {
  readonly key: string;
  readonly name: string;
  readonly why: string;
  readonly by: Text;
}

/** The pins that people set and those of all policies: a pin holds in every channel. */
export async function pinsOfAll(context: Context): Promise<PinOf> {
  const [ofPeople, all] = await Promise.all([pinsOfPeople(context), context.policies.all()]);
  const ofPolicies = [...all].flatMap(([channel, { pins: pinned = [] }]) =>
    pinned.map((pin): Pin => ({ ...pin, channel, by: null, since: null })),
  );
  return pinFinder([...ofPeople, ...ofPolicies]);
}

/** The pinned ones among these targets. A pin that cannot be read throws: nothing destructive begins then. */
export async function pinsOn(context: Context, targets: readonly Target[]): Promise<readonly Pinned[]> {
  const pinnable = new Map(targets.filter(isOrderOrDomain).map((target) => [targetKey(target), target]));
  if (pinnable.size === 0) return [];
  const pinOf = await pinsOfAll(context);
  return [...pinnable].flatMap(([key, target]) => {
    const pin = pinOf(target);
    if (pin === undefined) return [];
    const by: Text = pin.by === null ? ['the policy of ', { channel: pin.channel }] : [{ user: pin.by }];
    return [{ key, name: target.name, why: pin.why, by }];
  });
}

/** For texts: a pin that cannot be read is left out. */
export async function pinsToShow(
  context: Context & Pick<EngineContext, 'log'>,
  targets: readonly Target[],
): Promise<readonly Pinned[]> {
  return pinsOn(context, targets).catch((error) => {
    context.log.warn({ err: error }, 'could not read the pins for a text');
    return [];
  });
}

/** True if one of these targets is pinned, so that nothing runs on it from a standing approval. */
export async function isPinned(context: Context, targets: readonly Target[]): Promise<boolean> {
  return (await pinsOn(context, targets)).length > 0;
}

interface PinnedRequest {
  readonly risk: string;
  readonly plan: { readonly pins?: readonly Pick<Pinned, 'key'>[] };
  readonly timing: Timing | null;
}

/** The targets that were pinned after the request was made, for a risk at which a pin counts or a standing approval. */
export async function pinnedSince(
  context: Context,
  { risk, plan, timing }: PinnedRequest,
  targets: readonly Target[],
): Promise<readonly Pinned[]> {
  if (!isGuarded(risk) && timing?.run === undefined) return [];
  const pinnedBefore = new Set((plan.pins ?? []).map(({ key }) => key));
  return (await pinsOn(context, targets)).filter(({ key }) => !pinnedBefore.has(key));
}

/** The pinned targets that a request for several would change. One request for one target has none. */
export function pinnedInBulk(
  { steps = [] }: Partial<Pick<Plan<unknown>, 'steps'>>,
  pins: readonly Pinned[],
): readonly Pinned[] {
  const changed = new Set(
    steps
      .map(({ target }) => target)
      .filter(isOrderOrDomain)
      .map(targetKey),
  );
  return changed.size < 2 ? [] : pins.filter(({ key }) => changed.has(key));
}

/** `web-1 is pinned: the shop runs on it` */
export function sayPinned(pins: readonly Pick<Pinned, 'name' | 'why'>[]): string {
  return firstFew(pins, 3, ({ name, why }) => `${name} is pinned: ${why}`);
}
