import { type Target, targetKey } from '../account/account.ts';

/** True if this scope contains the channel or one of the targets: `all`, `channel:C…`, `tag:web`, `order:34-12345`. */
export function isInScope(scope: string, channel: string, targets: readonly Target[]): boolean {
  if (scope === 'all' || scope === `channel:${channel}`) return true;
  const tag = scope.toLowerCase();
  return targets.some(
    (target) => targetKey(target) === scope || target.tags.some((own) => `tag:${own.toLowerCase()}` === tag),
  );
}
