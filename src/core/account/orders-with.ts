import { hasAddress, namesOf, type Order } from './account.ts';

/** Finds the orders with the lower-case word in their id, names or addresses, or as a tag or project. */
export function ordersWith(orders: readonly Order[], word: string): ReadonlySet<Order> {
  const line = `\n${word}\n`;
  const isThere = hasAddress(word);
  const matches = orders.filter(
    (order) =>
      namesOf(order).join('\n').toLowerCase().includes(word) ||
      `\n${[...order.tags, order.project?.name ?? ''].join('\n').toLowerCase()}\n`.includes(line) ||
      isThere(order),
  );
  return new Set(matches);
}
