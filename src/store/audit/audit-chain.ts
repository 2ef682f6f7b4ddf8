import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '../../core/text/json.ts';
import { parseJson } from '../dialect.ts';
import type { AuditTable } from '../schema.ts';

/** `seq:hash`, the last row of a chain. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The first link that does not hold. */
export interface ChainFault {
  readonly ok: false;
  readonly seq: number;
  readonly why: string;
  /** Every link holds, but the end is not signed with a known key. */
  readonly isOfSignature?: true;
}

/** The end of an empty chain: the first row links to it. */
export const genesis: AuditEnd = { seq: 0, hash: '0'.repeat(64) };

export function chainFault(seq: number, why: string): ChainFault {
  return { ok: false, seq, why };
}

/** SHA-256 over the previous hash and the canonical JSON, as `data` is, of the row without `prev` and `hash`. */
export function sealOf(
  { seq, at, kind, actor, channel, operationId, data }: Omit<AuditTable, 'prev' | 'hash'>,
  prev: string,
): string {
  const text = JSON.stringify;
  // The keys are sorted as canonicalJson sorts them; `data` is inserted as the row has it.
  const body = `{"actor":${text(actor)},"at":${at},"channel":${text(channel)},"data":${data},"kind":${text(kind)},"operationId":${text(operationId)},"seq":${seq}}`;
  return createHash('sha256').update(prev).update(body).digest('hex');
}

export function linkFault(before: AuditEnd, row: AuditTable): ChainFault | undefined {
  const expected = before.seq + 1;
  if (row.seq < expected) return chainFault(row.seq, `row ${row.seq} does not belong here`);
  if (row.seq > expected) return chainFault(expected, `row ${expected} was removed`);
  const why = broken(row, before.hash);
  return why === undefined ? undefined : chainFault(row.seq, why);
}

function broken(row: AuditTable, prev: string): string | undefined {
  if (row.prev !== prev) return `row ${row.seq} does not follow row ${row.seq - 1}: one of the two was changed`;
  try {
    if (canonicalJson(parseJson(row.data)) === row.data && sealOf(row, prev) === row.hash) return undefined;
  } catch {
    // Text that is not JSON was changed, like any other text that does not match its hash.
  }
  return `row ${row.seq} was changed`;
}

export type ChainSigner = ReturnType<typeof createChainSigner>;

/** Signs the end, of an empty chain too, or removing all rows would not show. The first key signs, all verify. */
export function createChainSigner(keys: readonly Uint8Array[]) {
  const signatures = ({ seq, hash }: AuditEnd): string[] =>
    keys.map((key) => createHmac('sha256', key).update(`${seq}:${hash}`).digest('hex'));
  return {
    hasKey: keys.length > 0,
    sign: (end: AuditEnd): string | null => signatures(end)[0] ?? null,
    isSigned: (end: AuditEnd, signature: string | null) => signature !== null && signatures(end).includes(signature),
  };
}
