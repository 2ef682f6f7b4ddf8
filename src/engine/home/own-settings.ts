import { type Account, type Order, orderTarget } from '../../core/account/account.ts';
import { mostFavorites, type OwnSettings } from '../../core/command/own-settings.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { ValueOf } from '../../store/records/value-kinds.ts';
import { channelsOf } from '../access/access.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

export async function favoritesOf(context: Pick<EngineContext, 'store'>, user: string): Promise<ReadonlySet<string>> {
  return new Set((await context.store.values.get('favorites', user))?.orders ?? []);
}

/** `onChange` runs after a change is stored. */
export function createOwnSettings(context: EngineContext, user: string, onChange: () => Promise<void>): OwnSettings {
  return {
    favorites: () => favoritesOf(context, user),
    setFavorite: async (order, isFavorite) => {
      const change = await setFavorite(context, user, order, isFavorite);
      if (change === 'changed') await onChange();
      return change;
    },
  };
}

export async function setFavorite(context: EngineContext, user: string, order: string, isFavorite: boolean) {
  const isReadable = await readableOrders(context, user);
  let unchanged: 'same' | 'full' | undefined;
  const isStored = await context.store.values.change('favorites', user, (before) => {
    const changed = changedBy(before?.orders ?? [], order, isFavorite, isReadable);
    unchanged = typeof changed === 'string' ? changed : undefined;
    return typeof changed === 'string' ? undefined : changed;
  });
  if (isStored) return 'changed';
  if (unchanged !== undefined) return unchanged;
  throw new Refusal('changed', 'You changed your favorites elsewhere a moment ago. Try again.');
}

/** Once the list is full, removes servers that are gone or that the person may no longer read. */
function changedBy(
  before: readonly string[],
  order: string,
  isFavorite: boolean,
  isReadable: (order: string) => boolean,
): ValueOf<'favorites'> | 'same' | 'full' {
  if (before.includes(order) === isFavorite) return 'same';
  if (!isFavorite) return { orders: before.filter((favorite) => favorite !== order) };
  const kept = before.length < mostFavorites ? before : before.filter(isReadable);
  return kept.length < mostFavorites ? { orders: [...kept, order] } : 'full';
}

/** Returns whether this person may read a server in any of their channels. */
export async function readableOrders(context: EngineContext, user: string): Promise<(order: string) => boolean> {
  const accesses = [...(await channelsOf(context, user)).accesses.values()];
  const account = await accountOrLast(context);
  const ids = new Set(readableBy(accesses, account?.orders ?? []).map(({ id }) => id));
  return (order) => ids.has(order);
}

/** The last account while the provider does not answer. */
export function accountOrLast({ accountReader }: EngineContext): Promise<Account | undefined> {
  return accountReader.read({ staleOk: true }).catch(() => accountReader.peek());
}

/** The orders that may be read in one of the channels. */
export function readableBy(accesses: readonly Access[], orders: readonly Order[]): readonly Order[] {
  return orders.filter((order) => accesses.some((access) => access.may('read', orderTarget(order))));
}
