import { type Account, emptyAccount, type Target, targetKey } from '../account/account.ts';

/** Scopes of freezes and mutes: `all`, `channel:C…`, `tag:web`, `order:34-12345`, `domain:example.com`. */

export function isInScope(scope: string, channel: string, targets: readonly Target[]): boolean {
  if (scope === 'all' || scope === `channel:${channel}`) return true;
  const tag = scope.toLowerCase();
  return targets.some(
    (target) => targetKey(target) === scope || target.tags.some((own) => `tag:${own.toLowerCase()}` === tag),
  );
}

/** `everything`, `this channel`, `tag:web`, `web-1` */
export function sayScope(scope: string, { orders }: Pick<Account, 'orders'> = emptyAccount): string {
  if (scope === 'all') return 'everything';
  const [kind, id] = [scope.slice(0, scope.indexOf(':')), scope.slice(scope.indexOf(':') + 1)];
  if (kind === 'order') return orders.find((order) => order.id === id)?.label ?? 'an order';
  return kind === 'channel' ? 'this channel' : kind === 'domain' ? id : scope;
}
