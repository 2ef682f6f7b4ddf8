import { createForwardClock } from '../core/async/forward-clock.ts';
import { createSharedRuns } from '../core/async/shared-runs.ts';
import type { Reader } from './client.ts';
import type { InventoryPart, InventoryParts } from './inventory-parts.ts';
import type { KnownPages } from './pages.ts';
import { recalledReader } from './recalled-reader.ts';

export const parts: readonly InventoryPart[] = ['orders', 'vps', 'ds', 'domains', 'projects', 'addresses'];

type Inventory<Which extends InventoryPart = InventoryPart> = Pick<InventoryParts, Which> & {
  /** The time at which the oldest part was read, in Unix ms; later changes may be missing. */
  readonly readAt: number;
  /** With `staleOk`, the reason why the copy is older than requested. */
  readonly error: unknown;
};

interface InventoryRead<Which extends InventoryPart> {
  /** The parts to read; all by default. */
  readonly only?: readonly Which[];
  /** 0 always reads from the provider. */
  readonly maxAgeMs?: number;
  /** If the provider does not answer, returns the copy in memory, of any age, instead of an error. */
  readonly staleOk?: boolean;
}

export interface InventoryReader {
  read<Which extends InventoryPart = InventoryPart>(options?: InventoryRead<Which>): Promise<Inventory<Which>>;
  /** Returns the copy in memory, of any age, without a request; undefined until every part was read once. */
  peek<Which extends InventoryPart = InventoryPart>(
    only?: readonly Which[],
  ): (Inventory<Which> & { readonly ageMs: number }) | undefined;
  /** A reader that answers from the copies in memory, of any age, and throws `error` for everything else. */
  recall(error: unknown, used: (readAt: number) => void): Reader;
  /** Call after a write: copies in memory, and reads that began before, no longer count as fresh. */
  invalidate(only?: readonly InventoryPart[]): void;
}

interface Kept<Value> {
  readonly value: Value;
  /** The time for people; `since` gives the age, by a clock that is never set back. */
  readonly readAt: number;
  readonly since: number;
}

export function createInventory(
  reader: Reader,
  {
    now = Date.now,
    elapsed = createForwardClock(now),
    maxAgeMs: keepMs = 30_000,
  }: { now?: () => number; elapsed?: () => number; maxAgeMs?: number } = {},
): InventoryReader {
  const clock = { now, elapsed };
  const shelves: { readonly [Name in InventoryPart]: Shelf<InventoryParts[Name]> } = {
    orders: createShelf((knownPages) => reader.orders.list({}, { knownPages }), clock),
    vps: createShelf((knownPages) => reader.vpsOrders.list({}, { knownPages }), clock),
    ds: createShelf((knownPages) => reader.ds.list({}, { knownPages }), clock),
    domains: createShelf((knownPages) => reader.dns.domains({}, { knownPages }), clock),
    projects: createShelf((knownPages) => reader.projects.list({}, { knownPages }), clock),
    addresses: createShelf(() => reader.network.addresses(), clock),
  };

  function assemble<Which extends InventoryPart>(
    which: readonly Which[],
    kept: readonly Kept<unknown>[],
    error: unknown,
  ): Inventory<Which> {
    const values = Object.fromEntries(which.map((part, index) => [part, kept[index]?.value]));
    // Each value comes from the shelf of its name, which the type of Object.fromEntries does not show.
    return { ...values, readAt: Math.min(...kept.map((copy) => copy.readAt)), error } as Inventory<Which>;
  }

  function peek<Which extends InventoryPart = InventoryPart>(only: readonly Which[] = allParts<Which>()) {
    const kept = only.map((part) => shelves[part].peek()).filter((value) => value !== undefined);
    if (kept.length < only.length) return undefined;
    const inventory = assemble(only, kept, undefined);
    return { ...inventory, ageMs: now() - inventory.readAt };
  }

  return {
    async read<Which extends InventoryPart = InventoryPart>(options: InventoryRead<Which> = {}) {
      const { maxAgeMs = keepMs, staleOk = false } = options;
      const which = options.only ?? allParts<Which>();
      const results = await Promise.allSettled(which.map((part) => shelves[part].read(maxAgeMs)));
      const kept: Kept<unknown>[] = [];
      let error: unknown;
      for (const [index, part] of which.entries()) {
        const result = results[index];
        const stale = staleOk ? shelves[part].peek() : undefined;
        if (result?.status === 'fulfilled') kept.push(result.value);
        else if (stale === undefined) throw result?.reason;
        else {
          kept.push(stale);
          error ??= result?.reason;
        }
      }
      return assemble(which, kept, error);
    },

    peek,

    recall: (error, used) => recalledReader(reader, peek, { error, used }),

    invalidate(only = parts) {
      for (const part of only) shelves[part].invalidate();
    },
  };
}

function allParts<Which extends InventoryPart>(): readonly Which[] {
  // Without `only`, Which is its default: all parts.
  return parts as readonly Which[];
}

interface Shelf<Value> {
  read(maxAgeMs: number): Promise<Kept<Value>>;
  peek(): Kept<Value> | undefined;
  invalidate(): void;
}

/**
 * Caches one value. One read runs at a time. Callers that need a fresher value share the next read, so any number of
 * callers cause one request after the other, never several at once.
 */
function createShelf<Value>(
  load: (knownPages: KnownPages) => Promise<Value>,
  { now, elapsed }: { readonly now: () => number; readonly elapsed: () => number },
): Shelf<Value> {
  // Counts invalidations instead of storing their time, since a read and a write can fall into the same millisecond.
  let epoch = 0;
  const knownPages: KnownPages = new Map();
  let kept: (Kept<Value> & { readonly epoch: number }) | undefined;
  let flight: { readonly since: number; readonly epoch: number; readonly promise: Promise<Kept<Value>> } | undefined;

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
    async read(maxAgeMs) {
      const at = elapsed();
      if (kept?.epoch === epoch && at - kept.since < maxAgeMs) return kept;
      if (flight?.epoch === epoch && at - flight.since <= maxAgeMs) return flight.promise;
      return readAgain('');
    },
    peek: () => kept,
    invalidate() {
      epoch += 1;
    },
  };
}
