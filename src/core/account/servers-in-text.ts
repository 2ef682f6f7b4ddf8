import { withoutEnd } from '../text/words.ts';
import { type Account, namesOf, type Order } from './account.ts';
import { canonicalAddress } from './ip-address.ts';

/** A text may come from the holder of a hook, and each of its words is compared. */
const mostCharacters = 10_000;

/** Finds the servers that a text names, in the account's order. Whole words only: `web-1` is not found in `web-10`. */
export function createServerFinder(account: Account): (text: string) => Order[] {
  const places = new Map<string, number[]>();
  for (const [place, order] of account.orders.entries()) {
    for (const name of new Set(namesOf(order))) {
      const key = canonicalAddress(name) ?? name.toLowerCase();
      const indexes = places.get(key);
      if (indexes !== undefined) indexes.push(place);
      else if (key !== '') places.set(key, [place]);
    }
  }
  return (text) => {
    const words = text
      .slice(0, mostCharacters)
      .toLowerCase()
      .split(/[^\p{L}\p{N}.:_-]+/u)
      .flatMap((word) => [word, withoutEnd(word, '.:'), word.replace(/:\d+$/, '')])
      .map((word) => canonicalAddress(word) ?? word);
    const matches = new Set(words.flatMap((word) => places.get(word) ?? []));
    return [...matches].toSorted((a, b) => a - b).flatMap((place) => account.orders[place] ?? []);
  };
}
