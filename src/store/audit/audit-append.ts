import { createBatcher } from '../batcher.ts';
import { type Context, textList } from '../dialect.ts';
import type { AuditHeadTable, AuditTable } from '../schema.ts';
import type { ChainSigner } from './audit-chain.ts';
import { type AuditEntry, byOperation, isThere, kindsOf, type Line, link } from './audit-lines.ts';

/** The row that stores where the chain ends. */
export type Head = Omit<AuditHeadTable, 'id'>;

export const readHead = (db: Context['db']) =>
  db.selectFrom('auditHead').select(['seq', 'hash', 'signature']).where('id', '=', 1);

/** Reads the end with a lock, so that no other process appends until the transaction ends. */
export async function lockEnd(transaction: Context['db'], { hasRowLocks }: Context['dialect']): Promise<Head> {
  const end = await readHead(transaction)
    .$if(hasRowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (end === undefined) throw new Error('the row that stores the end of the audit was removed');
  return end;
}

/** The `seq` of the last row that this process knows, and of the last row in the database. */
export interface ShorterAudit {
  readonly remembered: number;
  readonly now: number;
}

/** Appends entries that arrive together in one commit. One replica appends at a time. */
export function createAppend(
  { db, dialect, now }: Context,
  signer: ChainSigner,
  onShorter: (shorter: ShorterAudit) => void = () => {},
) {
  /** Rows that may make an entry superfluous. Read in the appending transaction, so no row can be added in between. */
  const existingLines = async (transaction: Context['db'], entries: readonly AuditEntry[]): Promise<Line[]> => {
    const conditional = entries.filter(({ unlessThere }) => unlessThere !== undefined);
    if (conditional.length === 0) return [];
    const operations = textList([...new Set(conditional.map(({ operation = '' }) => operation))]);
    const kinds = textList([...new Set(conditional.flatMap(kindsOf))]);
    return transaction
      .selectFrom('audit')
      .select(['operationId', 'kind', 'actor', 'data'])
      .where(dialect.isAmong('operationId', operations))
      .where(dialect.isAmong('kind', kinds))
      .execute();
  };
  /** The end that this process wrote last; other processes may have appended since. */
  let last: Head | undefined;

  /**
   * Other processes only append, so the last row that this process wrote must still be there. The signature alone does
   * not show a loss: an old end that was put back has its old signature.
   */
  const isShorter = (end: Head): boolean =>
    last !== undefined && (end.seq < last.seq || (end.seq === last.seq && end.hash !== last.hash));

  const writeLocked = (entries: readonly AuditEntry[]) =>
    db.transaction().execute(async (transaction) => {
      const end = await lockEnd(transaction, dialect);
      const there = await existingLines(transaction, entries);
      const unchanged = new Set<AuditEntry>();
      // In the order in which every process locks operations, so that no two wait for each other.
      for (const entry of entries.toSorted(byOperation))
        if ((await entry.change?.(transaction)) === false) unchanged.add(entry);
      const at = now();
      let { seq, hash } = end;
      const rows: AuditTable[] = [];
      /** For each entry, the length of the chain including it. */
      const lengths = entries.map((entry) => {
        if (unchanged.has(entry)) return seq;
        if (entry.unlessThere !== undefined && there.some((line) => isThere(entry, line))) return seq;
        const row = link(entry, ++seq, at, hash);
        hash = row.hash;
        there.push(row);
        rows.push(row);
        return row.seq;
      });
      // A chain whose end has a wrong signature, or that lost rows, stays unsigned: signing its next row would hide that.
      const isWhole = !isShorter(end) && signer.isSigned(end, end.signature);
      const head = { seq, hash, signature: isWhole ? signer.sign({ seq, hash }) : null };
      if (rows.length > 0) {
        await transaction.insertInto('audit').values(rows).execute();
        await transaction.updateTable('auditHead').set(head).where('id', '=', 1).execute();
      }
      return { end, head, lengths };
    });

  const write = async (entries: readonly AuditEntry[]): Promise<number[]> => {
    const { end, head, lengths } = await writeLocked(entries);
    if (last !== undefined && isShorter(end)) onShorter({ remembered: last.seq, now: end.seq });
    last = head;
    return lengths;
  };
  return createBatcher({ restMs: 5 }, write);
}
