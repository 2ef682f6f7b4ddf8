import type { Place } from '../../engine/context/request.ts';

/** Slack lets a response_url be used five times in thirty minutes. Kept in memory: it is only ever a second way to say something. */
const lifeMs = 30 * 60_000;
const uses = 5;
const most = 5_000;

export interface ResponseUrls {
  readonly keep: (place: Place, user: string, url: string) => void;
  /** One use of it. */
  readonly take: (place: Place, user: string) => string | undefined;
}

export function createResponseUrls(now: () => number): ResponseUrls {
  const urls = new Map<string, { url: string; until: number; left: number }>();
  const keyOf = (place: Place, user: string) => `${place.channel}:${user}`;
  return {
    keep: (place, user, url) => {
      if (place.channel === '') return;
      const key = keyOf(place, user);
      urls.delete(key);
      urls.set(key, { url, until: now() + lifeMs, left: uses });
      const oldest = urls.keys().next().value;
      if (urls.size > most && oldest !== undefined) urls.delete(oldest);
    },
    take: (place, user) => {
      const kept = urls.get(keyOf(place, user));
      if (kept === undefined || kept.left === 0 || kept.until <= now()) return undefined;
      kept.left -= 1;
      return kept.url;
    },
  };
}
