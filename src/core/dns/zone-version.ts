import { z } from 'zod';
import { jsonIn } from '../text/json.ts';
import { type RecordData, usesPrio } from './record.ts';

/** The records of a zone as lines that are kept for a year, and the difference between two readings. */

type Difference<T> = Readonly<Record<'added' | 'removed', readonly T[]>>;
export type ZoneDifference = Difference<string>;
export type RecordDifference = Difference<RecordData>;

/** A zone with more records is not kept. */
export const mostKeptRecords = 5_000;

const lineSchema = z.tuple([z.string(), z.string(), z.string(), z.number().nullable(), z.number().optional()]);

/** A short JSON list without the record's id, since a record that is removed and added again gets another id. */
export function versionLine({ host, type, value, ttl, prio }: RecordData): string {
  return JSON.stringify(usesPrio(type) ? [host, type, value, ttl, prio ?? 0] : [host, type, value, ttl]);
}

/** Sorted, so that the same records always give the same lines. */
export function versionLines(records: readonly RecordData[]): string[] {
  return records.map(versionLine).sort();
}

/** Empty for a line of another version of Hostler. */
export function recordsOfLines(lines: readonly string[]): RecordData[] {
  return lines.flatMap((line) => {
    const parsed = lineSchema.safeParse(jsonIn(line)).data;
    if (parsed === undefined) return [];
    const [host, type, value, ttl, prio = null] = parsed;
    return [{ host, type, value, ttl, prio }];
  });
}

/** A zone may have the same record twice, so lines are counted. */
export function differenceOf(before: readonly string[], after: readonly string[]): ZoneDifference {
  return { removed: without(before, after), added: without(after, before) };
}

export function recordDifference(before: readonly RecordData[], after: readonly RecordData[]): RecordDifference {
  return recordsIn(differenceOf(versionLines(before), versionLines(after)));
}

export function recordsIn({ removed, added }: ZoneDifference): RecordDifference {
  return { removed: recordsOfLines(removed), added: recordsOfLines(added) };
}

export function linesBefore(after: readonly string[], { removed, added }: ZoneDifference): string[] {
  return [...without(after, added), ...removed].sort();
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const n = left.get(line) ?? 0;
    if (n > 0) left.set(line, n - 1);
    return n === 0;
  });
}

/** Several differences as one, in any order: a record that one adds and another removes is in neither. */
export function joined(differences: readonly RecordDifference[]): RecordDifference {
  return recordDifference(
    differences.flatMap(({ removed }) => removed),
    differences.flatMap(({ added }) => added),
  );
}
