import type { Compilable, CompiledQuery } from 'kysely';

/**
 * An insert of several rows, compiled once for each number of them: under load Kysely took longer to build it than SQLite
 * to run it. Rows are plain values, all with the same columns in the same order.
 */
export function createBulk<Row extends object, Result>(
  build: (rows: readonly Row[]) => Compilable<Result>,
): (rows: readonly Row[]) => CompiledQuery<Result> {
  const known = new Map<number, CompiledQuery<Result>>();
  return (rows) => {
    const compiled = known.get(rows.length) ?? build(rows).compile();
    known.set(rows.length, compiled);
    const parameters = rows.flatMap((row): unknown[] => Object.values(row));
    if (parameters.length !== compiled.parameters.length) throw new Error('rows with other columns than the first');
    return { ...compiled, parameters };
  };
}
