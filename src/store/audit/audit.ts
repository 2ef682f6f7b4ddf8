import type { AuditFilter } from '../../core/command/bot-port.ts';
import { defined } from '../../core/text/defined.ts';
import { day } from '../../core/text/words.ts';
import { type Context, rowsAs } from '../dialect.ts';
import type { AuditTable } from '../schema.ts';
import { createAppend, readHead, type ShorterAudit } from './audit-append.ts';
import { type AuditEnd, chainFault, createChainSigner, genesis, linkFault } from './audit-chain.ts';
import { type AuditEntry, type AuditRow, readList, toAudit } from './audit-lines.ts';
import { besideAudit, newerThanAudit } from './beside-audit.ts';

const pageSize = 500;

/** The append-only audit; each row is sealed with the hash of the previous row. */
export function createAudit(context: Context, { auditKeys = [], onShorterAudit }: AuditOptions = {}) {
  const { db } = context;
  const signer = createChainSigner(auditKeys);
  const batcher = createAppend(context, signer, onShorterAudit);

  const rowsTo = async function* (last: number): AsyncGenerator<AuditTable> {
    let seen = -1;
    while (seen < last) {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .where('seq', '>', seen)
        .where('seq', '<=', last)
        .orderBy('seq')
        .limit(pageSize)
        .execute();
      const end = rows.at(-1);
      if (end === undefined) return;
      seen = end.seq;
      yield* rows;
    }
  };

  /** Reads the end and the newest row in one statement, so that they are consistent while other processes append. */
  const edge = () =>
    readHead(db)
      .select(({ fn, val, selectFrom }) => {
        const newest = selectFrom('audit').select(({ fn }) => fn.max('audit.seq').as('seq'));
        return fn.coalesce(newest, val(0)).as('newest');
      })
      .executeTakeFirst();
  const newestSeq = async (): Promise<number> => (await edge())?.newest ?? 0;
  const firstFrom = async (at: number): Promise<number> => firstAt(db, at, await newestSeq());

  return {
    /** Stores the entry and resolves with the new length of the chain. Entries that arrive together share a commit. */
    append: (entry: AuditEntry): Promise<number> => batcher.add(entry),

    /** `since`: an end recorded elsewhere, which the chain must still contain. `isOfLinks`: the links, no signature. */
    async verify({ since, isOfLinks = false }: { since?: AuditEnd | undefined; isOfLinks?: boolean } = {}) {
      const end = await edge();
      if (end === undefined) return chainFault(0, 'the record of where the chain ends was removed');
      const isOfSignature = signer.hasKey && !isOfLinks;
      const beside = end.seq === 0 && !isOfLinks ? await besideAudit(db) : undefined;
      if (beside !== undefined)
        return chainFault(0, `the audit is empty beside rows of ${beside}: its rows were removed`);
      let last = genesis;
      for await (const row of rowsTo(end.seq)) {
        const fault = linkFault(last, row);
        if (fault !== undefined) return fault;
        if (since?.seq === row.seq && since.hash !== row.hash)
          return chainFault(row.seq, `row ${row.seq} differs from the recorded one`);
        last = row;
      }
      const { seq, hash } = last;
      if (seq < end.seq) {
        return chainFault(seq + 1, `the end was cut off: rows ${seq + 1} to ${end.seq} were removed`);
      }
      if (hash !== end.hash) return chainFault(seq, `row ${seq} is not the one the chain ended with`);
      if (end.newest > seq) return chainFault(seq + 1, `row ${seq + 1} was added behind the end of the chain`);
      if (since !== undefined && seq < since.seq) {
        return chainFault(seq + 1, `the end was cut off: there were ${since.seq} rows, and ${seq} are left`);
      }
      if (isOfSignature && !signer.isSigned(end, end.signature)) {
        const why = 'the end is not signed with our key: it was cut off or written by somebody else';
        return { ...chainFault(seq, why), isOfSignature: true };
      }
      const newer = isOfLinks ? undefined : await newerThanAudit(db);
      if (newer !== undefined)
        return chainFault(seq, `the audit has no row of ${newer} after its end: rows were removed`);
      // Without a key the end is not checked: it may then come from anyone.
      return { ok: true as const, count: seq, hash, isSigned: isOfSignature };
    },

    /** Newest first. */
    async list(filter: AuditFilter): Promise<AuditRow[]> {
      const { actor, channel, operationId, kind, about, from, until, isWithoutReads = false, before, limit } = filter;
      let query = db
        .selectFrom('audit')
        .selectAll()
        .where(({ and }) => and(defined({ actor, channel, operationId, kind })));
      if (before !== undefined) query = query.where('seq', '<', before);
      if (isWithoutReads) query = query.where('kind', 'not in', readList);
      // No index covers the time of a row, so `seq` narrows the search.
      if (from !== undefined)
        query = query.where('at', '>=', from).where('seq', '>=', await firstFrom(from - unevenMs));
      if (until !== undefined)
        query = query.where('at', '<', until).where('seq', '<', await firstFrom(until + unevenMs));
      if (about !== undefined) {
        query = query.where('operationId', 'in', ({ selectFrom }) =>
          selectFrom('steps')
            .select('operationId')
            .where((steps) =>
              steps.or([
                ...(about.keys.length === 0 ? [] : [steps('target', 'in', about.keys)]),
                steps(steps.fn<string>('lower', ['label']), '=', about.label),
              ]),
            ),
        );
      }
      return query.orderBy('seq', 'desc').limit(limit).$call(rowsAs(toAudit));
    },

    /** Oldest first, up to the last row at the time of the call. */
    async *exportAll(): AsyncGenerator<AuditRow> {
      for await (const row of rowsTo(await newestSeq())) yield toAudit(row);
    },

    /** The end of the chain. A copy kept elsewhere proves later that nothing before it was rewritten. */
    head: () => readHead(db).executeTakeFirstOrThrow(),

    /** The installation of the audit, named by the hash of its first row: another one means that all was removed. */
    async installation(): Promise<{ id: string; at: number } | undefined> {
      const row = await db.selectFrom('audit').select(['hash', 'at']).where('seq', '=', 1).executeTakeFirst();
      return row && { id: row.hash.slice(0, 12), at: row.at };
    },

    drain: () => batcher.drain(),
  };
}

interface AuditOptions {
  readonly auditKeys?: readonly Uint8Array[];
  readonly onShorterAudit?: (shorter: ShorterAudit) => void;
}

/** Clocks of replicas differ and are reset: a row may follow one whose time is later, by at most this much. */
const unevenMs = day;

/**
 * The `seq` of the first row at or after this time, or the next free one. A binary search works, since rows are written
 * in the order of time: a query about a week reads the rows of that week, not those of years.
 */
async function firstAt(db: Context['db'], at: number, newest: number): Promise<number> {
  let from = 1;
  let to = newest + 1;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const row = await db
      .selectFrom('audit')
      .select('at')
      .where('seq', '>=', middle)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (row === undefined || row.at >= at) to = middle;
    else from = middle + 1;
  }
  return from;
}
