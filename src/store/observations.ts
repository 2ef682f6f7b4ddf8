import type { SelectQueryBuilder } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonText, parseJson } from './columns.ts';
import type { Context } from './dialect.ts';
import type { ObservationsTable, Schema } from './schema.ts';

export interface ObservationRow extends Omit<ObservationsTable, 'usual' | 'value'> {
  usual: Json;
  value: Json;
}

/** A target that a step of ours touched, and by which command. */
export interface Touched {
  target: string;
  command: string;
  endedAt: number | null;
}

export interface JobRow {
  operationId: string;
  label: string;
  job: Json;
  state: string;
  note: string | null;
  acceptedAt: number;
  endedAt: number | null;
}

const chunkSize = 500;

export type Observations = ReturnType<typeof createObservations>;

/**
 * Keeps what the sweeps saw last, by `kind:key`, so that they notice changes; and what the bot did itself meanwhile.
 */
export function createObservations({ db }: Context) {
  const beginningWith = (prefix: string) =>
    db.selectFrom('observations').where('key', '>=', prefix).where('key', '<', `${prefix}\u{10ffff}`);

  type Steps = SelectQueryBuilder<Schema, 'steps', object>;
  /** Under way, or ended since: two questions, each with an index of its own, however much ended before. */
  const stepsSince = async <Row>(at: number, read: (steps: Steps) => SelectQueryBuilder<Schema, never, Row>) => {
    const underWay = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', 'is', null);
    const ended = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', '>=', at);
    return [...(await read(underWay).execute()), ...(await read(ended).execute())];
  };

  return {
    async find(keys: readonly string[]): Promise<Map<string, ObservationRow>> {
      const found = new Map<string, ObservationRow>();
      for (let start = 0; start < keys.length; start += chunkSize) {
        const some = keys.slice(start, start + chunkSize);
        const rows = await db.selectFrom('observations').selectAll().where('key', 'in', some).execute();
        for (const row of rows) found.set(row.key, toObservation(row));
      }
      return found;
    },

    /** All of a kind that differ from what is usual. */
    async drifting(prefix: string): Promise<ObservationRow[]> {
      const rows = await beginningWith(prefix).selectAll().where('changedAt', 'is not', null).execute();
      return rows.map(toObservation);
    },

    async since(prefix: string, at: number): Promise<ObservationRow[]> {
      const rows = await beginningWith(prefix).selectAll().where('seenAt', '>=', at).orderBy('seenAt').execute();
      return rows.map(toObservation);
    },

    async seenAt(prefix: string): Promise<Map<string, number>> {
      const rows = await beginningWith(prefix).select(['key', 'seenAt']).execute();
      return new Map(rows.map(({ key, seenAt }) => [key, seenAt]));
    },

    async put(rows: readonly ObservationRow[]): Promise<void> {
      const sorted = rows
        .map((row) => ({ ...row, usual: jsonText(row.usual), value: jsonText(row.value) }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      for (let start = 0; start < sorted.length; start += chunkSize) {
        await db
          .insertInto('observations')
          .values(sorted.slice(start, start + chunkSize))
          .onConflict((conflict) =>
            conflict.column('key').doUpdateSet(({ ref }) => ({
              usual: ref('excluded.usual'),
              value: ref('excluded.value'),
              seenAt: ref('excluded.seenAt'),
              changedAt: ref('excluded.changedAt'),
            })),
          )
          .execute();
      }
    },

    /** Targets that a step of ours was at work on at some moment since. */
    touchedSince: (at: number): Promise<Touched[]> =>
      stepsSince(at, (steps) =>
        steps
          .innerJoin('operations', 'operations.id', 'steps.operationId')
          .select(['steps.target', 'operations.command', 'steps.endedAt']),
      ),

    /** Steps that follow a job: those under way, and those that ended since. */
    async jobsSince(at: number): Promise<JobRow[]> {
      const rows = await stepsSince(at, (steps) =>
        steps
          .select(['operationId', 'label', 'job', 'state', 'note', 'acceptedAt', 'endedAt'])
          .where('job', 'is not', null),
      );
      return rows.flatMap(({ job, acceptedAt, ...row }) =>
        job === null || acceptedAt === null ? [] : [{ ...row, acceptedAt, job: parseJson(job) }],
      );
    },

    async prune(before: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('observations')
        .where('seenAt', '<', before)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function toObservation(row: ObservationsTable): ObservationRow {
  return { ...row, usual: parseJson(row.usual), value: parseJson(row.value) };
}
