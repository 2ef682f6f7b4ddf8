import type { Account, Order } from './account.ts';

/** Whole words only: `web-1` is not found in `web-10`. */
export function serversIn(text: string, account: Account): Order[] {
  const words = new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}.:_-]+/u)
      .flatMap((word) => [word, word.replace(/[.:]+$/, ''), word.replace(/:\d+$/, '')]),
  );
  return account.orders.filter((order) =>
    [order.id, order.name, order.hostname, ...order.addresses].some(
      (name) => name !== null && name !== '' && words.has(name.toLowerCase()),
    ),
  );
}
