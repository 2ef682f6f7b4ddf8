import { createForwardClock } from '../core/async/forward-clock.ts';
import { createSharedRuns } from '../core/async/shared-runs.ts';
import { type Reader, readerWith } from './client.ts';
import type { KnownPages } from './pages.ts';

/** The account's contents. VPS and dedicated servers are in `orders` too; their own lists add the configuration. */
const lists = {
  orders: (reader: Reader, knownPages: KnownPages) => reader.orders.list({}, { knownPages }),
  vps: (reader: Reader, knownPages: KnownPages) => reader.vpsOrders.list({}, { knownPages }),
  ds: (reader: Reader, knownPages: KnownPages) => reader.ds.list({}, { knownPages }),
  /** Domains with their records, which the domain list includes. */
  domains: (reader: Reader, knownPages: KnownPages) => reader.dns.domains({}, { knownPages }),
  projects: (reader: Reader, knownPages: KnownPages) => reader.projects.list({}, { knownPages }),
  /** All addresses, each with its order; an order's own list of addresses may be incomplete. */
  addresses: (reader: Reader) => reader.network.addresses(),
};

type InventoryPart = keyof typeof lists;
export type InventoryParts = { readonly [Part in InventoryPart]: Awaited<ReturnType<(typeof lists)[Part]>> };
// Object.keys does not show that its texts are the names of the lists.
export const parts = Object.keys(lists) as readonly InventoryPart[];

type Inventory<Which extends InventoryPart> = Pick<InventoryParts, Which> & {
  /** The time at which the oldest part was read, in Unix ms; later changes may be missing. */
  readonly readAt: number;
  /** With `staleOk`, the reason why the copy is older than requested. */
  readonly error: unknown;
};

const freshForMs = 30_000;

export type InventoryReader = ReturnType<typeof createInventory>;

export function createInventory(
  reader: Reader,
  { now = Date.now, elapsed = createForwardClock(now) }: { now?: () => number; elapsed?: () => number } = {},
) {
  const shelfOf = (part: InventoryPart) => createShelf((knownPages) => lists[part](reader, knownPages), now, elapsed);
  // Object.fromEntries does not show that each part has its shelf.
  const shelves = Object.fromEntries(parts.map((part) => [part, shelfOf(part)])) as Record<
    InventoryPart,
    ReturnType<typeof createShelf>
  >;

  function assemble<Which extends InventoryPart>(which: readonly Which[], kept: readonly Kept[], error?: unknown) {
    const values = Object.fromEntries(which.map((part, index) => [part, kept[index]?.value]));
    // Each value comes from the shelf of its name, which the type of Object.fromEntries does not show.
    return { ...values, readAt: Math.min(...kept.map((copy) => copy.readAt)), error } as Inventory<Which>;
  }

  /** Returns the copy in memory, of any age, without a request; undefined until every part was read once. */
  function peek<Which extends InventoryPart>(which: readonly Which[]): Inventory<Which> | undefined {
    const kept = which.flatMap((part) => shelves[part].peek() ?? []);
    return kept.length < which.length ? undefined : assemble(which, kept);
  }

  /**
   * A reader that sends no requests: it answers from the copies in memory, of any age, and reports the time of each
   * that it uses. Reads of anything else throw `error`.
   */
  function recall(error: unknown, used: (readAt: number) => void): Reader {
    const nothing = readerWith(() => async () => {
      throw error;
    });

    function whole<Part extends InventoryPart>(part: Part): InventoryParts[Part] {
      const copy = peek([part]);
      if (copy === undefined) throw error;
      used(copy.readAt);
      // The copy has the requested part, which the generic Pick hides.
      return (copy as Pick<InventoryParts, Part>)[part];
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
    const read =
      <Part extends 'orders' | 'vps' | 'ds'>(part: Part) =>
      async ({ order_id }: { readonly order_id: string }) => {
        const items: readonly InventoryParts[Part][number][] = whole(part);
        return findOrThrow(items, ({ id }) => id === order_id);
      };

    return {
      ...nothing,
      orders: { ...nothing.orders, list: list('orders'), read: read('orders') },
      vpsOrders: { ...nothing.vpsOrders, list: list('vps'), read: read('vps') },
      ds: { ...nothing.ds, list: list('ds'), read: read('ds') },
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

  return {
    peek,
    recall,

    /**
     * Returns these parts, at most so old: 0 always reads from the provider. If the provider does not answer, `staleOk`
     * returns the copy in memory, of any age, instead of an error.
     */
    async read<Which extends InventoryPart>(
      which: readonly Which[],
      { maxAgeMs = freshForMs, staleOk = false }: { maxAgeMs?: number; staleOk?: boolean } = {},
    ): Promise<Inventory<Which>> {
      let error: unknown;
      const reads = which.map((part) =>
        shelves[part].read(maxAgeMs).catch((reason: unknown) => {
          const stale = staleOk ? shelves[part].peek() : undefined;
          if (stale === undefined) throw reason;
          error ??= reason;
          return stale;
        }),
      );
      const kept = await Promise.all(reads);
      return assemble(which, kept, error);
    },

    /** Call after a write: copies in memory, and reads that began before, no longer count as fresh. */
    invalidate() {
      for (const part of parts) shelves[part].invalidate();
    },
  };
}

interface Kept {
  readonly value: unknown;
  /** The time for people; `since` gives the age, by a clock that is never set back. */
  readonly readAt: number;
  readonly since: number;
}

/**
 * Caches one value. One read runs at a time. Callers that need a fresher value share the next read, so any number of
 * callers cause one request after the other, never several at once.
 */
function createShelf(load: (knownPages: KnownPages) => Promise<unknown>, now: () => number, elapsed: () => number) {
  // Counts invalidations instead of storing their time, since a read and a write can fall into the same millisecond.
  let epoch = 0;
  const knownPages: KnownPages = new Map();
  let kept: (Kept & { readonly epoch: number }) | undefined;
  let flight: { readonly since: number; readonly epoch: number; readonly promise: Promise<Kept> } | undefined;

  const readAgain = createSharedRuns(() => {
    const started = { readAt: now(), since: elapsed(), epoch };
    const promise = load(knownPages)
      .then((value) => {
        kept = { ...started, value };
        return kept;
      })
      .finally(() => {
        flight = undefined;
      });
    flight = { ...started, promise };
    return promise;
  });

  return {
    async read(maxAgeMs: number): Promise<Kept> {
      const at = elapsed();
      if (kept?.epoch === epoch && at - kept.since < maxAgeMs) return kept;
      if (flight?.epoch === epoch && at - flight.since <= maxAgeMs) return flight.promise;
      return readAgain('');
    },
    peek: (): Kept | undefined => kept,
    invalidate() {
      epoch += 1;
    },
  };
}
