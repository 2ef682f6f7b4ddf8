import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { openStore, type Store } from '../../../src/store/database.ts';
import { createPostgresDialect } from '../../../src/store/postgres/dialect.ts';
import { openConsole } from '../../support/database/console.ts';
import { freshDatabase, postgresAddressOf, type TestDatabase } from '../../support/database/databases.ts';

/**
 * A PostgreSQL that goes away and comes back, behind a line that can be cut. An error event without a
 * listener, as of a connection that breaks while it is lent, fails this file: vitest reports it.
 */
let database: TestDatabase;
let line: Awaited<ReturnType<typeof layLine>>;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase('postgres');
  line = await layLine(database.url);
  store = await openStore(line.url, { poolSize: 3, connectTimeoutMs: 1000, queryTimeoutMs: 1000 });
});
afterAll(async () => {
  await store.close();
  await line.cut();
  await database.drop();
});

const pool = { poolSize: 1, provenAtStart: 1, connectTimeoutMs: 1000, queryTimeoutMs: 400 };
const openSmall = (more = {}) =>
  new Kysely({ dialect: createPostgresDialect(postgresAddressOf(line.url), { ...pool, ...more }) });
const receive = (key: string) => store.inbox.receive({ key, body: '{}' });

test('broken idle connections are replaced', async () => {
  await Promise.all([store.ping(), store.ping(), store.ping()]);
  await database.run(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
  await expect.poll(() => receive('idle').catch(() => undefined)).toBeTypeOf('boolean');
});

test('a connection that breaks while a transaction waits fails the transaction, and nothing of it is stored', async () => {
  const other = await openConsole(database.url);
  const { seq } = await store.audit.head();
  const ended = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const locking = other.inTransaction(async () => {
    await other.run('select * from audit_head for update');
    locked.resolve();
    await ended.promise;
  });
  await locked.promise;
  const append = store.audit.append({ kind: 'call', text: 'called' }).catch((error: unknown) => error);
  const hangUp =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.run(hangUp)).length).toBe(1);
  expect(await append).toBeInstanceOf(StoreUnavailable);
  ended.resolve();
  await locking;
  await other.close();
  expect(await store.audit.append({ kind: 'call', text: 'called' })).toBe(seq + 1);
  expect(await store.audit.verify()).toMatchObject({ ok: true, count: seq + 1 });
});

test('a connection that breaks between two statements fails the transaction, and the second statement does not run', async () => {
  const db = openSmall();
  const transaction = db.transaction().execute(async (inside) => {
    await sql`create table half_done (n int)`.execute(inside);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(inside);
    const pid = rows[0]?.pid;
    await database.run(`select pg_terminate_backend(${pid})`);
    await expect.poll(() => database.run(`select 1 from pg_stat_activity where pid = ${pid}`)).toEqual([]);
    await sql`create table other_half (n int)`.execute(inside);
  });
  await expect(transaction).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await database.run("select 1 from pg_tables where tablename in ('half_done', 'other_half')")).toEqual([]);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('a wrong statement fails, rolls back, and leaves the connection usable', async () => {
  const db = openSmall();
  const transaction = db.transaction().execute(async (inside) => {
    await sql`create table half_done (n int)`.execute(inside);
    await sql`select no_such_column`.execute(inside);
  });
  await expect(transaction).rejects.toThrow('no_such_column');
  await expect(transaction).rejects.not.toBeInstanceOf(StoreUnavailable);
  expect((await sql`select to_regclass('half_done') as there`.execute(db)).rows).toEqual([{ there: null }]);
  await db.destroy();
});

test('a query without an answer fails, and the next query gets another connection', async () => {
  const db = openSmall();
  await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toThrow('no answer within 0.4 s');
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('after a canceled read a write on the same connection returns its own rows', async () => {
  const db = openSmall({ queryTimeoutMs: 60_000 });
  await sql`create table written (n int)`.execute(db);
  // Some rows have arrived when it is canceled.
  const read = sql`select n, pg_sleep(case when n > 2000 then 60 else 0 end) from generate_series(1, 3000) n`
    .execute(db)
    .catch((error: unknown) => error);
  const cancel =
    "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and query like '%generate_series%'";
  await expect.poll(async () => (await database.run(cancel)).length).toBe(1);
  expect(await read).toMatchObject({ code: '57014' });
  const { rows } = await sql`insert into written values (1), (2) returning n`.execute(db);
  expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
  await db.destroy();
});

test('a statement on a table that a newer version has altered fails once, and then works', async () => {
  const db = openSmall();
  await sql`create table altered (n int)`.execute(db);
  const read = () => sql`select * from altered where n = ${1}`.execute(db);
  await read();
  await database.run('alter table altered add column m int');
  await expect(read()).rejects.toThrow('its tables were changed meanwhile');
  expect((await read()).rows).toEqual([]);
  await db.destroy();
});

test('while the server is offline every query fails at once, and when it is online again all queries work', async () => {
  const busy = Array.from({ length: 30 }, (_, n) =>
    store.audit.append({ kind: 'call', text: 'called', data: { n } }).catch(() => 0),
  );
  await line.cut();
  const errors = await Promise.all(
    Array.from({ length: 30 }, () => store.operations.find('op').catch((error: unknown) => error)),
  );
  expect(errors.every((error) => error instanceof StoreUnavailable)).toBe(true);
  await expect(store.ping()).rejects.toThrow('can be reached from here');
  await Promise.all(busy);
  await line.join();
  await store.ping();
  expect(await Promise.all(Array.from({ length: 30 }, (_, n) => receive(`back-${n}`)))).not.toContain(false);
  expect((await store.audit.verify()).ok).toBe(true);
});

/** A TCP line to the server that can be cut and joined again, at one address. */
async function layLine(target: string) {
  const url = new URL(target);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  const carry = (near: Socket) => {
    const far = dial(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  let server: Server | undefined;
  const join = async (at: number) => {
    server = createServer(carry);
    await new Promise<void>((resolve) => server?.listen(at, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address');
    return address.port;
  };
  const ours = await join(0);
  url.port = String(ours);
  return {
    url: url.href,
    join: () => join(ours),
    async cut() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.resetAndDestroy();
      sockets.clear();
      await closed;
    },
  };
}
