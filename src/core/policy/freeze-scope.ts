import { accountTarget, emptyAccount, type ReaderAt, type Target, tagTarget, targetKey } from '../account/account.ts';

/** Scopes of freezes and mutes: `all`, `channel:C…`, `tag:web`, `order:34-12345`, `domain:example.com`. */

export function isInScope(scope: string, channel: string, targets: readonly Target[]): boolean {
  if (scope === 'all' || scope === `channel:${channel}`) return true;
  const tag = scope.toLowerCase();
  return targets.some(
    (target) => targetKey(target) === scope || target.tags.some((own) => `tag:${own.toLowerCase()}` === tag),
  );
}

/** `everything`, `this channel`, `tag:web`, `web-1` */
export function sayScope(scope: string, { orders } = emptyAccount): string {
  if (scope === 'all') return 'everything';
  const [kind, id] = [scope.slice(0, scope.indexOf(':')), scope.slice(scope.indexOf(':') + 1)];
  if (kind === 'order') return orders.find((order) => order.id === id)?.label ?? 'an order';
  return kind === 'channel' ? 'this channel' : kind === 'domain' ? id : scope;
}

/** Everything, what concerns the channel, and otherwise only what people may read. */
export function maySeeScope(scope: string, { channel, may }: ReaderAt): boolean {
  if (['all', `channel:${channel}`].includes(scope) || may('read', accountTarget)) return true;
  return targetsNamed(scope).some((target) => may('read', target));
}

/** A freeze changes nothing that carries the tag, so it needs no right on that; but its words name it. */
export function targetsNamed(scope: string): readonly Target[] {
  return scope.startsWith('tag:') ? [tagTarget(scope.slice('tag:'.length))] : [];
}
