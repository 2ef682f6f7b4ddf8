import type { CompiledQuery } from 'kysely';
import type { Columns, Resource } from './scheduler.ts';

/** Finds the rows at which a statement looks, as far as its text says so, and those that it changed, as triggers saw it. */

/**
 * The column that names the rows which belong together: statements that ask for one of its values look at no other row. The
 * order of the rows of other tables (presence, durations) is promised to nobody.
 */
const keys: Readonly<Record<string, string>> = {
  audit: 'operation_id',
  inbox: 'key',
  operations: 'id',
  steps: 'operation_id',
  votes: 'operation_id',
  locks: 'operation_id',
  freezes: 'id',
  messages: 'key',
  secrets: 'id',
  forms: 'id',
  entries: 'key',
  alerts: 'id',
  observations: 'key',
  hooks: 'id',
  leases: 'name',
  archives: 'id',
  schema_version: 'version',
};

/** Columns that only statements look at: no part of the bot reads them in a row. */
export const unread: Readonly<Record<string, readonly string[]>> = {
  operations: ['next_turn_at', 'turn_owner', 'turn_until'],
  messages: ['claimed_by', 'claimed_until'],
};

/** Lines are only added, in any order; some are added only if there is none like it yet. */
const onlyGrows = 'audit';

/** A lock is inserted, and refused, by its target: two rows of one operation are one here, and one target is in two. */
const wholeWhenInserted = new Set(['locks']);

export function tablesIn(sql: string): string[] {
  // A list of parameters is no table, and neither is what an insert changes in a row that is there.
  const named = sql.matchAll(/\b(?:from|into|update|join)\s+"?(?!(?:json_each|set)\b)(\w+)"?/gi);
  return [...named].flatMap(([, table]) => (table === undefined ? [] : [table]));
}

export const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);

/** The rows that decide what the statement answers and does. One that found no row looked at its conditions alone. */
export function lookedAt({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>, hasFound = true): Resource[] {
  if (/^\s*insert\b/i.test(sql) && sql.includes(' do nothing')) return rowsThere({ sql, parameters });
  if (sql.startsWith(`insert into "${onlyGrows}"`)) return [];
  const named = tablesIn(sql).filter((table) => table in keys);
  const [first] = named;
  const columns = columnsIn(hasFound ? sql : withoutValues(sql));
  return [...new Set(named)].flatMap((name): Resource[] => {
    const isAlone = name === first && named.filter((other) => other === name).length === 1;
    const rows = isAlone ? rowsNamed(sql, parameters, name) : undefined;
    const seen = {
      name,
      isWrite: false,
      columns: hasFound && sql.includes('*') ? without(columns, unread[name] ?? []) : { only: columns },
    };
    return rows?.map((row) => ({ ...seen, row })) ?? [seen];
  });
}

/** Each column but those that the bot reads in no row: a statement that asks for all of them has to name these. */
function without(named: ReadonlySet<string>, columns: readonly string[]): Columns {
  return { but: new Set(columns.filter((column) => !named.has(column))) };
}

/** The words of a statement, without the columns to which it only gives a value. */
function columnsIn(sql: string): Set<string> {
  const read = sql
    .replace(/^insert into .*? on conflict /s, '')
    .replace(/"excluded"\."\w+"/g, '')
    .replace(/( set |, )"\w+" = /g, ' ');
  return new Set(read.match(/\w+/g));
}

/** An update without what it writes and returns. */
function withoutValues(sql: string): string {
  const plain = withoutParentheses(sql);
  const [start, end] = [plain.indexOf(' set '), plain.lastIndexOf(' where ')];
  return start < 0 || end < start ? sql : sql.slice(0, start) + sql.slice(end);
}

/** Only whether there is such a row: what it says does not matter. */
function rowsThere({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Resource[] {
  const [table = ''] = tablesIn(sql);
  const rows = rowsNamed(sql, parameters, table);
  return rows?.map((row) => ({ name: `there is ${table}`, row, isWrite: false })) ?? [{ name: table, isWrite: false }];
}

/** Undefined: any row may be looked at. */
function rowsNamed(sql: string, parameters: readonly unknown[], table: string): string[] | undefined {
  if (/^\s*insert\b/i.test(sql)) return wholeWhenInserted.has(table) ? undefined : rowsInserted(sql, parameters, table);
  if (!/^\s*(select|update|delete)\b/i.test(sql)) return undefined;
  const key = keys[table];
  for (const { text, at } of conditionsIn(sql)) {
    const slot = sql.slice(0, at).split('?').length - 1;
    const value = parameters[slot];
    if (text.startsWith(`"${key}" = ?`)) return [String(value)];
    if (text.startsWith(`"${key}" in (select value from json_each(?))`)) return listOf(value);
  }
  return undefined;
}

/** Conditions that must all hold: none of them stands inside of parentheses. */
function conditionsIn(sql: string): { readonly text: string; readonly at: number }[] {
  const plain = withoutParentheses(sql);
  const start = plain.indexOf(' where ');
  // Of `a or b and c` neither part has to hold.
  if (start < 0 || / or /i.test(plain.slice(start))) return [];
  const breaks = [...plain.slice(start).matchAll(/ where | and /g)].map(
    ({ index, 0: word }) => start + index + word.length,
  );
  return breaks.map((at) => ({ text: sql.slice(at), at }));
}

/** Of the same length, so that places in it are places in the statement. */
function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, ({ length }) => '.'.repeat(length));
  return shorter === text ? text : withoutParentheses(shorter);
}

function listOf(value: unknown): string[] {
  const parsed: unknown = JSON.parse(String(value));
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** Each column of each row has exactly one slot; undefined where it is otherwise. */
function rowsInserted(sql: string, parameters: readonly unknown[], table: string): string[] | undefined {
  const [, columnList = '', rest = ''] = /^insert into "\w+" \(([^)]*)\) values (.*)$/s.exec(sql) ?? [];
  const [values = ''] = rest.split(/ on conflict | returning /);
  const columns = columnList.split(', ');
  const place = columns.indexOf(`"${keys[table]}"`);
  const slots = values.split('?').length - 1;
  if (place < 0 || slots === 0 || slots % columns.length !== 0) return undefined;
  return Array.from({ length: slots / columns.length }, (_, n) => String(parameters[n * columns.length + place]));
}

/** Statements that note each row which is inserted, deleted or given another value. */
export function triggersFor(table: string, columns: readonly string[]): string[] {
  const key = keys[table];
  if (key === undefined) return [];
  const note = (row: 'new' | 'old', name = table, which = "''") =>
    `insert into changed values ('${name}', ${row}."${key}", ${which});`;
  if (table === onlyGrows)
    return [`create temp trigger "${table} inserted" after insert on main."${table}" begin ${note('new')} end`];
  const comes = (row: 'new' | 'old') => `${note(row)} ${note(row, `there is ${table}`)}`;
  const isOther = (column: string) => `old."${column}" is not new."${column}"`;
  const differs = columns.map(isOther).join(' or ');
  const which = columns.map((column) => `case when ${isOther(column)} then ' ${column}' else '' end`).join(' || ');
  return [
    `create temp trigger "${table} inserted" after insert on main."${table}" begin ${comes('new')} end`,
    `create temp trigger "${table} deleted" after delete on main."${table}" begin ${comes('old')} end`,
    `create temp trigger "${table} updated" after update on main."${table}" when ${differs} begin ${note('old', table, which)} ${note('new', table, which)} end`,
  ];
}

/** A row that a trigger noted. */
export function changedRow({ table, row, columns }: Readonly<Record<string, unknown>>): Resource {
  const only = new Set(
    String(columns)
      .split(' ')
      .filter((column) => column !== ''),
  );
  const change = { name: String(table), row: String(row), isWrite: true, ...(only.size > 0 && { columns: { only } }) };
  return table === onlyGrows ? { ...change, isAlike: true } : change;
}

/** All but those whose rows are in no order. */
export const keyedTables: readonly string[] = Object.keys(keys).filter((table) => table !== onlyGrows);
