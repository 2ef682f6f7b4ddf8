import { z } from 'zod';
import { ProviderError } from '../core/errors.ts';
import type { ProviderRequest } from './exchange-types.ts';
import { issuesOf } from './issues.ts';
import { idOf } from './items.ts';
import type { Transport } from './transport.ts';

const pageSchema = z.object({
  count: z.unknown(),
  next: z.string().nullish(),
  results: z.array(z.unknown()),
});

const maxPages = 1000;
const maxBytes = 64 * 1024 * 1024;
const maxItems = 100_000;
/** A list that shifts while it is read is read again so often. */
const maxReads = 3;

type Caller = Pick<Transport, 'baseUrl' | 'send'>;

/**
 * All items of a paginated list. An item that is added or removed between two pages shifts the others: one is then seen
 * twice, or not at all. So the list is read again when it does not hold as many different items as it says.
 */
export async function readPages(transport: Caller, first: ProviderRequest): Promise<unknown[]> {
  for (let reads = 1; ; reads += 1) {
    const { items, counts, pages } = await readOnce(transport, first);
    const distinct = distinctItems(items);
    // A page that was read after the shift knows only the new count, so every page's counts.
    const isWhole = pages === 1 || [...counts].every((count) => count === distinct.length);
    if (isWhole || reads === maxReads) return distinct;
  }
}

/**
 * Follows `next` to the end: how large a page may be is not known, so a short page says nothing. Of each link only the
 * path and the query are taken, and the path must be the list's own: a server behind a proxy names itself by another
 * scheme or host, and our key goes to the configured one alone.
 */
async function readOnce(transport: Caller, first: ProviderRequest) {
  const home = new URL(transport.baseUrl + first.path);
  const prefix = new URL(transport.baseUrl).pathname.replace(/\/$/, '');
  const seen = new Set<string>();
  const items: unknown[] = [];
  const counts = new Set<number>();
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  for (let path = first.path; ; ) {
    if (seen.has(path)) throw misled(first, 'next leads in a circle');
    if (seen.size === maxPages) throw misled(first, `the list does not end after ${maxPages} pages`);
    seen.add(path);
    const page = pageSchema.safeParse(await transport.send({ ...first, path, onBytes }));
    if (!page.success) throw misled(first, issuesOf(page.error));
    if (items.length + page.data.results.length > maxItems)
      throw misled(first, `the list has more than ${maxItems} items`);
    for (const item of page.data.results) items.push(item);
    if (typeof page.data.count === 'number') counts.add(page.data.count);
    if (bytes > maxBytes) throw misled(first, `the list is longer than ${maxBytes} bytes`);
    const link = page.data.next ?? '';
    if (link === '') return { items, counts, pages: seen.size };
    const next = URL.parse(link, home.href);
    if (next === null || next.pathname !== home.pathname) throw misled(first, `next leads away from ${home.pathname}`);
    path = next.pathname.slice(prefix.length) + next.search;
  }
}

function distinctItems(items: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const id = idOf(item);
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

function misled(request: ProviderRequest, words: string): ProviderError {
  return new ProviderError('shape', request.endpoint, { words: `the answer does not fit: ${words}` });
}
