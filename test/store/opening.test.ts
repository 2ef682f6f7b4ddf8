import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { parseDatabaseUrl } from '../../src/store/address.ts';
import { openStore } from '../../src/store/database.ts';
import { newestSchema } from '../../src/store/migrate.ts';
import { engines, freshDatabase } from '../support/databases.ts';
import { freePort } from '../support/postgres-server.ts';

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

test('DATABASE_URL is a path, a file: or sqlite: URL, or a PostgreSQL one', () => {
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

test('a SQLite file and its directory are made for the owner only, and the log files are private too', async () => {
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

test('a store in memory is there for tests', async () => {
  const store = await openStore(':memory:');
  expect(await store.inbox.receive({ key: 'k', kind: 'k', body: '{}' })).toBe(true);
  await store.close();
});

test('what is wrong with a SQLite file is said in one line with what to do', async () => {
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
    `"DATABASE_URL begins with mysql://, which is no database Hostler knows: give the path of a SQLite file, or postgres://user:password@host:5432/database"`,
  );
});

test('a damaged SQLite file is said to be damaged', async () => {
  const file = join(dir, 'damaged.db');
  const store = await openStore(file);
  await store.audit.append({ kind: 'request', text: 'asked' });
  await store.close();
  const { size } = await stat(file);
  await writeFile(file, Buffer.alloc(size - 4096, 0xff), { flag: 'r+' }).catch(() => {});
  expect(await complaint(file)).toContain('restore the newest backup');
});

test.skipIf(process.getuid?.() === 0)('a directory that may not be written is named', async () => {
  const closed = join(dir, 'closed');
  await mkdir(closed, { mode: 0o500 });
  expect(await complaint(join(closed, 'hostler.db'))).toContain('give the user Hostler runs as write permission');
});

test('what is wrong with PostgreSQL is said in one line with what to do, without credentials', async () => {
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
    `"using PostgreSQL <server>/postgres: unrecognized configuration parameter "shema"; check the part of DATABASE_URL after the question mark"`,
  );
  expect(await complaint('postgres://hostler:s3cret%@db:5432/hostler')).toMatchInlineSnapshot(
    `"DATABASE_URL cannot be read: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded"`,
  );
  expect(await complaint('postgres://hostler:s3cret/@db:x/hostler')).toMatchInlineSnapshot(
    `"DATABASE_URL cannot be read: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded"`,
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

  test('a schema from a newer Hostler is refused, and left alone', async () => {
    const database = await freshDatabase(engine);
    await (await openStore(database.url)).close();
    await database.run("insert into schema_version (version, name, applied_at) values (99, 'later', 0)");
    expect(await complaint(database.url)).toContain(
      `its schema is version 99 and this Hostler knows ${newestSchema}; start the newer Hostler again, or restore a backup from before the upgrade`,
    );
    await database.drop();
  });
});
