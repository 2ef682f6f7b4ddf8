import { setBounded } from '../core/async/bounded-map.ts';
import type { Log } from '../engine/context/dependencies.ts';
import type { Place, Request } from '../engine/context/request.ts';
import type { SlackAddresses } from './slack-addresses.ts';

/** Slack allows five uses of a response_url in thirty minutes. In memory only: it is the second choice for answers. */
const lifeMs = 30 * 60_000;
const uses = 5;
const most = 5_000;

export type ResponseUrls = ReturnType<typeof createResponseUrls>;

interface Kept {
  readonly url: string;
  readonly until: number;
  left: number;
}

export function createResponseUrls(
  now: () => number,
  { addresses, log }: { readonly addresses: Pick<SlackAddresses, 'isForAnswers'>; readonly log: Log },
) {
  const ofPlaces = new Map<string, Kept>();
  const ofRequests = new Map<string, Kept>();
  const keyOf = (place: Place, user: string) => `${place.channel}:${user}`;
  return {
    keep: ({ id, place, actor }: Pick<Request, 'id' | 'place' | 'actor'>, url: string) => {
      if (!addresses.isForAnswers(url)) {
        log.warn({ request: id }, "ignoring a response_url that is not Slack's; answers go another way");
        return;
      }
      const kept = { url, until: now() + lifeMs, left: uses };
      setBounded(ofRequests, id, kept, most);
      if (place.channel !== '') setBounded(ofPlaces, keyOf(place, actor), kept, most);
    },
    /** Uses the newest URL from this person and place once. */
    claim: (place: Place, user: string) => use(ofPlaces.get(keyOf(place, user)), now()),
    /** Uses the request's own URL once: only it can replace the clicked message. */
    takeOf: (request: string) => use(ofRequests.get(request), now()),
  };
}

function use(kept: Kept | undefined, now: number): string | undefined {
  if (kept === undefined || kept.left === 0 || kept.until <= now) return undefined;
  kept.left -= 1;
  return kept.url;
}
