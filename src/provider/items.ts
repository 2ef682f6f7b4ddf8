import type { z } from 'zod';
import type { Unreadable } from '../core/account/account.ts';

/** The readable items of a list, and its unreadable ones, so that one malformed item does not hide the others. */
export type ItemList<T> = T[] & { readonly unreadable: readonly Unreadable[] };

export interface ListItem<T> {
  readonly id: string | undefined;
  /** The item, or the reason why it is unreadable. */
  readonly parsed: { readonly value: T } | { readonly why: string };
}

export function parseItem<T>(schema: z.ZodType<T>, item: unknown): ListItem<T> {
  const { success, data, error } = schema.safeParse(item);
  return { id: idOf(item), parsed: success ? { value: data } : { why: issuesOf(error) } };
}

export function listOf<T>(items: readonly ListItem<T>[]): ItemList<T> {
  const read: T[] = [];
  const unreadable: Unreadable[] = [];
  for (const [place, { id, parsed }] of items.entries()) {
    if ('value' in parsed) read.push(parsed.value);
    else unreadable.push({ id: id ?? `item ${place + 1}`, why: parsed.why });
  }
  // Not enumerable, so that comparison and serialization see a plain array. The compiler does not see the new property.
  return Object.defineProperty(read, 'unreadable', { value: unreadable }) as ItemList<T>;
}

/** The item's id, or a domain's name. */
function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const id = 'id' in item ? item.id : 'name' in item ? item.name : undefined;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && /^[^\s<>`]{1,253}$/.test(id) ? id : undefined;
}

/** Names each path and the expected type, never the value, which may be a password. */
export function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
