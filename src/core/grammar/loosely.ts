import type { Order } from '../account/account.ts';

/** The only order whose name equals the word except for case, spaces and hyphens: `web1`, `WEB 1`. */
export function looselyOne(word: string, orders: readonly Order[]): Order | undefined {
  const wanted = bare(word);
  if (wanted === '') return undefined;
  const [only, second] = orders.filter(({ name, hostname }) =>
    [name, hostname ?? ''].some((candidate) => bare(candidate) === wanted),
  );
  return second === undefined ? only : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s_\p{Pd}]/gu, '');
}
