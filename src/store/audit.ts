import { createHash, createHmac } from 'node:crypto';
import { canonicalJson, type Json } from '../core/json.ts';
import { createBatcher } from './batcher.ts';
import { parseJson, plainText } from './columns.ts';
import type { Context } from './dialect.ts';
import type { AuditTable } from './schema.ts';

export interface AuditEntry {
  readonly kind: string;
  readonly actor?: string | undefined;
  readonly channel?: string | undefined;
  readonly operation?: string | undefined;
  /** One sentence, as `/host audit` shows it. */
  readonly text: string;
  readonly data?: { readonly [key: string]: Json };
  /** Left out when its operation has a line of one of these kinds already, or the very same line, whoever wrote it. */
  readonly unlessThere?: readonly string[] | 'same';
}

export interface AuditRow extends Omit<AuditTable, 'data'> {
  data: Json;
}

export interface AuditFilter {
  actor?: string;
  channel?: string;
  operationId?: string;
  kind?: string;
  /** The `seq` of the last row of the page before. */
  before?: number;
  limit: number;
}

/** `seq` is the first link that does not hold. */
export type ChainVerdict =
  | {
      ok: true;
      count: number;
      /** Of the last row. */
      hash: string;
      /** False: no key was given, so nothing says who wrote the end. */
      isSigned: boolean;
    }
  | { ok: false; seq: number; why: string };

const pageSize = 500;
const genesis = '0'.repeat(64);

export type Audit = ReturnType<typeof createAudit>;

/** Append-only, each row sealed with the hash of the one before it. */
export function createAudit({ db, dialect, now }: Context, keys: readonly Uint8Array[] = []) {
  const signatures = ({ seq, hash }: AuditEnd): string[] =>
    keys.map((key) => createHmac('sha256', key).update(`${seq}:${hash}`).digest('hex'));
  const isSigned = (end: AuditEnd & { readonly signature: string | null }): boolean =>
    end.seq === 0 || (end.signature !== null && signatures(end).includes(end.signature));

  // Both are asked for each group of lines, and compiled once. Locking the head puts all replicas in one line.
  const readHead = db
    .selectFrom('auditHead')
    .select(['seq', 'hash', 'signature'])
    .where('id', '=', 1)
    .$if(dialect.hasRowLocks, (query) => query.forUpdate())
    .compile();
  const moveHead = db.updateTable('auditHead').set({ seq: 0, hash: '', signature: '' }).where('id', '=', 1).compile();
  const write = (entries: readonly AuditEntry[]): Promise<number[]> =>
    db.transaction().execute(async (transaction) => {
      const [head] = (await transaction.executeQuery(readHead)).rows;
      if (head === undefined) throw new Error('the record of where the audit ends was removed');
      const at = now();
      let { seq, hash } = head;
      const there: Line[] = await thereAlready(transaction, entries);
      const rows: AuditTable[] = [];
      const written = entries.map((entry) => {
        if (entry.unlessThere !== undefined && there.some((line) => isThere(entry, line))) return seq;
        const row = link(entry, ++seq, at, hash);
        hash = row.hash;
        there.push(row);
        rows.push(row);
        return row.seq;
      });
      if (rows.length === 0) return written;
      await transaction.insertInto('audit').values(rows).execute();
      // An end that somebody else wrote stays unsigned: signing what follows would make it good.
      const [signature = null] = isSigned(head) ? signatures({ seq, hash }) : [];
      await transaction.executeQuery({ ...moveHead, parameters: [seq, hash, signature, 1] });
      return written;
    });
  /** Asked with the head locked, so that nobody writes one in between. */
  const thereAlready = async (transaction: Context['db'], entries: readonly AuditEntry[]): Promise<Line[]> => {
    const asking = entries.filter(({ unlessThere }) => unlessThere !== undefined);
    if (asking.length === 0) return [];
    return transaction
      .selectFrom('audit')
      .select(['operationId', 'kind', 'actor', 'data'])
      .where('operationId', 'in', [...new Set(asking.map(({ operation = '' }) => operation))])
      .where('kind', 'in', [...new Set(asking.flatMap(kindsOf))])
      .execute();
  };
  const batcher = createBatcher(write, { maxItems: 200 });

  const pages = async function* (last: number): AsyncGenerator<AuditTable[]> {
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
      yield rows;
    }
  };

  /** One statement, so that the three numbers belong together while others append. */
  const edges = async () => {
    const row = await db
      .selectFrom('auditHead')
      .select(({ selectFrom }) => [
        'seq',
        'hash',
        'signature',
        selectFrom('audit')
          .select(({ fn }) => fn.max('audit.seq').as('seq'))
          .as('newest'),
      ])
      .where('id', '=', 1)
      .executeTakeFirst();
    return row && { ...row, newest: row.newest ?? 0 };
  };

  return {
    /** Resolves with how long the chain is then, when it is stored. Entries that arrive together share a commit. */
    append: (entry: AuditEntry): Promise<number> => batcher.add(entry),

    /** `since` is an end that was written down elsewhere: the chain must still go through it. */
    async verify({ since }: { since?: AuditEnd | undefined } = {}): Promise<ChainVerdict> {
      const head = await edges();
      if (head === undefined) return { ok: false, seq: 0, why: 'the record of where the chain ends was removed' };
      let expected = 1;
      let prev = genesis;
      for await (const rows of pages(head.seq)) {
        for (const row of rows) {
          if (row.seq < expected) return { ok: false, seq: row.seq, why: `row ${row.seq} does not belong here` };
          if (row.seq > expected) return { ok: false, seq: expected, why: `row ${expected} was removed` };
          const why = broken(row, prev);
          if (why !== undefined) return { ok: false, seq: row.seq, why };
          if (since?.seq === row.seq && since.hash !== row.hash)
            return { ok: false, seq: row.seq, why: `row ${row.seq} is another than the one that was written down` };
          prev = row.hash;
          expected += 1;
        }
      }
      const count = expected - 1;
      if (count < head.seq) {
        return { ok: false, seq: expected, why: `the end was cut off: rows ${expected} to ${head.seq} were removed` };
      }
      if (prev !== head.hash) return { ok: false, seq: count, why: `row ${count} is not the one the chain ended with` };
      if (head.newest > head.seq) {
        return { ok: false, seq: head.seq + 1, why: `row ${head.seq + 1} was added behind the end of the chain` };
      }
      if (since !== undefined && count < since.seq) {
        return {
          ok: false,
          seq: count + 1,
          why: `the end was cut off: there were ${since.seq} rows, and ${count} are left`,
        };
      }
      if (keys.length > 0 && !isSigned(head)) {
        return {
          ok: false,
          seq: count,
          why: 'the end is not signed with our key: it was cut off or written by somebody else',
        };
      }
      return { ok: true, count, hash: prev, isSigned: keys.length > 0 };
    },

    /** Newest first. */
    async list({ actor, channel, operationId, kind, before, limit }: AuditFilter): Promise<AuditRow[]> {
      let query = db.selectFrom('audit').selectAll();
      if (actor !== undefined) query = query.where('actor', '=', actor);
      if (channel !== undefined) query = query.where('channel', '=', channel);
      if (operationId !== undefined) query = query.where('operationId', '=', operationId);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      if (before !== undefined) query = query.where('seq', '<', before);
      const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
      return rows.map(toAudit);
    },

    /** Oldest first, up to what was there when it began. */
    async *exportAll(): AsyncGenerator<AuditRow> {
      const head = await edges();
      for await (const rows of pages(head?.newest ?? 0)) yield* rows.map(toAudit);
    },

    /** The end of the chain. Written down elsewhere, it shows later that nothing before it was rewritten. */
    async head(): Promise<{ seq: number; hash: string }> {
      return db.selectFrom('auditHead').select(['seq', 'hash']).where('id', '=', 1).executeTakeFirstOrThrow();
    },

    drain: () => batcher.drain(),
  };
}

/** `seq:hash`, the last row of a chain. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

type Line = Pick<AuditTable, 'operationId' | 'kind' | 'actor' | 'data'>;

function kindsOf({ kind, unlessThere = [] }: AuditEntry): readonly string[] {
  return unlessThere === 'same' ? [kind] : unlessThere;
}

function isThere(entry: AuditEntry, line: Line): boolean {
  if (line.operationId !== entry.operation || !kindsOf(entry).includes(line.kind)) return false;
  return (
    entry.unlessThere !== 'same' || (line.actor === (entry.actor ?? null) && line.data === canonicalJson(dataOf(entry)))
  );
}

/** What stands in the row: the sentence and what goes with it. */
function dataOf({ text, data }: AuditEntry): Json {
  return { text, ...data };
}

function link(entry: AuditEntry, seq: number, at: number, prev: string): AuditTable {
  const orNull = (text: string | undefined) => (text === undefined ? null : plainText(text));
  const body = {
    seq,
    at,
    kind: plainText(entry.kind),
    actor: orNull(entry.actor),
    channel: orNull(entry.channel),
    operationId: orNull(entry.operation),
  };
  const data = dataOf(entry);
  return { ...body, data: canonicalJson(data), prev, hash: sealOf({ ...body, data }, prev) };
}

/** SHA-256 over the hash before and the canonical JSON of the row without `prev` and `hash`. */
function sealOf({ seq, at, kind, actor, channel, operationId, data }: Omit<AuditRow, 'prev' | 'hash'>, prev: string) {
  const body = canonicalJson({ seq, at, kind, actor, channel, operationId, data });
  return createHash('sha256').update(prev).update(body).digest('hex');
}

function broken(row: AuditTable, prev: string): string | undefined {
  if (row.prev !== prev) return `row ${row.seq} does not follow row ${row.seq - 1}: one of the two was changed`;
  try {
    const data = parseJson(row.data);
    if (canonicalJson(data) === row.data && sealOf({ ...row, data }, prev) === row.hash) return undefined;
  } catch {
    // Not JSON any more: changed, like any other text that does not fit its hash.
  }
  return `row ${row.seq} was changed`;
}

function toAudit(row: AuditTable): AuditRow {
  return { ...row, data: parseJson(row.data) };
}
