import type { Order } from '../account/account.ts';
import { looselyOne } from '../grammar/loosely.ts';
import { count } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import { isException, noExceptions } from './left-out.ts';
import { NotOne } from './not-one.ts';
import { nounOf, type OrderReading, resolveOrder, resolveOrders, seenOrders } from './targets.ts';

/** Resolves all orders that the words name: `web-1 and web-2`, `web-1,web-2`, `tag:web db-1`. */
export function resolveSeveral(words: readonly string[], reading: OrderReading): readonly Order[] {
  const noun = nounOf(reading.kinds);
  return resolveNames<Order>(words, reading, {
    resolve: (name) => ordersCalled(name, reading),
    idOf: ({ id }) => id,
    noun,
    none: [`No ${noun} is named.`, 'Name one, or several, or tag:web.'],
  });
}

export function ordersCalled(name: string, reading: OrderReading): readonly Order[] {
  return name.toLowerCase().startsWith('tag:') ? resolveOrders(name, reading) : [resolveOrder(name, reading)];
}

interface Names<T> {
  readonly resolve: (name: string) => readonly T[];
  readonly idOf: (item: T | Order) => string;
  readonly noun: string;
  /** The refusal of no name. */
  readonly none: readonly [text: string, hint: string];
}

const mostAtOnce = 50;

/** Resolves each name of a list of words, and each thing once. */
export function resolveNames<T>(
  words: readonly string[],
  reading: OrderReading,
  { resolve, idOf, noun, none: [text, hint] }: Names<T>,
): readonly (T | Order)[] {
  const names = words
    .flatMap((word) => word.split(','))
    .filter((word) => word !== '' && !/^(and|&|\+|plus)$/i.test(word));
  const resolved = new Map<string, T | Order>();
  const add = (items: readonly (T | Order)[]) => {
    for (const item of items) resolved.set(idOf(item), item);
  };
  for (let at = 0; at < names.length; at++) {
    const [name = '', next] = names.slice(at, at + 2);
    try {
      add(resolve(name));
    } catch (error) {
      if (!(error instanceof NotOne)) throw error;
      // `web 1`
      const joined = next === undefined ? undefined : joinedName(name, next, reading);
      if (joined === undefined) throw amongOthers(error, name, names, reading);
      add([joined]);
      at += 1;
    }
  }
  if (resolved.size === 0) throw new Refusal('bad_value', text, { hint });
  if (resolved.size <= mostAtOnce) return [...resolved.values()];
  throw new Refusal('bad_value', `That is ${count(resolved.size, noun)} at once.`, {
    hint: `At most ${mostAtOnce} fit on one card: name fewer.`,
  });
}

/** The only one that two words together name: `web 1` for `web-1`. */
function joinedName(name: string, next: string, reading: OrderReading): Order | undefined {
  const { addNote } = reading;
  const number = /^(\d+)[.!?]*$/.exec(next)?.[1];
  if (addNote === undefined || number === undefined) return undefined;
  const match = looselyOne(`${name}${number}`, seenOrders(reading));
  if (match !== undefined) addNote(`Took “${name} ${number}” as ${match.label}.`);
  return match;
}

/** A candidate stands for its own word alone, and the others stay. A word for everything excludes other candidates. */
function amongOthers(error: NotOne, name: string, names: readonly string[], { kinds }: OrderReading): Error {
  const exception = names.find(isException);
  if (exception !== undefined) return noExceptions(exception, nounOf(kinds));
  if (names.length === 1) return error;
  const withOthers = (own: readonly string[]) => names.flatMap((other) => (other === name ? own : [other]));
  const single = error.candidates.filter(({ isGroup }) => !isGroup);
  const candidates = single.map((candidate) => {
    const { values, names = values } = candidate;
    return { ...candidate, values: withOthers(values), names: withOthers(names) };
  });
  return new NotOne(error.reason, error.text, error.hint ?? '', candidates, error.suggestions);
}
