import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type ObservedKind, observedKinds } from '../../core/alert/alert.ts';
import type { Json } from '../../core/text/json.ts';
import { type Context, jsonText, parseJson } from '../dialect.ts';
import type { ObservationsTable, Schema } from '../schema.ts';

/** The kinds of notes and their values. Each note also has a key and the time of writing. */
const noteValues = {
  /** The last check of an alert rule. Key: the rule's name. */
  looked: z.null(),
  /** The time since which an alert rule cannot read, and why; null once it can. */
  blind: z.object({ since: z.number(), why: z.string() }).nullable(),
  /** Notes of the sweep: `done`, and `skipped` with the last interval. */
  sweep: z.number(),
  /** The last check of a rule's target. Key: `power:<order>`. */
  turn: z.null(),
  /** The login of a new server is stored for the requester. Key: the operation. */
  sealed: z.null(),
  /** A person accepted the value with this hash as the usual one. Key: `power:<order>`. */
  accepted: z.object({ by: z.string(), seen: z.string() }),
  /** A request about an open alert, and whether the alert's thread has its end. Key: `<alert>:<operation>`. */
  attempt: z.object({ operation: z.string(), isPosted: z.boolean() }),
  /**
   * The request that canceled an order which still exists; null once its end was announced, or the order is kept. Key:
   * the order.
   */
  leaving: z.object({ order: z.string(), operation: z.string(), card: z.string().nullable() }).nullable(),
  /** The last complete reading of all zones. Key: `all`. */
  zones: z.null(),
  /** A new server. Key: its order. */
  created: z.object({ id: z.string(), name: z.string(), address: z.string(), plan: z.string(), by: z.string() }),
} as const;

type NoteKind = keyof typeof noteValues;
type NoteValue<Kind extends NoteKind> = z.infer<(typeof noteValues)[Kind]>;

export interface Note<Kind extends NoteKind> {
  readonly value: NoteValue<Kind>;
  readonly at: number;
}

/** A value that a rule observed, and the usual value. */
export interface ObservationRow extends Omit<ObservationsTable, 'usual' | 'value'> {
  readonly usual: Json;
  readonly value: Json;
}

const chunkSize = 500;
const observedForMs = 365 * 86_400_000;

export type Notes = ReturnType<typeof createNotes>;

/** The bot's notes, and the observations of alert rules, by kind and key. */
export function createNotes({ db }: Context) {
  const ofKind = (kind: NoteKind | ObservedKind, keyPrefix = '') =>
    db
      .selectFrom('observations')
      .where('key', '>=', `${kind}:${keyPrefix}`)
      .where('key', '<', `${kind}:${keyPrefix}\u{10ffff}`);

  return {
    async write<Kind extends NoteKind>(
      kind: Kind,
      values: Readonly<Record<string, NoteValue<Kind>>>,
      at: number,
    ): Promise<void> {
      const rows = Object.entries(values).map(([key, value]) => ({
        key: `${kind}:${key}`,
        usual: null,
        value,
        seenAt: at,
        changedAt: null,
      }));
      await put(db, rows);
    },

    /** Skips a note whose value does not match its kind's schema, such as one that another version wrote. */
    async find<Kind extends NoteKind>(kind: Kind, keys: readonly string[]): Promise<Map<string, Note<Kind>>> {
      const rows = await find(db, kind, keys);
      return new Map([...rows].flatMap(([key, row]) => toNote(kind, row).map((note) => [key, note] as const)));
    },

    async since<Kind extends NoteKind>(kind: Kind, at: number): Promise<NoteValue<Kind>[]> {
      const rows = await ofKind(kind).selectAll().where('seenAt', '>=', at).orderBy('seenAt').execute();
      return rows.flatMap((row) => toNote(kind, toObservation(row))).map(({ value }) => value);
    },

    /** The notes with this beginning of the key, by the rest of the key, oldest first. */
    async under<Kind extends NoteKind>(kind: Kind, keyPrefix: string): Promise<Map<string, Note<Kind>>> {
      const rows = await ofKind(kind, keyPrefix).selectAll().orderBy('seenAt').orderBy('key').execute();
      const length = `${kind}:${keyPrefix}`.length;
      return new Map(
        rows.flatMap((row) => toNote(kind, toObservation(row)).map((note) => [row.key.slice(length), note] as const)),
      );
    },

    /** The times at which the notes with this beginning of the key were written, by the rest of the key. */
    async writtenAt(kind: NoteKind, keyPrefix: string): Promise<Map<string, number>> {
      const rows = await ofKind(kind, keyPrefix).select(['key', 'seenAt']).execute();
      const length = `${kind}:${keyPrefix}`.length;
      return new Map(rows.map(({ key, seenAt }) => [key.slice(length), seenAt]));
    },

    /** The latest observations of a kind, by key. */
    observed: (kind: ObservedKind, keys: readonly string[]): Promise<Map<string, ObservationRow>> =>
      find(db, kind, keys),

    async observe(kind: ObservedKind, rows: readonly ObservationRow[]): Promise<void> {
      await put(
        db,
        rows.map((row) => ({ ...row, key: `${kind}:${row.key}` })),
      );
    },

    /** All observations of a kind that differ from the usual value. */
    async drifting(kind: ObservedKind): Promise<ObservationRow[]> {
      const rows = await ofKind(kind).selectAll().where('changedAt', 'is not', null).execute();
      return rows.map((row) => ({ ...toObservation(row), key: row.key.slice(kind.length + 1) }));
    },

    /**
     * Keeps the usual values of alert rules for another year, so that a bot that was offline for a month still has
     * them, and notes about canceled orders, which may exist for that long.
     */
    async prune(before: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('observations')
        .where('seenAt', '<', before)
        .where(({ and, eb, not, or }) =>
          or([
            eb('seenAt', '<', before - observedForMs),
            and([...observedKinds, 'leaving'].map((kind) => not(eb('key', 'like', `${kind}:%`)))),
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function find(
  db: Kysely<Schema>,
  kind: NoteKind | ObservedKind,
  keys: readonly string[],
): Promise<Map<string, ObservationRow>> {
  const rowsByKey = new Map<string, ObservationRow>();
  for (let start = 0; start < keys.length; start += chunkSize) {
    const some = keys.slice(start, start + chunkSize).map((key) => `${kind}:${key}`);
    const rows = await db.selectFrom('observations').selectAll().where('key', 'in', some).execute();
    for (const row of rows) {
      const key = row.key.slice(kind.length + 1);
      rowsByKey.set(key, { ...toObservation(row), key });
    }
  }
  return rowsByKey;
}

/** Writes in the order of the keys, so that two processes that write the same rows lock them in the same order. */
async function put(db: Kysely<Schema>, rows: readonly ObservationRow[]): Promise<void> {
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
}

function toNote<Kind extends NoteKind>(kind: Kind, { value, seenAt }: ObservationRow): Note<Kind>[] {
  const parsed = noteValues[kind].safeParse(value);
  // The schema is this kind's; TypeScript does not follow the lookup.
  return parsed.success ? [{ value: parsed.data as NoteValue<Kind>, at: seenAt }] : [];
}

function toObservation(row: ObservationsTable): ObservationRow {
  return { ...row, usual: parseJson(row.usual), value: parseJson(row.value) };
}
