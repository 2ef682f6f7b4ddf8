import { NotOne } from '../../core/targets/not-one.ts';
import { nearest } from '../../core/text/nearest.ts';
import { firstFew } from '../../core/text/words.ts';
import type { Refusal } from '../../core/view/errors.ts';

/** An item of a catalog. */
export interface Item {
  readonly id: number | string;
  readonly name: string;
}

/** Finds an item by id, name, or unique part of a name. Several matches are refused with the candidates. */
export function findItem<T extends Item>(
  word: string,
  items: readonly T[],
  { noun, field, see }: { readonly noun: string; readonly field: string; readonly see: string },
): T {
  const wanted = word.trim().toLowerCase();
  const ways: ((item: T) => boolean)[] = [
    (item) => String(item.id).toLowerCase() === wanted,
    (item) => item.name.toLowerCase() === wanted,
    (item) => item.name.toLowerCase().startsWith(wanted),
    (item) => item.name.toLowerCase().includes(wanted),
  ];
  for (const way of ways) {
    const matches = items.filter(way);
    const [only] = matches;
    if (only !== undefined && matches.length === 1) return only;
    if (matches.length > 1) {
      const names = matches.map((item) => `${item.name} (${item.id})`);
      throw atField(
        field,
        new NotOne(
          'ambiguous',
          `${word} is not one ${noun}: ${firstFew(names, 8)}.`,
          'Which one?',
          candidates(matches),
        ),
      );
    }
  }
  const near = nearest(
    wanted,
    items.map((item) => item.name),
  );
  const meant = items.filter((item) => item.name === near);
  throw atField(
    field,
    new NotOne(
      'not_found',
      `There is no ${noun} ${word}.`,
      near === undefined ? `See /host ${see}.` : `Did you mean ${near}?`,
      candidates(meant),
    ),
  );
}

function candidates(items: readonly Item[]) {
  return items.slice(0, 5).map(({ id, name }) => ({ label: name, values: [String(id)] }));
}

function atField<R extends Refusal>(field: string, refusal: R): R {
  refusal.field = field;
  return refusal;
}
