import type { Order } from '../account/account.ts';
import { isException, noExceptions } from './left-out.ts';
import { NotOne } from './not-one.ts';
import { nounOf, type Reading, resolveOrder, resolveOrders } from './targets.ts';

/** Resolves all orders that the words name: `web-1 and web-2`, `web-1,web-2`, `tag:web db-1`. */
export function resolveSeveral(
  words: readonly string[],
  reading: Reading,
  kinds: readonly Order['kind'][],
  onDedicated?: string,
): readonly Order[] {
  const names = words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '' && !/^(and|&|\+|plus)$/i.test(word));
  const found = names.flatMap((name) => {
    try {
      return name.toLowerCase().startsWith('tag:')
        ? resolveOrders(name, reading, kinds)
        : [resolveOrder(name, reading, kinds, onDedicated)];
    } catch (error) {
      throw error instanceof NotOne ? amongOthers(error, name, names, kinds) : error;
    }
  });
  return [...new Map(found.map((item) => [item.id, item])).values()];
}

/**
 * Makes candidates for one word that keep the other words. Groups are dropped: they cannot replace one name among
 * others.
 */
function amongOthers(error: NotOne, name: string, names: readonly string[], kinds: readonly Order['kind'][]): Error {
  const exception = names.find(isException);
  if (exception !== undefined) return noExceptions(exception, nounOf(kinds));
  if (names.length === 1) return error;
  const candidates = error.candidates
    .filter(({ isGroup }) => !isGroup)
    .map((one) => {
      const withOthers = (own: readonly string[]) => names.flatMap((other) => (other === name ? own : [other]));
      return { ...one, values: withOthers(one.values), names: withOthers(one.names ?? one.values) };
    });
  return new NotOne(error.reason, error.text, error.hint ?? '', candidates, error.suggestions);
}
