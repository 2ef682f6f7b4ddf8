import { sql } from 'kysely';
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

/** The statement names them, so that a column which a later version adds gets its default. */
const columns = ['seq', 'at', 'kind', 'actor', 'channel', 'operationId', 'data', 'prev', 'hash'] as const;

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
 * one replica writes at a time. PostgreSQL is first asked to write behind the end that this process wrote last, if it
 * still is the end: one statement instead of five.
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
  /** Nobody else wrote between the last two times: of replicas that all write, most would ask in vain. */
  let isAlone = false;

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

  /** Nothing is written when `end` is not the end any more, or when all lines are there already. */
  const writeAfter = async (end: Head, entries: readonly AuditEntry[]): Promise<number[] | undefined> => {
    const { rows, head, lengths } = linkAfter(end, entries, await thereAlready(db, entries));
    const lines = JSON.stringify(rows.map(({ operationId, ...row }) => ({ ...row, operation_id: operationId })));
    const { numInsertedOrUpdatedRows = 0n } = await db
      .with('moved', (query) =>
        query
          .updateTable('auditHead')
          .set(head)
          .where('id', '=', 1)
          .where('seq', '=', end.seq)
          .where('hash', '=', end.hash)
          .where('signature', 'is not distinct from', end.signature)
          .returning('seq'),
      )
      .insertInto('audit')
      .columns(columns)
      .expression(({ selectFrom }) =>
        selectFrom(sql<AuditTable>`json_populate_recordset(null::audit, ${lines}::text::json)`.as('line'))
          .select(columns)
          .where(({ exists }) => exists(selectFrom('moved').select('moved.seq'))),
      )
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return undefined;
    last = head;
    return lengths;
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
    const written = last && isAlone ? await writeAfter(last, entries) : undefined;
    if (written !== undefined) return written;
    const { end, head, lengths } = await writeLocked(entries);
    if (last !== undefined && isShorter(end)) onShorter({ known: last.seq, now: end.seq });
    isAlone = dialect.changesTwoTablesAtOnce && end.hash === last?.hash;
    last = head;
    return lengths;
  };
  return createBatcher(write, { maxItems: 200, restMs: 5 });
}
