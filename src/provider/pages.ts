import { hash } from 'node:crypto';
import { z } from 'zod';
import { ProviderError } from '../core/view/errors.ts';
import type { ProviderRequest } from './exchange.ts';
import { type ItemList, issuesOf, type ListItem, listOf, parseItem } from './items.ts';
import type { Transport } from './transport.ts';

const maxPages = 1000;
const maxBytes = 64 * 1024 * 1024;
const maxItems = 100_000;
const tooMany = `the list has more than ${maxItems} items`;

const pageSchema = z.object({
  count: z.unknown(),
  next: z.string().nullish(),
  results: z.array(z.unknown()).max(maxItems, tooMany),
});

/** The most reads of a list that changes while it is read. */
const maxReads = 3;

export type Caller = Pick<Transport, 'baseUrl' | 'send'>;

interface Page {
  /** The digest of the page's text. */
  readonly digest: string | undefined;
  readonly count: unknown;
  readonly next: string | null | undefined;
  readonly items: readonly ListItem<unknown>[];
}
/** The pages of a list from its last read, by path. */
export type KnownPages = Map<string, Page>;

interface List {
  readonly transport: Caller;
  readonly first: ProviderRequest;
  readonly schema: z.ZodType;
  /**
   * Pages whose text has not changed are not parsed again: parsing an account's items took more processor time than the
   * rest of an operation. The caller stores this map beside the list.
   */
  readonly knownPages: KnownPages;
}

/**
 * Reads all items of a paginated list. An item that is added or removed meanwhile shifts the others, so that one
 * appears twice or not at all. The client therefore reads the list again if the number of distinct items differs from the
 * count, or if the provider no longer has the last page.
 */
export async function readPages(list: List): Promise<ItemList<unknown>> {
  for (let reads = 1; ; reads += 1) {
    const { items, counts, pages, gone } = await readOnce(list);
    if (gone !== undefined) {
      if (reads === maxReads) throw gone;
      continue;
    }
    const distinct = distinctItems(items);
    // A page that was read after a change has the new count, so the counts of all pages must match.
    const isWhole = pages === 1 || [...counts].every((count) => count === distinct.length);
    if (isWhole || reads === maxReads) return listOf(distinct);
  }
}

/**
 * Follows `next` to the end, since the largest page size is unknown and a short page proves nothing. Uses only the path
 * and the query of each link, and requires the list's own path: a server behind a proxy may name another scheme or
 * host, and the API key must go to the configured host only.
 */
async function readOnce(list: List) {
  const { transport, first, knownPages } = list;
  const home = new URL(transport.baseUrl + first.path);
  const prefix = new URL(transport.baseUrl).pathname.replace(/\/$/, '');
  const seen = new Set<string>();
  const items: ListItem<unknown>[] = [];
  const counts = new Set<number>();
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  for (let path = first.path; ; ) {
    if (seen.has(path)) throw misled(first, 'next leads in a circle');
    if (seen.size === maxPages) throw misled(first, `the list does not end after ${maxPages} pages`);
    seen.add(path);
    let page: Page;
    try {
      page = await readPage(list, path, onBytes);
    } catch (error) {
      if (path === first.path || !(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
      return { items, counts, pages: seen.size, gone: error };
    }
    if (items.length + page.items.length > maxItems) throw misled(first, tooMany);
    for (const item of page.items) items.push(item);
    if (typeof page.count === 'number') counts.add(page.count);
    if (bytes > maxBytes) throw misled(first, `the list is longer than ${maxBytes} bytes`);
    const link = page.next ?? '';
    if (link === '') {
      for (const gone of knownPages.keys()) if (!seen.has(gone)) knownPages.delete(gone);
      return { items, counts, pages: seen.size, gone: undefined };
    }
    const next = URL.parse(link, home.href);
    if (next === null || next.pathname !== home.pathname) throw misled(first, `next leads away from ${home.pathname}`);
    path = next.pathname.slice(prefix.length) + next.search;
  }
}

async function readPage({ transport, first, schema, knownPages }: List, path: string, onBytes: (more: number) => void) {
  const last = knownPages.get(path);
  let digest: string | undefined;
  const isKnown = (text: string) => {
    digest = hash('sha256', text, 'base64');
    return digest === last?.digest;
  };
  const answer = await transport.send({ ...first, path, isPage: true, onBytes, isKnown });
  if (last !== undefined && digest === last.digest) return last;
  const page = pageSchema.safeParse(answer);
  if (!page.success) throw misled(first, issuesOf(page.error));
  const { count, next, results } = page.data;
  const read = { digest, count, next, items: results.map((item) => parseItem(schema, item)) };
  if (digest !== undefined) knownPages.set(path, read);
  return read;
}

function distinctItems<T>(items: readonly ListItem<T>[]): ListItem<T>[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

function misled(request: ProviderRequest, words: string): ProviderError {
  return new ProviderError('shape', request.endpoint, { words: `the answer does not fit: ${words}` });
}
