import { ProviderError } from '../core/view/errors.ts';
import type { Endpoint } from './endpoint.ts';

const askAgainMs = 5 * 60_000;

/**
 * Reads that a provider does not have: a list without parameters cannot have been removed. Most commands read some of
 * them, so each is asked for once in five minutes. A provider that answers 404 to everything is at another address.
 */
export function createAbsent(now: () => number = () => performance.now()) {
  const until = new Map<string, number>();
  const answered = new Set<string>();
  return {
    async asking<T>({ route, effect }: Pick<Endpoint, 'route' | 'effect'>, ask: () => Promise<T>): Promise<T> {
      if (effect !== 'read' || route.includes('{')) return ask();
      if (now() < (until.get(route) ?? 0)) throw new ProviderError('absent', route, { status: 404 });
      try {
        const answer = await ask();
        answered.add(route);
        return answer;
      } catch (error) {
        const isAbsent = error instanceof ProviderError && error.kind === 'not_found';
        if (!isAbsent || answered.has(route) || answered.size === 0) throw error;
        until.set(route, now() + askAgainMs);
        throw new ProviderError('absent', route, { status: 404, words: error.words, cause: error });
      }
    },
  };
}
