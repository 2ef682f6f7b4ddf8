import type { Order } from '../account/account.ts';

/** The only order whose name equals the word except for case, spaces and hyphens: `web1`, `WEB 1`. */
export function looselyOne(word: string, orders: readonly Order[]): Order | undefined {
  const wanted = bareLoosely(word);
  if (wanted === '') return undefined;
  const [only, second] = orders.filter(({ name, hostname }) =>
    [name, hostname ?? ''].some((candidate) => bareLoosely(candidate) === wanted),
  );
  return second === undefined ? only : undefined;
}

export function bareLoosely(name: string): string {
  return name.toLowerCase().replace(/[\s_\p{Pd}]/gu, '');
}

/** The names of the account that a person may read, by their spelling without spaces and hyphens. */
export type Names = ReadonlyMap<string, string>;

/** `ci` is `ci-1` where no other name begins so, and `all web servers` is `tag:web`. */
export function namesOf(orders: readonly Order[], others: readonly string[]): Names {
  const names = new Map<string, string>();
  for (const tag of new Set(orders.flatMap(({ tags }) => tags)))
    for (const before of ['tag', 'all', 'every', 'allthe', ''])
      for (const behind of ['servers', 'server', ''])
        if (before !== '' || behind === 'servers') names.set(`${before}${bareLoosely(tag)}${behind}`, `tag:${tag}`);
  const spelled = orders.map(({ kind, label, hostname }) => ({ kind, label, hostname, loose: bareLoosely(label) }));
  const servers = spelled.filter(({ kind }) => kind !== 'other');
  const byStart = Map.groupBy(servers, ({ loose }) => loose.replace(/\d{1,4}$/, ''));
  for (const [start, [only, second]] of byStart)
    if (only !== undefined && second === undefined)
      for (const behind of ['', 'server', 'machine', 'computer', 'box']) names.set(`${start}${behind}`, only.label);
  for (const name of others) names.set(bareLoosely(name), name);
  for (const { label, hostname, loose } of spelled) {
    if (hostname !== null) names.set(bareLoosely(hostname), label);
    names.set(loose, label);
  }
  return names;
}
