import { hash } from 'node:crypto';
import { z } from 'zod';
import { ProviderError } from '../core/view/errors.ts';
import type { ProviderRequest } from './exchange-types.ts';
import { issuesOf } from './issues.ts';
import { type ItemList, type ListItem, listOf, parseItem } from './items.ts';
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

/** A list that shifts while it is read is read again so often. */
const maxReads = 3;

type Caller = Pick<Transport, 'baseUrl' | 'send'>;

interface Page {
  /** Of its text. */
  readonly digest: string | undefined;
  readonly count: unknown;
  readonly next: string | null | undefined;
  readonly items: readonly ListItem<unknown>[];
}
/** The pages of a list as they were read last, by their paths. */
export type KnownPages = Map<string, Page>;

interface List {
  readonly transport: Caller;
  readonly first: ProviderRequest;
  readonly schema: z.ZodType;
  /**
   * A page whose text is the same is not parsed again: parsing the items of an account took more than all else that an
   * operation computed. The caller keeps them with the list that was made of them.
   */
  readonly known: KnownPages;
}

/**
 * All items of a paginated list. An item that is added or removed between two pages shifts the others: one is then seen
 * twice, or not at all. So the list is read again when it does not hold as many different items as it says, and when its
 * last page is gone by the time it is asked for.
 */
export async function readPages(list: List): Promise<ItemList<unknown>> {
  for (let reads = 1; ; reads += 1) {
    const { items, counts, pages, gone } = await readOnce(list);
    if (gone !== undefined) {
      if (reads === maxReads) throw gone;
      continue;
    }
    const distinct = distinctItems(items);
    // A page that was read after the shift knows only the new count, so every page's counts.
    const isWhole = pages === 1 || [...counts].every((count) => count === distinct.length);
    if (isWhole || reads === maxReads) return listOf(distinct);
  }
}

/**
 * Follows `next` to the end: how large a page may be is not known, so a short page says nothing. Of each link only the
 * path and the query are taken, and the path must be the list's own: a server behind a proxy names itself by another
 * scheme or host, and our key goes to the configured one alone.
 */
async function readOnce(list: List) {
  const { transport, first, known } = list;
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
      if (path === first.path || !isNotFound(error)) throw error;
      return { items, counts, pages: seen.size, gone: error };
    }
    if (items.length + page.items.length > maxItems) throw misled(first, tooMany);
    for (const item of page.items) items.push(item);
    if (typeof page.count === 'number') counts.add(page.count);
    if (bytes > maxBytes) throw misled(first, `the list is longer than ${maxBytes} bytes`);
    const link = page.next ?? '';
    if (link === '') {
      for (const gone of known.keys()) if (!seen.has(gone)) known.delete(gone);
      return { items, counts, pages: seen.size, gone: undefined };
    }
    const next = URL.parse(link, home.href);
    if (next === null || next.pathname !== home.pathname) throw misled(first, `next leads away from ${home.pathname}`);
    path = next.pathname.slice(prefix.length) + next.search;
  }
}

async function readPage(
  { transport, first, schema, known }: List,
  path: string,
  onBytes: (more: number) => void,
): Promise<Page> {
  const last = known.get(path);
  let digest: string | undefined;
  const isKnown = (text: string) => {
    digest = hash('sha256', text, 'base64');
    return digest === last?.digest;
  };
  const answer = await transport.send({ ...first, path, onBytes, isKnown });
  if (last !== undefined && digest === last.digest) return last;
  const page = pageSchema.safeParse(answer);
  if (!page.success) throw misled(first, issuesOf(page.error));
  const { count, next, results } = page.data;
  const read = { digest, count, next, items: results.map((item) => parseItem(schema, item)) };
  if (digest !== undefined) known.set(path, read);
  return read;
}

function isNotFound(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'not_found';
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
