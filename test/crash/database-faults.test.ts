import { appendFile, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestContext } from 'vitest';
import { askToStop, confirm, confirming, serversOn, stopsOf } from '../support/bot/people.ts';
import { runPostgres, type TestDatabase } from '../support/database/databases.ts';
import { checkOnce } from '../support/process/once.ts';
import { run } from '../support/process/run.ts';
import { openProxy } from '../support/process/tcp-proxy.ts';
import type { TestSystem } from '../support/process/test-system.ts';
import { startPostgres } from '../support/suite/postgres-server.ts';
import { counted, report } from '../support/suite/report.ts';
import { kind, openSystem } from './stage.ts';

// The database of the bot goes offline, or refuses writes, and comes back.

kind({
  'all work is finished after PostgreSQL was stopped during it, and after its connections were cut': async (
    context,
  ) => {
    const server = await startPostgres();
    context.onTestFinished(server.remove);
    const system = await openSystem(context, {
      engine: 'postgres',
      mode: 'http',
      database: databaseAt('postgres', server.url),
      provider: { jobMs: 4_000, seed: { orders: 100 } },
    });
    const [bot] = system.bots;
    const [one = '', two = '', three = ''] = serversOn(system, 3);
    await askToStop(system, one);
    await system.until(() => system.writes().length === 1, 'the first to be sent');
    await server.stop();
    const unready = await system.until(async () => {
      const answer = await bot?.get('/readyz');
      return answer?.status === 503 && answer;
    }, 'the bot to say so');
    expect(unready.text).toContain('PostgreSQL');
    // A change is refused in time, with a clear sentence, and does not run later.
    const refused = await system.slack.sim.say('operator', '#ops', `/host stop ${two}`);
    expect(refused).toMatchObject({ error: null, ack: { text: expect.stringContaining('Nothing was started') } });
    await sleep(3_000);
    const backAt = performance.now();
    await server.start();
    await system.until(async () => (await bot?.get('/readyz'))?.status === 200, 'the bot to be ready again', 60_000);
    const readyAgainMs = Math.round(performance.now() - backAt);
    await system.settle(100_000);
    await askToStop(system, three);
    await system.until(() => system.writes().length === 2, 'the next to be sent');
    const cut = await runPostgres(
      server.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
    );
    await system.settle(100_000);
    // The connections of the test were cut, too: every connection of the pool has to notice.
    await system.until(
      async () => (await Promise.all(Array.from({ length: 10 }, () => system.store.ping()))).length,
      'it',
    );
    expect(system.writes().toSorted()).toEqual(stopsOf([one, three]));
    expect(bot?.isAlive()).toBe(true);
    const ended = await checkOnce(system);
    expect(ended.filter(({ state }) => state === 'done')).toHaveLength(2);
    report('PostgreSQL stopped and started, then its connections cut', {
      'requests, one of them refused': 3,
      'ready again after its start, ms': readyAgainMs,
      'connections cut': cut.length,
      'ended as': counted(ended.map(({ state }) => state)),
    });
  },

  'with silent connections to PostgreSQL the bot continues within a minute, and decided requests begin': async (
    context,
  ) => {
    const { url, remove } = await startPostgres();
    context.onTestFinished(remove);
    const proxy = await openProxy(Number(new URL(url).port));
    context.onTestFinished(proxy.close);
    const behind = new URL(url);
    behind.port = String(proxy.port);
    const system = await openSystem(context, {
      engine: 'postgres',
      mode: 'http',
      database: databaseAt('postgres', behind.href),
      provider: { jobMs: 2_000, seed: { orders: 100 } },
    });
    const [bot] = system.bots;
    const [one = '', two = ''] = serversOn(system, 2);
    await askToStop(system, one);
    await system.until(() => system.writes().length === 1, 'the first to be sent');
    await system.settle(60_000);
    const { sim } = system.slack;
    const channel = await system.channel('waits', confirming);
    await sim.say('operator', channel, `/host stop ${two}`);
    await system.until(() => sim.transcript(channel).includes('[Cancel]'), 'the card');
    const silenced = proxy.silenceOpen();
    expect(silenced).toBeGreaterThan(3);
    const startedAt = performance.now();
    // A click on a silent connection is refused with a message, and the person clicks again.
    while (system.writes().length < 2 && performance.now() - startedAt < 60_000) {
      await confirm(system, channel, two);
      await sleep(1_000);
    }
    const againMs = Math.round(performance.now() - startedAt);
    expect(againMs).toBeLessThan(60_000);
    await system.until(async () => (await bot?.get('/readyz'))?.status === 200, 'the bot to be ready');
    expect((await bot?.get('/healthz'))?.status).toBe(200);
    expect(bot?.isAlive()).toBe(true);
    expect(system.writes().toSorted()).toEqual(stopsOf([one, two]));
    report(context.task.name, { 'connections silenced': silenced, 'begun after, ms': againMs });
  },
});

function databaseAt(engine: 'sqlite' | 'postgres', url: string): TestDatabase {
  return { engine, url, run: async () => [], drop: async () => {} };
}

/** A place for a database that can be filled and emptied. */
interface Disk {
  readonly dir: string;
  readonly fill: (system: TestSystem) => Promise<void>;
  readonly free: (system: TestSystem) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A separate file system with room for a few megabytes. Making one needs root, which not every container has. */
async function smallDisk(): Promise<Disk> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', dir]);
  const ballast = join(dir, 'ballast');
  return {
    dir,
    fill: async () => {
      for (let left = 1; left > 0; ) {
        const { bavail, bsize } = await statfs(dir);
        // The bot uses space, too, while this is written.
        await appendFile(ballast, Buffer.alloc(Math.ceil(bavail / 2) * bsize)).catch(isFullAlready);
        left = (await statfs(dir)).bavail;
      }
    },
    free: () => rm(ballast),
    remove: async () => {
      await run('umount', ['-l', dir]);
      await rm(dir, { recursive: true });
    },
  };
}

function isFullAlready(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOSPC') throw error;
}

/** No file of the bot may grow, as under a quota. Limiting one's own process needs no root. */
async function quota(): Promise<Disk> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-disk-'));
  const limit = (system: TestSystem, bytes: string) =>
    run('prlimit', ['--pid', `${system.bots[0]?.pid}`, `--fsize=${bytes}`]);
  return {
    dir,
    fill: async (system) => void (await limit(system, '4096:unlimited')),
    free: async (system) => void (await limit(system, 'unlimited:unlimited')),
    remove: () => rm(dir, { recursive: true }),
  };
}

const canMount = await mayMount();

kind({
  'with SQLite at its quota requests are refused with a message, and the bot continues when there is room': async (
    context,
  ) => fullDisk(context, await quota()),
  ...(canMount && {
    'with SQLite on a full disk requests are refused with a message, and the bot continues when there is room': async (
      context: TestContext,
    ) => fullDisk(context, await smallDisk()),
  }),
});

async function mayMount(): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', 'tmpfs', dir]);
    await run('umount', [dir]);
    return true;
  } catch {
    console.log('A full file system is not tried here: mounting one is not allowed. The quota is.');
    return false;
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function fullDisk(context: TestContext, disk: Disk): Promise<void> {
  context.onTestFinished(disk.remove);
  const system = await openSystem(context, {
    database: databaseAt('sqlite', join(disk.dir, 'hostler.db')),
    provider: { jobMs: 5_000, seed: { orders: 200 } },
  });
  const { sim } = system.slack;
  const [bot] = system.bots;
  const [running = '', waiting = '', later = '', ...more] = serversOn(system, 40);
  // One job runs, and one card waits for its click.
  await askToStop(system, running);
  await system.until(() => system.writes().length === 1, 'the first to be sent');
  const card = await system.channel('waiting', confirming);
  await sim.say('operator', card, `/host stop ${waiting}`);
  await system.until(() => sim.transcript(card).includes('[Cancel]'), 'the card');
  for (const server of more) await system.channel(`c-${server}`, confirming);
  await disk.fill(system);
  await system.until(async () => (await bot?.get('/readyz'))?.status === 503, 'the bot to say that it cannot write');

  // The free pages may be enough for a few writes.
  const taken: string[] = [];
  const refusals: number[] = [];
  for (const server of more) {
    const { error, ack, ackedMs } = await sim.say('operator', `#c-${server}`, `/host stop ${server}`);
    expect(error).toBeNull();
    if (JSON.stringify(ack ?? '').includes('Nothing was started')) refusals.push(ackedMs ?? 0);
    else taken.push(server);
    if (refusals.length === 3) break;
  }
  expect(refusals).toHaveLength(3);
  await sim.click('operator', { channel: card, isMain: true });
  await system.until(
    () => sim.ephemerals('operator').some((message) => sim.plainText(message).includes('Nothing was started')),
    'the click to be refused with words',
  );
  // Reading still answers.
  await sim.say('operator', '#ops', '/host list');
  await sim.waitFor(/servers: \d+ on/, { channel: '#ops' });
  await sleep(6_000);
  expect(sim.transcript('#ops', 'operator')).not.toContain('Error: ');
  expect(bot?.isAlive()).toBe(true);
  await disk.free(system);
  const freeAt = performance.now();
  await askToStop(system, later);
  const takenMs = Math.round(performance.now() - freeAt);
  await sim.click('operator', { channel: card, isMain: true });
  await system.settle(100_000);
  expect(system.writes().toSorted()).toEqual(stopsOf([running, waiting, later]));
  const operations = await checkOnce(system);
  expect(operations.filter(({ state }) => state === 'done')).toHaveLength(3);
  await bot?.end('SIGTERM');
  const checks: string[] = [];
  for (const file of (await readdir(disk.dir)).filter((name) => name.endsWith('.db'))) {
    const database = new DatabaseSync(join(disk.dir, file), { readOnly: true });
    checks.push(`${file} ${database.prepare('pragma integrity_check').get()?.integrity_check}`);
    database.close();
  }
  expect(checks.toSorted()).toEqual(['hostler.db ok']);
  report(context.task.name, {
    'refused with words': refusals.length + 1,
    'slowest refusal, ms': Math.round(Math.max(...refusals)),
    'still taken into room that was left': taken.length,
    'from room on the disk to the next request taken, ms': takenMs,
    'ended as': counted(operations.map(({ state }) => state)),
    'integrity check': checks.join(', '),
  });
}
