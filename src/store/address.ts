import { BadAddress, type PostgresAddress, postgresAddress } from './postgres/postgres-address.ts';

export type StoreAddress = { engine: 'sqlite'; file: string; label: string } | PostgresAddress;

const defaultFile = './data/hostler.db';

/** Parses DATABASE_URL. `label` names the database in logs and errors, without credentials. */
export function parseDatabaseUrl(databaseUrl: string | undefined, env = process.env): StoreAddress {
  const text = databaseUrl?.trim() || defaultFile;
  if (/^postgres(ql)?:/.test(text)) return postgresAddress(text, env);
  const file = fileOf(text);
  if (file !== undefined) return { engine: 'sqlite', file, label: `SQLite ${file}` };
  throw new BadAddress(
    'an address of a database: the path of a SQLite file begins with ./ or / or file: or ends with .db, and PostgreSQL is postgres://user:password@host:5432/database',
  );
}

/** Accepts only unmistakable paths: a mistyped address would otherwise open an empty database file. */
function fileOf(text: string): string | undefined {
  const [, scheme, path = ''] = /^((?:sqlite|file):(?:\/\/)?)?([^?]*)/.exec(text) ?? [];
  if (scheme !== undefined) return path || defaultFile;
  const isPath = /^\.{0,2}\//.test(path) || (path.endsWith('.db') && !/=|^[\w+.-]+:\/\//.test(path));
  return isPath || path === ':memory:' ? path : undefined;
}
