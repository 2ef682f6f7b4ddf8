import type { Order } from '../../core/account/account.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import { within } from '../../core/async/within.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { PowerRead } from '../context/last-read.ts';

export type KnownPower = 'on' | 'off' | 'unknown';

/** The power of servers for Home, cached for seconds and shared by all Homes. */
export interface Powers {
  /** The returned function yields undefined for a server whose power was not read in time. */
  readonly read: (servers: readonly Order[]) => Promise<(server: Order) => KnownPower | undefined>;
  /** The last power with its time; undefined if a request has ended since. */
  readonly last: (server: string) => PowerRead | undefined;
  /** Drops all powers after the end of a request, which may have changed them. */
  readonly forget: () => void;
}

const goodForMs = 15_000;
const mostReads = 40;
const atOnce = 6;
/** Keeps the update of Home within two seconds, even if the provider is slow. */
const waitMs = 1_000;

interface Known extends PowerRead {
  /** The time on the monotonic clock, for the age; `readAt` is for people. */
  readonly at: number;
}

export function createPowers(getContext: () => EngineContext): Powers {
  const cached = new Map<string, Known>();
  /** Servers whose last read failed: Home does not show their earlier power. */
  const unread = new Set<string>();
  const reading = new Map<string, Promise<void>>();

  function readOne(id: string): Promise<void> {
    const underWay = reading.get(id);
    if (underWay !== undefined) return underWay;
    const { reader, elapsed, log, now } = getContext();
    const readAt = now();
    const read = reader.vps
      .status({ order_id: id })
      .then(({ status }) => {
        cached.set(id, { power: status, at: elapsed(), readAt });
        unread.delete(id);
      })
      .catch((error) => {
        if (!(error instanceof ProviderError))
          log.warn({ err: error }, 'could not read the power of a server for Home');
        unread.add(id);
      })
      .finally(() => reading.delete(id));
    reading.set(id, read);
    return read;
  }

  return {
    read: async (servers) => {
      const now = getContext().elapsed();
      const due = servers.filter(
        ({ id }) => unread.has(id) || now - (cached.get(id)?.at ?? Number.NEGATIVE_INFINITY) > goodForMs,
      );
      await within(
        eachAtMost(atOnce, due.slice(0, mostReads), ({ id }) => readOne(id)),
        waitMs,
      );
      return ({ id }) => (unread.has(id) ? undefined : cached.get(id)?.power);
    },
    last: (id) => cached.get(id),
    forget: () => {
      cached.clear();
      unread.clear();
    },
  };
}
