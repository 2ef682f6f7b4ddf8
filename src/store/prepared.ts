import type { Compilable, Kysely, QueryResult } from 'kysely';
import type { Schema } from './schema.ts';

/** Stands in a statement for a value that is known when it runs. */
export class LateValue {
  readonly read: (values: object) => unknown;

  constructor(read: LateValue['read']) {
    this.read = read;
  }
}

/** The number changed by `change`, or a slot of the number that it will be. */
export function mapLate(given: number | LateValue, change: (value: number) => number): number | LateValue {
  if (!(given instanceof LateValue)) return change(given);
  return new LateValue((values) => change(Number(given.read(values))));
}

/** A slot for each name that is read; it says that it is a value, and is replaced by one before the statement runs. */
function slotsOf<Values extends object>(inside: (values: object) => object): Values {
  return new Proxy(Object.create(null), {
    get: (_, name) => new LateValue((values) => Reflect.get(inside(values), name)),
  });
}

/** The shape of rows to insert, which all have the same columns. */
export function shapeOfRows(rows: readonly object[]): string {
  return [rows.length, ...Object.keys(rows[0] ?? {})].join();
}

/** Slots for rows of this shape that are given as `rows`. */
export function rowSlots<Row extends object>(shape: string): Row[] {
  const [count, ...columns] = shape.split(',');
  return Array.from({ length: Number(count) }, (_, n) => {
    const row = slotsOf<Record<string, unknown>>((values) => Object(Reflect.get(values, 'rows')[n]));
    // A slot for each column.
    return Object.fromEntries(columns.map((column) => [column, row[column]])) as Row;
  });
}

/** Slots for the columns, by their names, that are given as `set`. */
export function setSlots<Row extends object>(columns: readonly string[]): Row {
  const set = slotsOf<Record<string, unknown>>((values) => Object(Reflect.get(values, 'set')));
  // The caller names columns of the row.
  return Object.fromEntries(columns.map((column) => [column, set[column]])) as Row;
}

/** Slots for so many values that are given as a list of this name. */
export function listSlots<Value>(name: string, count: number): Value[] {
  const list = slotsOf<Record<number, Value>>((values) => Reflect.get(values, name));
  // A slot for each place of the list.
  return Array.from({ length: count }, (_, n) => list[n] as Value);
}

/**
 * A statement whose text Kysely makes once for each shape: making it cost more than running it, an eighth of an
 * operation's processor time. `build` is made before any call and sees only slots and the shape, so that no value of one
 * call can stay in the text of the next.
 */
export function prepared<Values extends object, Row, Shape extends string | number | undefined = undefined>(
  build: (slots: Values, shape: Shape) => Compilable<Row>,
): (
  db: Pick<Kysely<Schema>, 'executeQuery'>,
  values: Values,
  ...shape: undefined extends Shape ? [] : [Shape]
) => Promise<QueryResult<Row>> {
  const slots = slotsOf<Values>((values) => values);
  const texts = new Map<unknown, ReturnType<Compilable<Row>['compile']>>();
  return (db, values, shape?: Shape) => {
    let text = texts.get(shape);
    if (text === undefined) {
      // Without a shape its type is undefined.
      text = build(slots, shape as Shape).compile();
      texts.set(shape, text);
    }
    const parameters = text.parameters.map((one) => (one instanceof LateValue ? one.read(values) : one));
    return db.executeQuery({ ...text, parameters });
  };
}

/** Rows to insert. */
export interface Rows {
  readonly rows: readonly object[];
}
