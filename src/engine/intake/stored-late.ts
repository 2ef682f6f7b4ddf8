import { StoreUnavailable } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';

const most = 1_000;
/** A request that is stored even later counts as left by an ended process. */
const lookedForMs = 60_000;

/**
 * Finds requests whose write seemed to fail because only the database's response was lost. They are stored, so they
 * run, and the bot notifies the requesters.
 */
export function createStoredLate({ store, owner, elapsed }: EngineContext, claimMs: number) {
  const requests = new Map<string, { readonly request: Request; readonly until: number }>();
  return {
    note: (request: Request, error: unknown) => {
      if (error instanceof StoreUnavailable && requests.size < most)
        requests.set(request.id, { request, until: elapsed() + lookedForMs });
    },
    /** Claims the requests that turn out to be stored, and returns each once. */
    list: async (): Promise<Request[]> => {
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
