import { ProviderError } from '../core/errors.ts';
import type { ProviderRequest } from './exchange-types.ts';
import type { Transport } from './transport.ts';

interface Page {
  readonly next?: string | null | undefined;
  readonly results: readonly unknown[];
}

const maxPages = 1000;

/**
 * Follows `next` to the end: how large a page may be is not known, so a short page says nothing. Each link must lead
 * to the same list on the configured server, for it carries our key there.
 */
export async function readPages(
  transport: Pick<Transport, 'baseUrl' | 'send'>,
  first: ProviderRequest,
  parse: (answer: unknown) => Page,
): Promise<unknown[]> {
  const home = new URL(transport.baseUrl + first.path);
  const prefix = new URL(transport.baseUrl).pathname.replace(/\/$/, '');
  const seen = new Set<string>();
  const items: unknown[] = [];
  for (let path = first.path; ; ) {
    if (seen.has(path)) throw misled(first, 'next leads in a circle');
    if (seen.size === maxPages) throw misled(first, `the list does not end after ${maxPages} pages`);
    seen.add(path);
    const page = parse(await transport.send({ ...first, path }));
    items.push(...page.results);
    if (page.next === undefined || page.next === null || page.next === '') return items;
    const next = URL.parse(page.next, home.href) ?? undefined;
    if (next?.origin !== home.origin || next.pathname !== home.pathname) {
      throw misled(first, `next leads away from ${home.origin}${home.pathname}`);
    }
    path = next.pathname.slice(prefix.length) + next.search;
  }
}

function misled(request: ProviderRequest, words: string): ProviderError {
  return new ProviderError('shape', request.endpoint, { words: `the answer does not fit: ${words}` });
}
