import type { Order } from './account.ts';

interface Index {
  /** The id, names and addresses of all orders, in lower case, one order a line. */
  readonly text: string;
  /** Where each line begins. */
  readonly starts: readonly number[];
}

/** What an order is looked for by. */
export function namesOf({ id, name, hostname, addresses }: Order): readonly string[] {
  return [id, name, hostname ?? '', ...addresses];
}

const indexes = new WeakMap<readonly Order[], Index>();

/** Those whose id, names or addresses hold the word: all are searched as one text, and ten thousand are no wait. */
export function ordersWith(orders: readonly Order[], word: string): ReadonlySet<Order> {
  const wanted = word.toLowerCase();
  if (wanted === '') return new Set(orders);
  const found = new Set<Order>();
  // No name holds what parts them.
  if (/[\0\n]/.test(wanted)) return found;
  const { text, starts } = indexOf(orders);
  let line = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, starts[line] ?? text.length)) {
    line = lineAt(starts, at) + 1;
    const order = orders[line - 1];
    if (order !== undefined) found.add(order);
  }
  return found;
}

function indexOf(orders: readonly Order[]): Index {
  const known = indexes.get(orders);
  if (known !== undefined) return known;
  const starts: number[] = [];
  let length = 0;
  const lines = orders.map((order) => {
    const line = namesOf(order).join('\0').toLowerCase();
    starts.push(length);
    length += line.length + 1;
    return line;
  });
  const index = { text: lines.join('\n'), starts };
  indexes.set(orders, index);
  return index;
}

/** The last that begins at or before. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
