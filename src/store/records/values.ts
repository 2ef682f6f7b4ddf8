import type { ObservedKind } from '../../core/alert/alert.ts';
import { slicesOf } from '../../core/async/in-slices.ts';
import { type Context, hasChanged, parseJson, textList } from '../dialect.ts';
import type { StoredValuesTable } from '../schema.ts';
import { createKeyedRead, createRecentReads } from '../shared-reads.ts';
import { type ValueKind, type ValueOf, valueKinds } from './value-kinds.ts';

export type StoredValue<Kind extends ValueKind> = Readonly<
  Pick<StoredValuesTable, 'at' | 'changedAt'> & { value: ValueOf<Kind> }
>;

/** Beyond the values of a large workspace. */
const mostParsed = 5_000;

/** A text is read each time, and parsed again only if it has changed. */
const parsed = new Map<string, unknown>();

/** Throws if this version cannot read the value. Callers share the value and must not change it. */
export function parseValue<Kind extends ValueKind>(kind: Kind, text: string): ValueOf<Kind> {
  const of = `${kind} ${text}`;
  const value = parsed.get(of) ?? valueKinds[kind].parse(parseJson(text));
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(of, value);
  // The schema is this kind's; TypeScript does not follow the lookup.
  return value as ValueOf<Kind>;
}

/**
 * All values that have no separate table, by kind and key. `find`, `list` and `drifting` skip a value
 * that this version cannot read, such as one of a newer version; `get`, `all` and `change` throw.
 */
export function createValues({ db, dialect, now }: Context) {
  const ofKind = (kind: ValueKind) => db.selectFrom('storedValues').selectAll().where('kind', '=', kind).orderBy('key');
  const among = async (kind: ValueKind, keys: readonly string[]): Promise<StoredValuesTable[]> => {
    if (keys.length === 0) return [];
    return ofKind(kind)
      .where(dialect.isAmong('key', textList(keys)))
      .execute();
  };
  /** Reads at the same moment share a statement, since every decision reads a policy. */
  const textReads = new Map<ValueKind, (key: string) => Promise<string | undefined>>();
  const textOf = (kind: ValueKind, key: string) => {
    const read =
      textReads.get(kind) ??
      createKeyedRead(async (keys) => new Map((await among(kind, keys)).map((row) => [row.key, row.value])));
    textReads.set(kind, read);
    return read(key);
  };
  const texts = createRecentReads<string | undefined>(now);
  const rows = createRecentReads<StoredValuesTable[]>(now);
  const recentText = (kind: ValueKind, key: string) => texts.get(`${kind}:${key}`, () => textOf(kind, key));
  const recentRows = (kind: ValueKind) => rows.get(kind, () => ofKind(kind).execute());
  const written = <T>(write: Promise<T>): Promise<T> =>
    write.finally(() => {
      texts.clear();
      rows.clear();
    });

  /** Writes in the order of the keys, so that two processes that write the same rows lock them in the same order. */
  async function upsert(rows: readonly StoredValuesTable[]): Promise<void> {
    const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    for (const some of slicesOf(sorted)) {
      await db
        .insertInto('storedValues')
        .values(some)
        .onConflict((conflict) =>
          conflict.columns(['kind', 'key']).doUpdateSet(({ ref }) => ({
            value: ref('excluded.value'),
            at: ref('excluded.at'),
            changedAt: ref('excluded.changedAt'),
          })),
        )
        .execute();
    }
  }
  /** True for one of all callers with the same `expected`; undefined stands for no value. */
  function replace(kind: ValueKind, key: string, expected: string | undefined, value: string): Promise<boolean> {
    const write =
      expected === undefined
        ? db
            .insertInto('storedValues')
            .values({ kind, key, value, at: now() })
            .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
        : db
            .updateTable('storedValues')
            .set({ value, at: now() })
            .where(({ and }) => and({ kind, key, value: expected }));
    return written(hasChanged(write));
  }

  /** Reads each value separately, for callers that can continue without unreadable values: `errors` has theirs. */
  async function each<Kind extends ValueKind>(kind: Kind) {
    const values = new Map<string, ValueOf<Kind>>();
    const errors = new Map<string, unknown>();
    for (const { key, value } of await recentRows(kind)) {
      try {
        values.set(key, parseValue(kind, value));
      } catch (error) {
        errors.set(key, error);
      }
    }
    return { values, errors };
  }

  return {
    each,

    async get<Kind extends ValueKind>(kind: Kind, key: string): Promise<ValueOf<Kind> | undefined> {
      const text = await recentText(kind, key);
      return text === undefined ? undefined : parseValue(kind, text);
    },

    async all<Kind extends ValueKind>(kind: Kind): Promise<ReadonlyMap<string, ValueOf<Kind>>> {
      const { values, errors } = await each(kind);
      for (const error of errors.values()) throw error;
      return values;
    },

    /** Writes the result of `next` only if the stored value is still the one that `next` got. */
    async change<Kind extends ValueKind>(
      kind: Kind,
      key: string,
      next: (before: ValueOf<Kind> | undefined) => ValueOf<Kind> | undefined,
    ): Promise<boolean> {
      const text = await textOf(kind, key);
      const value = next(text === undefined ? undefined : parseValue(kind, text));
      return value !== undefined && replace(kind, key, text, JSON.stringify(value));
    },

    remove: (kind: ValueKind, key: string): Promise<boolean> =>
      written(hasChanged(db.deleteFrom('storedValues').where(({ and }) => and({ kind, key })))),

    write: <Kind extends ValueKind>(
      kind: Kind,
      values: Readonly<Record<string, ValueOf<Kind>>>,
      at: number,
      changedAt: ReadonlyMap<string, number | null> = new Map(),
    ): Promise<void> => {
      const rows = Object.entries(values).map(([key, value]) => {
        return { kind, key, value: JSON.stringify(value), at, changedAt: changedAt.get(key) ?? null };
      });
      return written(upsert(rows));
    },

    find: async <Kind extends ValueKind>(kind: Kind, keys: readonly string[]) =>
      readable(kind, await among(kind, keys)),

    /** The values with this beginning of the key, by the rest of the key, oldest first. */
    list: async <Kind extends ValueKind>(kind: Kind, prefix = '') => {
      const rows = await ofKind(kind).where('key', '>=', prefix).where('key', '<', endOf(prefix)).execute();
      const named = rows.map((row) => ({ ...row, key: row.key.slice(prefix.length) })).sort((a, b) => a.at - b.at);
      return readable(kind, named);
    },

    /** The observed values of a kind that differ from the usual ones. */
    drifting: async (kind: ObservedKind) =>
      readable(kind, await ofKind(kind).where('changedAt', 'is not', null).execute()),

    // For Keyv, which makes the texts itself.
    replace,
    getText: recentText,
    getTextNow: textOf,
    listTexts: recentRows,
    setText: (kind: ValueKind, key: string, value: string) =>
      written(upsert([{ kind, key, value, at: now(), changedAt: null }])),
    async clear(kind: ValueKind, prefix: string): Promise<void> {
      const all = db.deleteFrom('storedValues').where('kind', '=', kind);
      await written(all.where('key', '>=', prefix).where('key', '<', endOf(prefix)).execute());
    },
  };
}

function readable<Kind extends ValueKind>(kind: Kind, rows: readonly StoredValuesTable[]) {
  return new Map(
    rows.flatMap(({ key, value: text, at, changedAt }) => {
      const read = valueKinds[kind].safeParse(parseJson(text));
      // As in `parseValue`, the schema is this kind's.
      return read.success ? [[key, { value: read.data as ValueOf<Kind>, at, changedAt }] as const] : [];
    }),
  );
}

/** A text after every key with this prefix: keys are compared byte by byte, and U+10FFFF is the last character. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
