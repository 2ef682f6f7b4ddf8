import { createBatcher } from '../batcher.ts';
import { textList } from '../columns.ts';
import type { Context } from '../dialect.ts';
import type { AuditTable } from '../schema.ts';
import type { AuditEnd, ChainSigner } from './audit-chain.ts';
import { type AuditEntry, isThere, kindsOf, type Line, link } from './audit-lines.ts';

/** The row that says where the chain ends. */
interface Head extends AuditEnd {
  readonly signature: string | null;
}

/** The last row that this process knew of, and the one that the database has now. */
export interface ShorterAudit {
  readonly known: number;
  readonly now: number;
}

interface Linked {
  readonly rows: readonly AuditTable[];
  readonly end: Head;
  readonly head: Head;
  /** Of each entry, how long the chain is with it. */
  readonly lengths: number[];
}

/**
 * Entries that arrive together become rows of the chain in one commit. Where the chain ends is read with a lock, so that
 * one replica writes at a time.
 */
export function createAppend(
  { db, dialect, now }: Context,
  signer: ChainSigner,
  onShorter: (shorter: ShorterAudit) => void = () => {},
) {
  /** Reads while nobody can write a line in between, or before a write that fails when somebody did. */
  const thereAlready = async (reading: Context['db'], entries: readonly AuditEntry[]): Promise<Line[]> => {
    const asking = entries.filter(({ unlessThere }) => unlessThere !== undefined);
    if (asking.length === 0) return [];
    const operations = textList([...new Set(asking.map(({ operation = '' }) => operation))]);
    const kinds = textList([...new Set(asking.flatMap(kindsOf))]);
    return reading
      .selectFrom('audit')
      .select(['operationId', 'kind', 'actor', 'data'])
      .where(dialect.isAmong('operationId', operations))
      .where(dialect.isAmong('kind', kinds))
      .execute();
  };
  /** The end as this process wrote or read it last; others may have written since. */
  let last: Head | undefined;

  /** Others only add rows, so what this process knew must still be there. An old end may have its old signature. */
  const isShorter = (end: Head): boolean =>
    last !== undefined && (end.seq < last.seq || (end.seq === last.seq && end.hash !== last.hash));
  const linkAfter = (end: Head, entries: readonly AuditEntry[], there: Line[]): Linked => {
    const at = now();
    let { seq, hash } = end;
    const rows: AuditTable[] = [];
    const lengths = entries.map((entry) => {
      if (entry.unlessThere !== undefined && there.some((line) => isThere(entry, line))) return seq;
      const row = link(entry, ++seq, at, hash);
      hash = row.hash;
      there.push(row);
      rows.push(row);
      return row.seq;
    });
    // A chain whose end has a wrong signature, or that lost rows, stays unsigned: signing its next row would hide that.
    const isWhole = !isShorter(end) && signer.isSigned('head', end, end.signature);
    const signature = isWhole ? signer.sign('head', { seq, hash }) : null;
    return { rows, end, head: { seq, hash, signature }, lengths };
  };

  const writeLocked = (entries: readonly AuditEntry[]): Promise<Linked> =>
    db.transaction().execute(async (transaction) => {
      const end = await transaction
        .selectFrom('auditHead')
        .select(['seq', 'hash', 'signature'])
        .where('id', '=', 1)
        .$if(dialect.hasRowLocks, (query) => query.forUpdate())
        .executeTakeFirst();
      if (end === undefined) throw new Error('the record of where the audit ends was removed');
      const linked = linkAfter(end, entries, await thereAlready(transaction, entries));
      const { rows, head } = linked;
      if (rows.length === 0) return linked;
      await transaction.insertInto('audit').values(rows).execute();
      await transaction.updateTable('auditHead').set(head).where('id', '=', 1).execute();
      return linked;
    });

  const write = async (entries: readonly AuditEntry[]): Promise<number[]> => {
    const { end, head, lengths } = await writeLocked(entries);
    if (last !== undefined && isShorter(end)) onShorter({ known: last.seq, now: end.seq });
    last = head;
    return lengths;
  };
  return createBatcher(write, { maxItems: 200, restMs: 5 });
}
