import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type StoreOptions } from '../../src/store/database.ts';
import { findPgTools, startDebianPostgres } from '../support/database/pg-tools.ts';
import { openProxy } from '../support/process/tcp-proxy.ts';
import { startSystem, type TestSystem } from '../support/process/test-system.ts';
import { sample } from '../support/suite/seed.ts';
import { hasNeighbors, startPgBouncer } from './debian.ts';

/** The usual setups of PostgreSQL: behind PgBouncer, at a socket, on several hosts. */

const bin = hasNeighbors() ? findPgTools() : undefined;

describe.skipIf(bin === undefined)('PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startDebianPostgres>>;
  beforeAll(async () => {
    server = await startDebianPostgres(bin ?? '');
  });
  afterAll(() => server.stop());

  let made = 0;
  /** Addresses of an empty database: of the place that is given. */
  async function freshDatabase() {
    made += 1;
    const name = `hostler_${made}`;
    await server.psql('postgres', `create database ${name}`);
    return (place: string, query = '') => `postgres://hostler@${place}/${name}${query}`;
  }

  async function bounced(settings: Readonly<Record<string, string | number>>) {
    const at = await freshDatabase();
    const bouncer = await startPgBouncer(server, settings);
    return { url: at(`127.0.0.1:${bouncer.port}`), bouncer, at };
  }

  const kinds = [{}, { server_round_robin: 1, min_pool_size: 3 }, { default_pool_size: 2 }];
  test.each(sample(kinds))('two replicas run behind a PgBouncer that lends its connections: %j', async (kind) => {
    const { url } = await bounced({ pool_mode: 'transaction', ...kind });
    const system = await startBots(url);
    await restart(system, 'web-1');
    await restart(system, 'web-2');
  });

  test.each(sample(kinds))('a PgBouncer without transactions is refused at once, with the remedy: %j', async (kind) => {
    const { url } = await bounced({ pool_mode: 'statement', ...kind });
    const words = /set pool_mode = transaction or session for this database$/;
    expect(await refusal(url)).toMatch(words);
    // Also with server connections that other clients have used.
    expect(await refusal(url)).toMatch(words);
  });

  test('a pool that is too small for the bot is reported at the start', async () => {
    const { url } = await bounced({ pool_mode: 'session', default_pool_size: 12 });
    expect(await refusal(url, { poolSize: 14, provenAtStart: 14, queryTimeoutMs: 1_000 })).toMatch(
      /it gives 12 connections and no more, and 14 are wanted here; lower HOSTLER_DATABASE_CONNECTIONS, or raise default_pool_size/,
    );
  });

  test('a full server is reported with the setting to lower', async () => {
    const small = await startDebianPostgres(bin ?? '', ['max_connections=8']);
    onTestFinished(small.stop);
    const words = await refusal(small.url('postgres'), { poolSize: 10, provenAtStart: 10 });
    expect(words).toMatch(/; lower HOSTLER_DATABASE_CONNECTIONS or raise max_connections on the server$/);
  });

  test('two replicas share a PgBouncer pool in session mode at its socket, and a console uses the socket of the server', async () => {
    const { bouncer, at } = await bounced({ pool_mode: 'session', default_pool_size: 14 });
    const socket = `?host=${encodeURIComponent(server.dir)}&port=`;
    const system = await startBots(at('', `${socket}${bouncer.port}`), { HOSTLER_DATABASE_CONNECTIONS: '6' });
    await restart(system, 'web-1');
    const store = await openStore(at(`${encodeURIComponent(server.dir)}:${server.port}`));
    expect((await store.operations.list({ limit: 9 })).map(({ state }) => state)).toEqual(['done']);
    await store.close();
  });

  test('of several hosts the first that can be written to is used, and the next one when it is gone', async () => {
    const reading = await startDebianPostgres(bin ?? '', ['default_transaction_read_only=on']);
    onTestFinished(reading.stop);
    const [first, second] = [await openProxy(server.port), await openProxy(server.port)];
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()]);
    });
    const at = await freshDatabase();
    const [nobody, standby, a, b] = [1, reading.port, first.port, second.port].map((port) => `127.0.0.1:${port}`);
    await reading.psql('template1', 'select 1');
    const system = await startBots(at(`${nobody},${standby},${a},${b}`), {}, 1);
    expect([first.open() > 0, second.open()]).toEqual([true, 0]);
    await restart(system, 'web-1');
    first.set('refused');
    first.cut();
    await system.until(() => second.open() > 0, 'a connection over the other host');
    const isReady = async () => (await system.bots[0]?.get('/readyz'))?.status === 200;
    await system.until(isReady, 'the bot to be ready');
    await restart(system, 'db-1');
  });
});

async function startBots(url: string, env: Readonly<Record<string, string>> = {}, bots = 2): Promise<TestSystem> {
  const database = { engine: 'postgres' as const, url, run: async () => [], drop: async () => {} };
  const system = await startSystem({ engine: 'postgres', database, bots, env });
  onTestFinished(system.close);
  return system;
}

/** Typed, confirmed, sent once, and seen to be done. */
async function restart({ slack, operation, writes }: TestSystem, name: string): Promise<void> {
  const before = writes().length;
  const isOf = (text: string) => text.includes(name);
  await slack.sim.say('operator', '#ops', `/host restart ${name}`);
  const label = `Restart ${name}`;
  await slack.sim.waitFor((sim) => sim.transcript('#ops').includes(`[${label}] [Cancel]`), { timeoutMs: 20_000 });
  await slack.sim.click('operator', { channel: '#ops', label });
  await operation((row) => row.state === 'done' && isOf(JSON.stringify(row)), `the restart of ${name}`, 30_000);
  expect(writes().slice(before)).toHaveLength(1);
}

/** The words with which the store is not opened. */
function refusal(url: string, options: StoreOptions = {}): Promise<string> {
  return openStore(url, options).then(
    async (store) => {
      await store.close();
      return 'It was opened.';
    },
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );
}
