import type { Json } from '../core/text/json.ts';
import { parseJson } from './dialect.ts';

/** A stored row: JSON is text. */
type Written<Row, Required extends string, Nullable extends string> = {
  [Name in keyof Row]: Name extends Required ? string : Name extends Nullable ? string | null : Row[Name];
};

/** The columns of a table that hold JSON. Null is a JSON value in a required one, and SQL's null in a nullable one. */
export function createJsonColumns<Required extends string, Nullable extends string = never>(
  required: readonly Required[],
  nullable: readonly Nullable[] = [],
) {
  type Name = Required | Nullable;
  const names: readonly Name[] = [...required, ...nullable];
  const isRequired = new Set<string>(required);
  return {
    parse<Row extends Record<Name, string | null>>(row: Row): Omit<Row, Name> & Record<Name, Json> {
      const parsed = names.map((name) => [name, parseJson(row[name] ?? 'null')] as const);
      // Only the columns of these names are replaced, which the type of Object.fromEntries does not show.
      return { ...row, ...Object.fromEntries(parsed) } as Omit<Row, Name> & Record<Name, Json>;
    },

    /** Absent columns stay absent, as in a patch. */
    write<Row extends Partial<Record<Name, Json>>>(row: Row): Written<Row, Required, Nullable> {
      const texts = names.flatMap((name) => {
        const value = row[name];
        if (value === undefined) return [];
        return [[name, value === null && !isRequired.has(name) ? null : JSON.stringify(value)] as const];
      });
      // As in `parse`.
      return { ...row, ...Object.fromEntries(texts) } as Written<Row, Required, Nullable>;
    },
  };
}
