import { describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresRuns } from '../../src/engine/run/postgres-runs.ts';
import { createEmbeddedRuns, type Runs } from '../../src/engine/run/runs.ts';
import { type Engine, freshDatabase, postgresAddressOf } from '../support/databases.ts';
import { patienceMs } from '../support/patience.ts';
import { openProxy } from '../support/tcp-proxy.ts';

/** Every implementation of Runs has to pass the same tests. */

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Replica {
  readonly runs: Runs;
  readonly taken: string[];
}

async function openReplica(url: string, isSqlite: boolean): Promise<Replica> {
  const taken: string[] = [];
  const runs = isSqlite
    ? createEmbeddedRuns()
    : createPostgresRuns(postgresAddressOf(url), silentLog, { pollEveryMs: 400, answerWithinMs: 1_000 });
  await runs.start(async (operation) => {
    taken.push(operation);
  });
  onTestFinished(() => runs.stop());
  return { runs, taken };
}

async function open(engine: Engine): Promise<{ url: string; replica: Replica }> {
  const database = await freshDatabase(engine);
  onTestFinished(database.drop);
  return { url: database.url, replica: await openReplica(database.url, engine === 'sqlite') };
}

async function until(condition: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > patienceMs) throw new Error(`not within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe.each(['sqlite', 'postgres'] as const)('the queue of turns, on %s', (engine) => {
  test('operations that are asked for are taken within seconds', async () => {
    const { replica } = await open(engine);
    const operations = Array.from({ length: 50 }, (_, n) => `operation-${n}`);
    await Promise.all(operations.map((operation) => replica.runs.ask(operation)));
    await until(() => operations.every((operation) => replica.taken.includes(operation)));
  });

  test('an operation that is asked for again is taken again', async () => {
    const { replica } = await open(engine);
    for (let times = 1; times <= 3; times++) {
      await replica.runs.ask('one');
      await until(() => replica.taken.length >= times);
    }
  });

  test('a stopped queue takes no operation', async () => {
    const { replica } = await open(engine);
    await replica.runs.stop();
    await replica.runs.ask('late').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(replica.taken).toEqual([]);
  });
});

describe('several replicas on PostgreSQL', () => {
  test('several replicas start together on an empty database', async () => {
    const database = await freshDatabase('postgres');
    onTestFinished(database.drop);
    const replicas = await Promise.all(Array.from({ length: 4 }, () => openReplica(database.url, false)));
    await replicas[0]?.runs.ask('one');
    await until(() => replicas.some(({ taken }) => taken.length > 0));
  });

  test('an operation that a stopped replica asked for is taken by another one within seconds', async () => {
    const { url, replica } = await open('postgres');
    const other = await openReplica(url, false);
    for (let n = 0; n < 10; n++) {
      await replica.runs.ask(`n${n}`);
      await until(() => [...replica.taken, ...other.taken].includes(`n${n}`));
    }
    await replica.runs.ask('last');
    await replica.runs.stop();
    await until(() => [...replica.taken, ...other.taken].includes('last'));
  });
});

async function openBehindProxy({ silentAt }: { silentAt?: string } = {}) {
  const database = await freshDatabase('postgres');
  onTestFinished(database.drop);
  const url = new URL(database.url);
  const proxy = await openProxy(Number(url.port));
  onTestFinished(proxy.close);
  url.port = String(proxy.port);
  const silenced = silentAt === undefined ? undefined : proxy.silenceAt(silentAt);
  return { proxy, silenced, replica: await openReplica(url.href, false) };
}

test('with silent connections every call of the queue ends in time, and operations are taken again within seconds', async () => {
  const { proxy, replica } = await openBehindProxy();
  await replica.runs.ask('before');
  await until(() => replica.taken.includes('before'));
  expect(proxy.silenceOpen()).toBeGreaterThan(0);
  const askedAt = performance.now();
  await replica.runs.ask('meanwhile').catch(() => undefined);
  // Without a limit a silent connection is waited for until the operating system gives it up, minutes later.
  expect(performance.now() - askedAt).toBeLessThan(30_000);
  await until(() => {
    void replica.runs.ask('after').catch(() => undefined);
    return replica.taken.includes('after');
  });
});

test('with connections that are cut every 50 ms every call of the queue ends in time, and operations are taken afterwards', async () => {
  const { proxy, replica } = await openBehindProxy();
  const until5s = performance.now() + 5_000;
  const calls: Promise<number>[] = [];
  while (performance.now() < until5s) {
    const askedAt = performance.now();
    const ended = () => performance.now() - askedAt;
    calls.push(replica.runs.ask(`n${calls.length}`).then(ended, ended));
    await new Promise((resolve) => setTimeout(resolve, 50));
    proxy.cut();
  }
  expect(Math.max(...(await Promise.all(calls)))).toBeLessThan(30_000);
  await until(() => {
    void replica.runs.ask('after').catch(() => undefined);
    return replica.taken.includes('after');
  });
});

test('a queue that is stopped while nobody answered its LISTEN leaves no error that nobody looked at', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const { replica, silenced } = await openBehindProxy({ silentAt: 'LISTEN "jobs:insert"' });
  await silenced;
  await replica.runs.stop();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(unhandled).toEqual([]);
});
