import type { Order } from '../../core/account.ts';
import { ProviderError } from '../../core/errors.ts';
import { eachAtMost } from '../../core/limit.ts';
import { within } from '../../core/within.ts';
import type { EngineContext } from '../context/engine-context.ts';

export type KnownPower = 'on' | 'off' | 'unknown';

/** The power of servers for the Home tab, read once for all who open it within some seconds. */
export interface Powers {
  /** Undefined for a server whose power is not known in time. */
  readonly read: (servers: readonly Order[]) => Promise<(server: Order) => KnownPower | undefined>;
  /** Called when a request ended: the power may have changed. */
  readonly forget: () => void;
}

const goodForMs = 15_000;
const mostReads = 40;
const atOnce = 6;
/** Home is updated within two seconds, even if the provider is slow. */
const waitMs = 1_000;

export function createPowers(getContext: () => EngineContext): Powers {
  const known = new Map<string, { readonly power: KnownPower; readonly at: number }>();
  const reading = new Map<string, Promise<void>>();

  function readOne(id: string): Promise<void> {
    const underWay = reading.get(id);
    if (underWay !== undefined) return underWay;
    const { reader, elapsed, log } = getContext();
    const read = reader.vps
      .status({ order_id: id })
      .then(({ status }) => void known.set(id, { power: status, at: elapsed() }))
      .catch((error) => {
        if (!(error instanceof ProviderError)) log.warn({ err: error }, 'reading the power of a server for Home');
        known.delete(id);
      })
      .finally(() => reading.delete(id));
    reading.set(id, read);
    return read;
  }

  return {
    read: async (servers) => {
      const now = getContext().elapsed();
      const due = servers.filter(({ id }) => now - (known.get(id)?.at ?? Number.NEGATIVE_INFINITY) > goodForMs);
      await within(
        eachAtMost(atOnce, due.slice(0, mostReads), ({ id }) => readOne(id)),
        waitMs,
      );
      return ({ id }) => known.get(id)?.power;
    },
    forget: () => known.clear(),
  };
}
