import { ProviderError } from '../core/view/errors.ts';
import { type EndpointRoute, effectOf } from './endpoint.ts';

const retryAfterMs = 5 * 60_000;

/**
 * Remembers the reads that the provider does not offer: a 404 for a list without parameters cannot mean a removed item.
 * Most commands read several lists, so an absent one is requested once in five minutes. If no list answers, the 404 is
 * passed on unchanged: the API's address is probably wrong.
 */
export function createAbsent(now: () => number = () => performance.now()) {
  const until = new Map<string, number>();
  const answered = new Set<string>();
  return async <T>(route: EndpointRoute, send: () => Promise<T>): Promise<T> => {
    if (effectOf(route) !== 'read' || route.includes('{')) return send();
    if (now() < (until.get(route) ?? 0)) throw new ProviderError('absent', route, { status: 404 });
    try {
      const answer = await send();
      answered.add(route);
      return answer;
    } catch (error) {
      const isAbsent = error instanceof ProviderError && error.kind === 'not_found';
      if (!isAbsent || answered.has(route) || answered.size === 0) throw error;
      until.set(route, now() + retryAfterMs);
      throw new ProviderError('absent', route, { status: 404, words: error.words, cause: error });
    }
  };
}
