import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { openStore } from '../../src/store/database.ts';
import { engines, freshDatabase } from '../support/database/databases.ts';
import { isRoot } from '../support/process/another-user.ts';
import { openAlone } from './conformance.ts';

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

describe.each(engines)('on %s', (engine) => {
  test('a missing database is refused, and no database is made', async () => {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const words =
      'Hostler has not set up this database, and this command does not; set DATABASE_URL to the database that the bot uses';
    expect(await complaint(database.url, { mustExist: true })).toContain(words);
    if (engine === 'sqlite') expect(existsSync(database.url)).toBe(false);
    else expect(await database.run("select to_regclass('schema_version') as found")).toEqual([{ found: null }]);
    await (await openStore(database.url)).close();
    await (await openStore(database.url, { mustExist: true })).close();
  });

  test('the store answers a ping, and its label shows where it is without credentials', async () => {
    const { database, store } = await openAlone(engine);
    await store.ping();
    expect(store.label).not.toContain('hostler:hostler');
    expect(store.label).toContain(engine === 'sqlite' ? database.url : '127.0.0.1:');
  });
});

test('a SQLite file, its directory and its log files are private to the owner', async () => {
  const file = join(dir, 'new', 'deep', 'hostler.db');
  const store = await openStore(file);
  await store.inbox.receive({ key: 'k', body: '{}' });
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await mode(join(dir, 'new'))).toBe('700');
  expect([await mode(file), await mode(`${file}-wal`), await mode(`${file}-shm`)]).toEqual(['600', '600', '600']);
  await store.close();
  await chmod(file, 0o644);
  await (await openStore(file)).close();
  expect(await mode(file)).toBe('600');
});

test('a SQLite file that cannot be used gets an error message of one line with a remedy', async () => {
  const garbage = join(dir, 'garbage.db');
  await writeFile(garbage, 'This is not a database at all. '.repeat(500));
  await mkdir(join(dir, 'folder.db'));
  await writeFile(join(dir, 'file'), '');
  expect(await complaint(garbage)).toBe(
    'using SQLite <dir>/garbage.db: the file is not a SQLite database, or damaged; restore the newest backup, or move it away to start with an empty one (file is not a database)',
  );
  expect(await complaint(join(dir, 'folder.db'))).toBe(
    "using SQLite <dir>/folder.db: it is a directory; set DATABASE_URL to the path of a file (EISDIR: illegal operation on a directory, open '<dir>/folder.db')",
  );
  expect(await complaint(join(dir, 'file', 'hostler.db'))).toBe(
    "using SQLite <dir>/file/hostler.db: a part of the path is a file, not a directory; set DATABASE_URL to another path (EEXIST: file already exists, mkdir '<dir>/file')",
  );
});

test('the error message for a damaged SQLite file says to restore the newest backup', async () => {
  const file = join(dir, 'damaged.db');
  const store = await openStore(file);
  await store.audit.append({ kind: 'asked', text: 'asked' });
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
  const server = (more: { port?: string; password?: string; pathname?: string; search?: string }) =>
    Object.assign(new URL(inject('postgresUrl')), more).href;
  const unreadable =
    'DATABASE_URL is not readable: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ is %40, / is %2F)';
  for (const [url, words] of [
    [
      server({ port: String(await freePort()), password: 's3cret' }),
      'using PostgreSQL <server>/postgres: connect ECONNREFUSED <server>; check that the server runs and can be reached from here',
    ],
    [
      server({ password: 's3cret' }),
      'using PostgreSQL <server>/postgres: password authentication failed for user "hostler"; check user and password in DATABASE_URL',
    ],
    [
      server({ pathname: '/nowhere' }),
      'using PostgreSQL <server>/nowhere: database "nowhere" does not exist; create the database, or correct its name in DATABASE_URL',
    ],
    [
      server({ search: '?shema=x' }),
      'DATABASE_URL is not readable after the question mark, where the bot knows sslmode, sslrootcert, host, port, user, password, dbname, application_name, options, target_session_attrs',
    ],
    ['postgres://hostler:s3cret%@db:5432/hostler', unreadable],
    ['postgres://hostler:s3cret/@db:x/hostler', unreadable],
  ] as const)
    expect(await complaint(url)).toBe(words);
});
