import { StoreUnavailable } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';

/**
 * Finds requests whose write seemed to fail because only the database's response was lost. They are stored, so they
 * run, and the bot notifies the requesters.
 */
interface StoredLate {
  readonly note: (request: Request, error: unknown) => void;
  /** Claims the requests that turn out to be stored, and returns each once. */
  readonly list: () => Promise<Request[]>;
}

const most = 1_000;
/** A request that is stored even later counts as left by an ended process. */
const lookedForMs = 60_000;

export function createStoredLate(
  { store, owner, elapsed }: Pick<EngineContext, 'store' | 'owner' | 'elapsed'>,
  claimMs: number,
): StoredLate {
  const requests = new Map<string, { readonly request: Request; readonly until: number }>();
  return {
    note: (request, error) => {
      if (error instanceof StoreUnavailable && requests.size < most)
        requests.set(request.id, { request, until: elapsed() + lookedForMs });
    },
    list: async () => {
      if (requests.size === 0) return [];
      // An insert may take effect after its connection broke, so one check is not enough.
      for (const [id, { until }] of requests) if (until <= elapsed()) requests.delete(id);
      const stored = await store.inbox.keep([...requests.keys()], owner, claimMs);
      return stored.flatMap((id) => {
        const noted = requests.get(id);
        return noted !== undefined && requests.delete(id) ? [noted.request] : [];
      });
    },
  };
}
