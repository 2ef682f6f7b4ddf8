import { sql } from 'kysely';
import { canonicalJson, type Json } from '../../core/text/json.ts';
import { type Context, plainText } from '../dialect.ts';
import { createJsonColumns } from '../json-columns.ts';
import type { AuditTable } from '../schema.ts';
import { sealOf } from './audit-chain.ts';
import type { AuditKind } from './audit-kinds.ts';

export interface AuditEntry {
  readonly kind: AuditKind;
  readonly actor?: string | undefined;
  readonly channel?: string | undefined;
  readonly operation?: string | undefined;
  /** One sentence, as `/host audit` shows it. */
  readonly text: string;
  readonly data?: { readonly [key: string]: Json };
  /** Skips the entry when its operation already has a line of one of these kinds, or the same line. */
  readonly unlessThere?: readonly AuditKind[] | 'same';
  /** The change that the entry reports, made in the same commit. If it returns false, nothing changed, and there is no entry. */
  readonly change?: (on: Context['db']) => Promise<boolean>;
}

/** A change of an entry, which is its own commit if the entry is left out. */
export type AuditedChange = (on?: Context['db']) => Promise<boolean>;

const auditJson = createJsonColumns(['data']);
export const toAudit = (row: AuditTable) => auditJson.parse(row);
export type AuditRow = ReturnType<typeof toAudit>;

/** Kinds of lines about reads. As literals, so that the index on all other kinds applies: see `open-states.ts`. */
export const readList = (['answered', 'refreshed'] as const).map((kind) => sql.lit(kind));

export type Line = Pick<AuditTable, 'operationId' | 'kind' | 'actor' | 'data'>;

export function kindsOf({ kind, unlessThere = [] }: AuditEntry): readonly AuditKind[] {
  return unlessThere === 'same' ? [kind] : unlessThere;
}

export function isThere(entry: AuditEntry, line: Line): boolean {
  if (line.operationId !== entry.operation || !kindsOf(entry).some((kind) => kind === line.kind)) return false;
  return (
    entry.unlessThere !== 'same' || (line.actor === (entry.actor ?? null) && line.data === canonicalJson(dataOf(entry)))
  );
}

export function dataOf({ text, data }: AuditEntry): Json {
  return { text, ...data };
}

export function link(entry: AuditEntry, seq: number, at: number, prev: string): AuditTable {
  const orNull = (text: string | undefined) => (text === undefined ? null : plainText(text));
  const body = {
    seq,
    at,
    kind: plainText(entry.kind),
    actor: orNull(entry.actor),
    channel: orNull(entry.channel),
    operationId: orNull(entry.operation),
  };
  const sealed = { ...body, data: canonicalJson(dataOf(entry)) };
  return { ...sealed, prev, hash: sealOf(sealed, prev) };
}

export function byOperation({ operation: a = '' }: AuditEntry, { operation: b = '' }: AuditEntry): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
