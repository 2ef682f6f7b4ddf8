import type { z } from 'zod';
import type { Unreadable } from '../core/account/account.ts';
import { issuesOf } from './issues.ts';

/** Items of a list that could be read, and those that could not: one odd item hides only itself. */
export type ItemList<T> = T[] & { readonly unreadable: readonly Unreadable[] };

export function itemList<T>(items: readonly T[], unreadable: readonly Unreadable[] = []): ItemList<T> {
  const list = [...items];
  // Not enumerable, so that the list is compared and written as the array it is.
  Object.defineProperty(list, 'unreadable', { value: unreadable });
  // It has the property now, which defineProperty does not tell the compiler.
  return list as ItemList<T>;
}

export interface ListItem<T> {
  readonly id: string | undefined;
  /** The item, or why it could not be read. */
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
  return itemList(read, unreadable);
}

/** An item's own id; domains have only a name. */
function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const id = 'id' in item ? item.id : 'name' in item ? item.name : undefined;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && /^[^\s<>`]{1,253}$/.test(id) ? id : undefined;
}
