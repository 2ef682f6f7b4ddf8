import { detail, ok, type ProviderAnswer } from './answer.ts';
import type { ProviderRequestCall } from './call.ts';
import { numbers } from './numbers.ts';

/** A page of a list, with absolute links. An invalid page_size means the default; a page past the end is a 404. */
export function paginated<T>(
  call: ProviderRequestCall,
  items: readonly T[],
  present: (item: T) => unknown,
): ProviderAnswer {
  const size = pageSize(call.query.get('page_size'), call.provider.options.pageSizeMax);
  const last = Math.max(1, Math.ceil(items.length / size));
  const page = pageNumber(call.query.get('page'), last);
  return ok({
    count: items.length,
    next: page < last ? link(call, page + 1) : null,
    previous: page > 1 ? link(call, page - 1) : null,
    results: items.slice((page - 1) * size, page * size).map(present),
  });
}

function pageSize(text: string | null, max: number): number {
  const size = text !== null && /^\d+$/.test(text) ? Number(text) : 0;
  return size > 0 ? Math.min(size, max) : numbers.pageSizeDefault;
}

function pageNumber(text: string | null, last: number): number {
  if (text === null || text === '') return 1;
  if (text === 'last') return last;
  const page = /^\d+$/.test(text) ? Number(text) : 0;
  if (page < 1 || page > last) throw detail(404, 'Invalid page.');
  return page;
}

/** A link to a page. The first page has no page parameter, and parameters are sorted. */
function link(call: ProviderRequestCall, page: number): string {
  const query = new URLSearchParams(call.query);
  if (page === 1) query.delete('page');
  else query.set('page', String(page));
  query.sort();
  const tail = query.toString();
  return `${call.origin}${call.path}${tail ? `?${tail}` : ''}`;
}
