import { NotOne } from '../../core/targets/not-one.ts';
import { firstFew, nearest } from '../../core/text/words.ts';

export interface Item {
  readonly id: number | string;
  readonly name: string;
}

type Sought = Readonly<Record<'field' | 'noun' | 'see', string>>;

/** Finds an item by id, name, or unique part of a name. Several matches are refused with the candidates. */
export function findItem<T extends Item>(word: string, items: readonly T[], { noun, field, see }: Sought): T {
  const wanted = word.trim().toLowerCase();
  const ways: ((item: T) => boolean)[] = [
    (item) => String(item.id).toLowerCase() === wanted,
    (item) => item.name.toLowerCase() === wanted,
    (item) => item.name.toLowerCase().startsWith(wanted),
    (item) => item.name.toLowerCase().includes(wanted),
  ];
  const refused = (reason: NotOne['reason'], text: string, hint: string, items: readonly Item[]) => {
    const candidates = items.slice(0, 5).map(({ id, name }) => ({ label: name, values: [String(id)] }));
    return Object.assign(new NotOne(reason, text, hint, candidates), { field });
  };
  for (const way of ways) {
    const matches = items.filter(way);
    const [only] = matches;
    if (only !== undefined && matches.length === 1) return only;
    if (matches.length > 1) {
      const names = firstFew(matches, 8, ({ name, id }) => `${name} (${id})`);
      throw refused('ambiguous', `${word} is not one ${noun}: ${names}.`, 'Which one?', matches);
    }
  }
  const names = items.map(({ name }) => name);
  const near = nearest(wanted, names);
  const hint = near === undefined ? `See /host ${see}.` : `Did you mean ${near}?`;
  const meant = items.filter((item) => item.name === near);
  throw refused('not_found', `There is no ${noun} ${word}.`, hint, meant);
}
