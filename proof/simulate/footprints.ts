import { depend } from './happens-before.ts';
import type { Columns, Resource } from './scheduler.ts';

/** Stands for everything that a step touched: steps that touched the same have the same number. */
export type Footprint = number;

const numbers = new Map<string, Footprint>();
const all: (readonly Resource[])[] = [];
/** For each pair of footprints whether they meet; undefined where nobody has asked yet. */
const meetings: (boolean | undefined)[][] = [];

export function footprintOf(resources: readonly Resource[]): Footprint {
  const words = [...new Set(resources.map(wordsOf))].sort().join('\n');
  const known = numbers.get(words);
  if (known !== undefined) return known;
  numbers.set(words, all.length);
  return all.push([...resources]) - 1;
}

export function meet(one: Footprint, other: Footprint): boolean {
  const [low, high] = one < other ? [one, other] : [other, one];
  const known = meetings[low]?.[high];
  if (known !== undefined) return known;
  const row = meetings[low] ?? [];
  meetings[low] = row;
  const found = depend(all[low] ?? [], all[high] ?? []);
  row[high] = found;
  return found;
}

const wordsOf = ({ name, row, columns, isWrite, isAlike }: Resource): string =>
  JSON.stringify([name, row ?? 0, columns === undefined ? 0 : wordsOfColumns(columns), isWrite, isAlike === true]);

const wordsOfColumns = (columns: Columns) =>
  'only' in columns ? ['only', ...[...columns.only].sort()] : ['but', ...[...columns.but].sort()];
