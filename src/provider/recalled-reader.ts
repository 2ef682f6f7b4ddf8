import type { Reader } from './client.ts';
import type { InventoryPart, InventoryParts } from './inventory-parts.ts';

/** Returns a list in memory and the time at which it was read. */
type Peek = <Part extends InventoryPart>(
  only: readonly Part[],
) => (Pick<InventoryParts, Part> & { readonly readAt: number }) | undefined;

/**
 * A reader that sends no requests: it answers from the lists in memory and reports the time of each list that it uses.
 * Reads of anything else throw `error`.
 */
export function recalledReader(
  reader: Reader,
  peek: Peek,
  { error, used }: { readonly error: unknown; readonly used: (readAt: number) => void },
): Reader {
  const unknown = async () => {
    throw error;
  };
  // Replaces each method by one that throws. TypeScript cannot follow that, hence `unknown`.
  const areas: unknown = Object.fromEntries(
    Object.entries(reader).map(([area, methods]) => [
      area,
      Object.fromEntries(Object.keys(methods).map((name) => [name, unknown])),
    ]),
  );
  const nothing = areas as Reader;

  function whole<Part extends InventoryPart>(part: Part): InventoryParts[Part] {
    const parts = peek([part]);
    if (parts === undefined) throw error;
    used(parts.readAt);
    // `parts` has the requested part, which the generic Pick hides.
    return (parts as Pick<InventoryParts, Part>)[part];
  }
  function findOrThrow<Item>(items: readonly Item[], isWanted: (item: Item) => boolean): Item {
    const item = items.find(isWanted);
    if (item === undefined) throw error;
    return item;
  }
  const list =
    <Part extends InventoryPart>(part: Part) =>
    async (input: object = {}) => {
      // The lists in memory are unfiltered.
      if (Object.keys(input).length > 0) throw error;
      return whole(part);
    };

  return {
    ...nothing,
    orders: {
      ...nothing.orders,
      list: list('orders'),
      read: async ({ order_id }) => findOrThrow(whole('orders'), ({ id }) => id === order_id),
    },
    vpsOrders: {
      ...nothing.vpsOrders,
      list: list('vps'),
      read: async ({ order_id }) => findOrThrow(whole('vps'), ({ id }) => id === order_id),
    },
    ds: {
      ...nothing.ds,
      list: list('ds'),
      read: async ({ order_id }) => findOrThrow(whole('ds'), ({ id }) => id === order_id),
    },
    projects: {
      ...nothing.projects,
      list: list('projects'),
      read: async (input) => findOrThrow(whole('projects'), ({ id }) => id === input.id),
    },
    dns: {
      ...nothing.dns,
      domains: list('domains'),
      entries: async ({ name: wanted, ...filter }) => {
        if (Object.keys(filter).length > 0) throw error;
        return findOrThrow(whole('domains'), ({ name }) => name === wanted).entry_set;
      },
    },
    network: { ...nothing.network, addresses: list('addresses') },
  };
}
