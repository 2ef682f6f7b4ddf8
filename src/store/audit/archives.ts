import { type ExpressionBuilder, sql } from 'kysely';
import { openStates } from '../../core/plan/operation.ts';
import type { Context } from '../dialect.ts';
import { deleteVersions, replacedVersions } from '../records/zone-versions.ts';
import type { ArchivesTable, AuditTable, OperationsTable, Schema, StepsTable, VotesTable } from '../schema.ts';
import type { ZoneVersionsTable } from '../zone-tables.ts';
import { type AuditEnd, createChainSigner } from './audit-chain.ts';

export interface ArchiveRow extends Omit<ArchivesTable, 'id'> {
  id: number;
}

export interface ArchivedOperation {
  operation: OperationsTable;
  steps: StepsTable[];
  votes: VotesTable[];
}

/** Some of the rows to archive. They are written to the file before they are deleted from the database. */
export type ArchivePart =
  | { kind: 'operations'; rows: readonly ArchivedOperation[] }
  | { kind: 'audit'; rows: readonly AuditTable[] }
  | { kind: 'zones'; rows: readonly ZoneVersionsTable[] };

export type Archives = ReturnType<typeof createArchives>;

/** The keys of the request's messages, as the outbox names them. */
const keyOf = (what: 'end' | 'card') => sql<string>`${sql.lit(`${what}:`)} || operations.id`;

type OperationsBuilder = ExpressionBuilder<Schema, 'operations'>;

/** Moves old rows from the database to a file, in parts: each part is in the file before its rows are deleted. */
export function createArchives({ db, now, clock }: Context, keys: readonly Uint8Array[] = []) {
  const signer = createChainSigner(keys);

  /** Requests that are complete: ended and announced, without a pending turn, a lease or a lock. */
  const isSettled = ({ eb, and, not, exists, selectFrom }: OperationsBuilder) =>
    and([
      eb('operations.endedAt', 'is not', null),
      eb('operations.state', 'not in', openStates),
      eb('operations.nextTurnAt', 'is', null),
      eb('operations.turnUntil', '<=', clock()),
      not(exists(selectFrom('locks').select('locks.target').whereRef('locks.operationId', '=', 'operations.id'))),
      not(
        exists(
          selectFrom('messages')
            .select('messages.seq')
            .where('messages.key', 'in', [keyOf('end'), keyOf('card')])
            .where('messages.state', '=', 'due'),
        ),
      ),
    ]);

  const nextOperations = async (until: number, limit: number): Promise<ArchivedOperation[]> => {
    const operations = await db
      .selectFrom('operations')
      .selectAll()
      .where('endedAt', '<', until)
      .where(isSettled)
      .orderBy('endedAt')
      .orderBy('id')
      .limit(limit)
      .execute();
    if (operations.length === 0) return [];
    const ids = operations.map(({ id }) => id);
    const steps = Map.groupBy(
      await db.selectFrom('steps').selectAll().where('operationId', 'in', ids).orderBy('n').execute(),
      ({ operationId }) => operationId,
    );
    const votes = Map.groupBy(
      await db.selectFrom('votes').selectAll().where('operationId', 'in', ids).orderBy('at').execute(),
      ({ operationId }) => operationId,
    );
    return operations.map((operation) => ({
      operation,
      steps: steps.get(operation.id) ?? [],
      votes: votes.get(operation.id) ?? [],
    }));
  };

  /** The oldest rows, up to the first row that is too young or whose request is still in the database. */
  const nextAudit = async (until: number, limit: number): Promise<AuditTable[]> => {
    const base = await baseOf();
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', base.seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    const ids = [...new Set(rows.flatMap(({ operationId }) => operationId ?? []))];
    const kept =
      ids.length === 0 ? [] : await db.selectFrom('operations').select('id').where('id', 'in', ids).execute();
    const keptIds = new Set(kept.map(({ id }) => id));
    const first = rows.findIndex(({ at, operationId }) => at >= until || keptIds.has(operationId ?? ''));
    return first === -1 ? rows : rows.slice(0, first);
  };

  const baseOf = async (): Promise<AuditEnd & { signature: string | null }> => {
    const { baseSeq, baseHash, baseSignature } = await db
      .selectFrom('auditHead')
      .select(['baseSeq', 'baseHash', 'baseSignature'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow();
    return { seq: baseSeq, hash: baseHash, signature: baseSignature };
  };

  return {
    /** The archive that is neither finished nor reported as lost. */
    unfinished: (): Promise<ArchiveRow | undefined> =>
      db
        .selectFrom('archives')
        .selectAll()
        .where('endedAt', 'is', null)
        .where('leftAt', 'is', null)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),

    begin: (file: string, until: number, bytes: number): Promise<ArchiveRow> =>
      db
        .insertInto('archives')
        .values({
          file,
          until,
          bytes,
          operations: 0,
          audit: 0,
          zones: 0,
          startedAt: now(),
          endedAt: null,
          leftAt: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    find: (id: number): Promise<ArchiveRow | undefined> =>
      db.selectFrom('archives').selectAll().where('id', '=', id).executeTakeFirst(),

    base: baseOf,

    /** The time before which audit rows were archived; undefined if none were. */
    async archivedUntil(): Promise<number | undefined> {
      const newest = await db
        .selectFrom('archives')
        .select(({ fn }) => fn.max('until').as('until'))
        .where('audit', '>', 0)
        .executeTakeFirst();
      return newest?.until ?? undefined;
    },

    /** The next part: requests first, then their audit rows, then versions of zones. Undefined when no other row is old enough. */
    async next(until: number, limit: number): Promise<ArchivePart | undefined> {
      const operations = await nextOperations(until, limit);
      if (operations.length > 0) return { kind: 'operations', rows: operations };
      const audit = await nextAudit(until, 5 * limit);
      if (audit.length > 0) return { kind: 'audit', rows: audit };
      const zones = await replacedVersions(db, until, 5 * limit);
      return zones.length > 0 ? { kind: 'zones', rows: zones } : undefined;
    },

    /**
     * Deletes the part's rows, which are in the file, and stores the file's length `bytes` in the same transaction.
     * False when another process did so first. Throws when a request of the part was reopened. Either way nothing is
     * deleted.
     */
    async deletePart(archive: ArchiveRow, part: ArchivePart, bytes: number): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('archives')
          .set(({ eb }) => ({
            bytes,
            ...(part.kind === 'operations' ? { operations: eb('operations', '+', part.rows.length) } : {}),
            ...(part.kind === 'audit' ? { audit: eb('audit', '+', part.rows.length) } : {}),
            ...(part.kind === 'zones' ? { zones: eb('zones', '+', part.rows.length) } : {}),
          }))
          .where('id', '=', archive.id)
          .where('bytes', '=', archive.bytes)
          .where('endedAt', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        if (part.kind === 'operations') {
          const ids = part.rows.map(({ operation }) => operation.id);
          const { numDeletedRows } = await transaction
            .deleteFrom('operations')
            .where('id', 'in', ids)
            .where('nextTurnAt', 'is', null)
            .executeTakeFirstOrThrow();
          if (Number(numDeletedRows) !== ids.length) throw new Error('a request of the archive was reopened');
          return true;
        }
        if (part.kind === 'zones') {
          await deleteVersions(transaction, part.rows);
          return true;
        }
        const last = part.rows.at(-1);
        if (last === undefined) return true;
        const end = { seq: last.seq, hash: last.hash };
        await transaction.deleteFrom('audit').where('seq', '<=', last.seq).execute();
        await transaction
          .updateTable('auditHead')
          .set({ baseSeq: end.seq, baseHash: end.hash, baseSignature: signer.sign('base', end) })
          .where('id', '=', 1)
          .execute();
        return true;
      });
    },

    async finish(id: number): Promise<void> {
      await db.updateTable('archives').set({ endedAt: now() }).where('id', '=', id).execute();
    },

    /** Stores that the archive's file is lost, and with it the rows that were deleted here. */
    async markLost(id: number): Promise<void> {
      await db.updateTable('archives').set({ leftAt: now() }).where('id', '=', id).execute();
    },
  };
}
