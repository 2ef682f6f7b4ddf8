import { type Target, targetKey } from '../../core/account.ts';
import type { EngineContext } from '../context/engine-context.ts';

/**
 * Returns, as a sentence, why nothing runs here now; undefined when nothing is frozen. The bot's own settings are never
 * frozen.
 */
export async function frozenBy(
  context: Pick<EngineContext, 'now' | 'store'>,
  channel: string,
  targets: readonly Target[],
): Promise<string | undefined> {
  if (targets.length > 0 && targets.every((target) => target.kind === 'channel')) return undefined;
  const { store, now } = context;
  const tags = new Set(targets.flatMap((target) => target.tags.map((tag) => `tag:${tag.toLowerCase()}`)));
  const keys = new Set(targets.map(targetKey));
  const hit = (await store.freezes.active(now())).find(
    ({ scope }) =>
      scope === 'all' || scope === `channel:${channel}` || tags.has(scope.toLowerCase()) || keys.has(scope),
  );
  if (hit === undefined) return undefined;
  const what = hit.scope === 'all' ? 'everything' : hit.scope === `channel:${channel}` ? 'this channel' : hit.scope;
  const until =
    hit.until === null
      ? 'until somebody ends it'
      : `until ${new Date(hit.until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${what} is frozen ${until}: ${hit.reason}. See /host freeze list.`;
}
