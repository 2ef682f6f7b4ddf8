import { type Order, orderTarget } from '../account/account.ts';
import { looselyOne } from '../grammar/loosely.ts';
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
  const resolve = (name: string) => ordersCalled(name, reading, kinds, onDedicated);
  const resolved = resolveNames(words, reading, kinds, { resolve, joined: (order) => order });
  return [...new Map(resolved.map((item) => [item.id, item])).values()];
}

/** The orders of a tag, or the one of this name. */
export function ordersCalled(
  name: string,
  reading: Reading,
  kinds: readonly Order['kind'][],
  onDedicated?: string,
): readonly Order[] {
  return name.toLowerCase().startsWith('tag:')
    ? resolveOrders(name, reading, kinds)
    : [resolveOrder(name, reading, kinds, onDedicated)];
}

interface Names<T> {
  readonly resolve: (name: string) => readonly T[];
  /** For an order that two words together name. */
  readonly joined: (order: Order) => T;
}

/** Resolves each name of a list of words. */
export function resolveNames<T>(
  words: readonly string[],
  reading: Reading,
  kinds: readonly Order['kind'][],
  { resolve, joined: fromOrder }: Names<T>,
): readonly T[] {
  const names = words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '' && !/^(and|&|\+|plus)$/i.test(word));
  const resolved: T[] = [];
  for (let at = 0; at < names.length; at++) {
    const [name = '', next] = names.slice(at, at + 2);
    try {
      resolved.push(...resolve(name));
    } catch (error) {
      if (!(error instanceof NotOne)) throw error;
      // `web 1`
      const joined = next === undefined ? undefined : joinedName(name, next, reading, kinds);
      if (joined === undefined) throw amongOthers(error, name, names, kinds);
      resolved.push(fromOrder(joined));
      at += 1;
    }
  }
  return resolved;
}

/** The only one that two words together name: `web 1` for `web-1`. */
function joinedName(
  name: string,
  next: string,
  { account, maySee, addNote }: Reading,
  kinds: readonly Order['kind'][],
): Order | undefined {
  const number = /^(\d+)[.!?]*$/.exec(next)?.[1];
  if (addNote === undefined || number === undefined) return undefined;
  const seen = account.orders.filter((order) => kinds.includes(order.kind) && maySee(orderTarget(order)));
  const match = looselyOne(`${name}${number}`, seen);
  if (match !== undefined) addNote(`Took “${name} ${number}” as ${match.label}.`);
  return match;
}

/** A candidate stands for its own word alone, and the others stay. A word for everything excludes other candidates. */
function amongOthers(error: NotOne, name: string, names: readonly string[], kinds: readonly Order['kind'][]): Error {
  const exception = names.find(isException);
  if (exception !== undefined) return noExceptions(exception, nounOf(kinds));
  if (names.length === 1) return error;
  const candidates = error.candidates
    .filter(({ isGroup }) => !isGroup)
    .map((candidate) => {
      const withOthers = (own: readonly string[]) => names.flatMap((other) => (other === name ? own : [other]));
      return {
        ...candidate,
        values: withOthers(candidate.values),
        names: withOthers(candidate.names ?? candidate.values),
      };
    });
  return new NotOne(error.reason, error.text, error.hint ?? '', candidates, error.suggestions);
}
