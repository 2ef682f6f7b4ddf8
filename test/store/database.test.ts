import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { parseDatabaseUrl } from '../../src/store/address.ts';
import { openStore } from '../../src/store/database.ts';
import { newestSchema } from '../../src/store/migrate.ts';
import { first } from '../../src/store/migrations/0001-first.ts';
import { isRoot } from '../support/another-user.ts';
import { engines, freshDatabase } from '../support/databases.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostler-opening-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** One line that a person can act on, with the directory of this run taken out. */
async function complaint(url: string, more = {}): Promise<string> {
  const error = await openStore(url, { connectTimeoutMs: 1000, ...more }).then(
    (store) => store.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreUnavailable);
  const text = error instanceof Error ? error.message : '';
  expect(text).not.toContain('\n');
  expect(text).not.toContain('s3cret');
  return text.replaceAll(dir, '<dir>').replace(/127\.0\.0\.1:\d+/g, '<server>');
}

test('DATABASE_URL is a path, a file: or sqlite: URL, or a PostgreSQL URL', () => {
  expect(parseDatabaseUrl(undefined)).toMatchObject({ engine: 'sqlite', file: './data/hostler.db' });
  expect(parseDatabaseUrl(' ')).toMatchObject({ file: './data/hostler.db' });
  expect(parseDatabaseUrl('file:///var/lib/h.db')).toMatchObject({ file: '/var/lib/h.db' });
  expect(parseDatabaseUrl('sqlite:./h.db')).toMatchObject({ file: './h.db' });
  expect(parseDatabaseUrl('sqlite::memory:')).toMatchObject({ file: ':memory:' });
  expect(parseDatabaseUrl('/h.db')).toMatchObject({ engine: 'sqlite', file: '/h.db' });
  expect(parseDatabaseUrl('postgresql://u:s3cret@db/hostler')).toMatchObject({
    engine: 'postgres',
    label: 'PostgreSQL db:5432/hostler',
  });
});

test.each([
  'host=localhost dbname=hd',
  'host=localhost dbname=hd.db',
  'hostler',
  'hostler.sqlite',
  'postgre://hostler@db/hostler.db',
  'mysql://db/hostler',
  'db.internal:5432/hostler',
])('a text that is neither an address nor a path is refused: %s', (text) => {
  expect(() => parseDatabaseUrl(text)).toThrow(/^DATABASE_URL is not an address of a database: .+postgres:\/\//);
});

test.each(['hostler.db', './data/h', '../h', '/var/lib/h', 'file:h', 'sqlite:h', 'h.db?mode=rwc'])(
  'a path of a SQLite file is accepted: %s',
  (text) => {
    expect(parseDatabaseUrl(text)).toMatchObject({ engine: 'sqlite' });
  },
);

const none = {};
const parts = (text: string, env = none) => {
  const address = parseDatabaseUrl(text, env);
  if (address.engine !== 'postgres') throw new Error('no PostgreSQL');
  const { hosts, user, password, database } = address;
  return { hosts: hosts.map(({ host, port }) => `${host} ${port}`), user, password, database };
};
const hostler = { user: 'u', password: 'p', database: 'db' };

test.each<[string, string[]]>([
  ['postgres://u:p@h/db', ['h 5432']],
  ['postgres://u:p@h:5433/db', ['h 5433']],
  ['postgres://u:p@[::1]:5433/db', ['::1 5433']],
  ['postgres://u:p@a,b:5433,c/db', ['a 5432', 'b 5433', 'c 5432']],
  ['postgres://u:p@/db?host=a,b&port=5433', ['a 5433', 'b 5433']],
  ['postgres://u:p@/db?host=a,b&port=5433,5434', ['a 5433', 'b 5434']],
  ['postgres://u:p@/db?host=/run/postgresql', ['/run/postgresql 5432']],
  ['postgres://u:p@/db?host=/run/postgresql&port=5433', ['/run/postgresql 5433']],
  ['postgres://u:p@%2Frun%2Fpostgresql:5433/db', ['/run/postgresql 5433']],
  ['postgresql:///?user=u&password=p&dbname=db&host=h', ['h 5432']],
])('the host and port of %s are read', (text, hosts) => {
  expect(parts(text)).toEqual({ ...hostler, hosts });
});

test("missing parts of an address are read from PostgreSQL's own variables, except the host and sslmode", () => {
  const env = { PGUSER: 'u', PGPASSWORD: 'p', PGDATABASE: 'db', PGHOST: 'db.example.com', PGSSLMODE: 'prefer' };
  expect(parts('postgres://', env)).toEqual({ ...hostler, hosts: ['localhost 5432'] });
  expect(parts('postgres://x:y@h:1/z', env)).toEqual({ user: 'x', password: 'y', database: 'z', hosts: ['h 1'] });
  const given = { PGSSLROOTCERT: '/ca.pem' };
  expect(parseDatabaseUrl('postgres://h/db', given)).toMatchObject({ rootCertificates: '/ca.pem', sslMode: 'disable' });
  expect(parseDatabaseUrl('postgres://h/db?sslrootcert=/a', given)).toMatchObject({ rootCertificates: '/a' });
  expect(parseDatabaseUrl('postgres://h/db?sslrootcert=system', given)).toMatchObject({ rootCertificates: undefined });
});

test.each([
  ['postgres://u:p@ss@h/db', 'percent-encoded'],
  ['postgres://u:p/ss@h/db', 'percent-encoded'],
  ['postgres://u:p#ss@h/db', 'percent-encoded'],
  ['postgres:/h/db', 'it should look like'],
  ['postgres://h:port/db', 'it should look like'],
  ['postgres://h:70000/db', 'it should look like'],
  ['postgres://h/db?target_session_attrs=standby', 'leave out target_session_attrs'],
  ['postgres://h/db?sslmode=yes', 'write sslmode=verify-full once, or, to this machine,'],
])('a mistake in an address gets an error message without the password: %s', (text, words) => {
  expect(() => parts(text)).toThrow(words);
  expect(() => parts(text)).not.toThrow(/s3cret|p@ss|p\/ss|p#ss/);
});

describe.each(engines)('a database that must exist, on %s', (engine) => {
  test('a missing database is refused, and no database is made', async () => {
    const database = await freshDatabase(engine);
    const words =
      'Hostler has not set up this database, and this command does not; set DATABASE_URL to the database that the bot uses';
    expect(await complaint(database.url, { mustExist: true })).toContain(words);
    if (engine === 'sqlite') expect(existsSync(database.url)).toBe(false);
    else expect(await database.run("select to_regclass('schema_version') as found")).toEqual([{ found: null }]);
    await (await openStore(database.url)).close();
    await (await openStore(database.url, { mustExist: true })).close();
    await database.drop();
  });
});

test('a SQLite file, its directory and its log files are private to the owner', async () => {
  const file = join(dir, 'new', 'deep', 'hostler.db');
  const store = await openStore(file);
  await store.inbox.receive({ key: 'k', kind: 'k', body: '{}' });
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await mode(join(dir, 'new'))).toBe('700');
  expect([await mode(file), await mode(`${file}-wal`), await mode(`${file}-shm`)]).toEqual(['600', '600', '600']);
  await store.close();

  await chmod(file, 0o644);
  await (await openStore(file)).close();
  expect(await mode(file)).toBe('600');
});

test('a store in memory can be opened', async () => {
  const store = await openStore(':memory:');
  expect(await store.inbox.receive({ key: 'k', kind: 'k', body: '{}' })).toBe(true);
  await store.close();
});

test('a SQLite file that cannot be used gets an error message of one line with a remedy', async () => {
  const garbage = join(dir, 'garbage.db');
  await writeFile(garbage, 'This is not a database at all. '.repeat(500));
  await mkdir(join(dir, 'folder.db'));
  await writeFile(join(dir, 'file'), '');
  expect(await complaint(garbage)).toMatchInlineSnapshot(
    `"using SQLite <dir>/garbage.db: the file is not a SQLite database, or damaged; restore the newest backup, or move it away to start with an empty one (file is not a database)"`,
  );
  expect(await complaint(join(dir, 'folder.db'))).toMatchInlineSnapshot(
    `"using SQLite <dir>/folder.db: it is a directory; set DATABASE_URL to the path of a file (EISDIR: illegal operation on a directory, open '<dir>/folder.db')"`,
  );
  expect(await complaint(join(dir, 'file', 'hostler.db'))).toMatchInlineSnapshot(
    `"using SQLite <dir>/file/hostler.db: a part of the path is a file, not a directory; set DATABASE_URL to another path (EEXIST: file already exists, mkdir '<dir>/file')"`,
  );
  expect(await complaint('mysql://u:s3cret@db/hostler')).toMatchInlineSnapshot(
    `"DATABASE_URL is not an address of a database: the path of a SQLite file begins with ./ or / or file: or ends with .db, and PostgreSQL is postgres://user:password@host:5432/database"`,
  );
});

test('the error message for a damaged SQLite file says to restore the newest backup', async () => {
  const file = join(dir, 'damaged.db');
  const store = await openStore(file);
  await store.audit.append({ kind: 'request', text: 'asked' });
  await store.close();
  const { size } = await stat(file);
  await writeFile(file, Buffer.alloc(size - 4096, 0xff), { flag: 'r+' }).catch(() => {});
  expect(await complaint(file)).toContain('restore the newest backup');
});

test('the error message for a directory that cannot be written to asks for write permission', async ({ skip }) => {
  skip(isRoot, 'root may write everywhere');
  const closed = join(dir, 'closed');
  await mkdir(closed, { mode: 0o500 });
  expect(await complaint(join(closed, 'hostler.db'))).toContain('give the user Hostler runs as write permission');
});

test('a PostgreSQL that cannot be used gets an error message of one line with a remedy and without credentials', async () => {
  const url = (change: (url: URL) => void) => {
    const copy = new URL(inject('postgresUrl'));
    change(copy);
    return copy.href;
  };
  const port = await freePort();
  expect(
    await complaint(
      url((to) => {
        to.port = String(port);
        to.password = 's3cret';
      }),
    ),
  ).toMatchInlineSnapshot(
    `"using PostgreSQL <server>/postgres: connect ECONNREFUSED <server>; check that the server runs and can be reached from here"`,
  );
  expect(
    await complaint(
      url((to) => {
        to.password = 's3cret';
      }),
    ),
  ).toMatchInlineSnapshot(
    `"using PostgreSQL <server>/postgres: password authentication failed for user "hostler"; check user and password in DATABASE_URL"`,
  );
  expect(
    await complaint(
      url((to) => {
        to.pathname = '/nowhere';
      }),
    ),
  ).toMatchInlineSnapshot(
    `"using PostgreSQL <server>/nowhere: database "nowhere" does not exist; create the database, or correct its name in DATABASE_URL"`,
  );
  expect(
    await complaint(
      url((to) => {
        to.searchParams.set('shema', 'x');
      }),
    ),
  ).toMatchInlineSnapshot(
    `"DATABASE_URL is not readable after the question mark, where the bot knows sslmode, sslrootcert, host, port, user, password, dbname, application_name, options, target_session_attrs"`,
  );
  expect(await complaint('postgres://hostler:s3cret%@db:5432/hostler')).toMatchInlineSnapshot(
    `"DATABASE_URL is not readable: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ is %40, / is %2F)"`,
  );
  expect(await complaint('postgres://hostler:s3cret/@db:x/hostler')).toMatchInlineSnapshot(
    `"DATABASE_URL is not readable: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ is %40, / is %2F)"`,
  );
});

describe.each(engines)('the schema on %s', (engine) => {
  test('replicas that start together on an empty database all start', async () => {
    const database = await freshDatabase(engine);
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(database.url)));
    const versions = await database.run('select version from schema_version order by version');
    expect(versions.map(({ version }) => Number(version))).toEqual(
      Array.from({ length: newestSchema }, (_, n) => n + 1),
    );
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    const again = await openStore(database.url);
    await again.close();
    await database.drop();
  });

  test('all text is compared byte by byte, so that each comparison of two columns can use an index', async () => {
    const database = await freshDatabase(engine);
    await (await openStore(database.url)).close();
    const others =
      engine === 'postgres'
        ? `select table_name, column_name from information_schema.columns where table_schema = current_schema()
             and collation_name is distinct from 'C' and data_type not in ('bigint', 'integer')`
        : "select name from sqlite_schema where sql like '%collate%'";
    expect(await database.run(others)).toEqual([]);
    await database.drop();
  });

  test.each([
    ['the first build of this schema', "update schema_version set name = 'first'"],
    [
      'a build with later migrations that no release has',
      "insert into schema_version (version, name, applied_at) select version + 10, 'audit-changes', 0 from schema_version where version = 1; update schema_version set name = 'first' where version = 1",
    ],
  ])('a database of an unreleased build is called that and not changed: %s', async (_, text) => {
    const database = await freshDatabase(engine);
    await (await openStore(database.url)).close();
    for (const statement of text.split('; ')) await database.run(statement);
    const before = await database.run('select * from schema_version');
    expect(await complaint(database.url)).toMatch(
      /: an unreleased build made this database; start with an empty database, or restore a backup of a release$/,
    );
    expect(await database.run('select * from schema_version')).toEqual(before);
    await database.drop();
  });

  test('a schema of a newer Hostler is refused and not changed', async () => {
    const database = await freshDatabase(engine);
    await (await openStore(database.url)).close();
    await database.run("insert into schema_version (version, name, applied_at) values (99, 'later', 0)");
    expect(await complaint(database.url)).toContain(
      `its schema is version 99 and this Hostler knows ${newestSchema}; start the newer Hostler again, or restore a backup from before the upgrade`,
    );
    await database.drop();
  });
});

test('a migration whose statements change gets another name; one of a release does not change', () => {
  const statements = first.statements({ serialKey: 'serial', text: 'text' }).join('\n');
  const hash = createHash('sha256').update(statements).digest('hex').slice(0, 8);
  expect([first.name, hash]).toEqual(['first-2026-11-29', '278186fd']);
});
