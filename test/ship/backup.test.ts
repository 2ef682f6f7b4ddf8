import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Bot, startBot } from '../../src/bot.ts';
import { runBackup } from '../../src/cli/backup.ts';
import { readConfig } from '../../src/config.ts';
import { policySchema } from '../../src/core/policy/policy.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { createLogger } from '../../src/log.ts';
import { openStore, type StoreOptions } from '../../src/store/database.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { writesOf } from '../support/bot/writes.ts';
import { engines, freshDatabase } from '../support/database/databases.ts';
import { findPgTools, startDebianPostgres } from '../support/database/pg-tools.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { run } from '../support/process/run.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { sample } from '../support/suite/seed.ts';

const group = 'group:S0OPS00001' as const;
const policy = policySchema.parse({
  grants: [{ to: [group], can: ['read', 'operate'] }],
  rules: { dangerous: { approve: 1, by: [group] } },
});

/** A workspace and an account that stay while bots come and go, each on a separate database. */
async function openPlace() {
  const { slack, provider, settings } = await openSimulators({ jobMs: 3_600_000 });
  const start = async (databaseUrl: string): Promise<Bot> => {
    const reading = readConfig({ ...settings, DATABASE_URL: databaseUrl, HOSTLER_HOST: '127.0.0.1', PORT: '0' });
    if (reading.kind !== 'live') throw new Error(`not a configuration: ${JSON.stringify(reading)}`);
    const bot = await startBot(reading.config, createLogger({ level: 'silent', secrets: [] }), { timeScale: 0.02 });
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await bot.stop();
      isStopped = true;
    };
    onTestFinished(stop);
    return { ...bot, stop };
  };
  return { slack, provider, start };
}

interface Place {
  readonly url: string;
  /** Makes a backup of the running bot, restores it in an empty place, and resolves with its URL. */
  readonly backUp: () => Promise<string>;
}

async function onSqlite(): Promise<Place> {
  const database = await freshDatabase('sqlite');
  onTestFinished(() => database.drop());
  return {
    url: database.url,
    backUp: async () => {
      const dir = await newFolder('backup');
      const lines: string[] = [];
      const config = { databaseUrl: database.url, admins: [] };
      const file = join(dir, 'backup.db');
      expect(await runBackup({ argv: [file], config, print: (line) => lines.push(line) })).toBe(0);
      expect(lines.join()).toMatch(/every page read back, \d+ audit rows, every link holds/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await mkdir(join(dir, 'empty'));
      await copyFile(file, join(dir, 'empty', 'hostler.db'));
      const copy = join(dir, 'empty', 'hostler.db');
      const console = new DatabaseSync(copy);
      console.exec(lapsed);
      console.close();
      return copy;
    },
  };
}

/** A real restore takes longer: the claims of the old process have expired by then. */
const lapsed = 'update operations set turn_until = 0 where turn_until > 0';

/** The very commands of docs/backup.md. */
async function onPostgres(tools: string): Promise<Place> {
  const server = await startDebianPostgres(tools);
  onTestFinished(server.stop);
  await server.psql('postgres', 'create database one');
  await server.psql('postgres', 'create database two');
  const [dump, restore] =
    /^pg_dump .*\npg_restore .*$/m.exec(await readFile('docs/backup.md', 'utf8'))?.[0].split('\n') ?? [];
  const dir = await newFolder('dump');
  const inShell = (line: string | undefined, database: string) =>
    run('bash', ['-e', '-c', line ?? 'exit 1'], {
      cwd: dir,
      env: { PATH: `${tools}:${process.env.PATH}`, DATABASE_URL: server.url(database) },
    });
  return {
    url: server.url('one'),
    backUp: async () => {
      await inShell(dump, 'one');
      await inShell(restore, 'two');
      await server.psql('two', lapsed);
      return server.url('two');
    },
  };
}

const tools = findPgTools();

describe.each(sample(engines))('backup and restore on %s', (engine) => {
  const isSkipped = engine === 'postgres' && tools === undefined;
  test.skipIf(isSkipped)('a backup of a running bot is restored elsewhere, and the work continues there', async () => {
    const { slack, provider, start } = await openPlace();
    const { sim } = slack;
    const place = engine === 'sqlite' ? await onSqlite() : await onPostgres(tools ?? '');
    const first = await start(place.url);
    await createPolicies(first.store, first.directory).save('C0OPS00001', policy, 0);

    // A job under way at the provider, and a request that waits for a second person.
    await sim.say('operator', '#ops', '/host restart web-1');
    await sim.waitFor('Restart web-1', { channel: '#ops' });
    await sim.click('operator', { channel: '#ops', isMain: true });
    await provider.sim.waitForRequest((request) => request.path.endsWith('/restart/'));
    await sim.waitFor(/accepted by the provider/, { channel: '#ops' });
    await sim.say('operator', '#ops', '/host hard-reset web-2');
    await sim.waitFor(/reset web-2/i, { channel: '#ops' });
    await expect.poll(() => first.store.messages.pending()).toBe(0);
    const restored = await place.backUp();

    // The first machine is gone, and meanwhile the provider finishes the job.
    await first.stop();
    const job = provider.sim.state().jobs.at(-1);
    if (job === undefined) throw new Error('no job');
    provider.sim.job({ pk: job.pk, state: 'done' });
    const second = await start(restored);
    const seen = (await openOperations(second.store)).map((row) => `${row.command} ${row.state}`).sort();
    expect(seen).toEqual(['hard-reset waiting', 'restart running']);
    await sim.waitFor(/web-1 restarted/, { channel: '#ops' });
    provider.sim.jobs({ ms: 10 });
    await sim.click('lead', { channel: '#ops', isMain: true });
    await sim.waitFor('@operator web-2 was reset', { channel: '#ops' });
    const sent = writesOf(provider.sim).map(({ request }) => request);
    expect(sent).toEqual(['POST /vps/34-12345/restart/', 'POST /vps/34-12399/hard_reset/']);
    expect(await openOperations(second.store)).toEqual([]);
    expect(await second.store.audit.verify()).toMatchObject({ ok: true });
    expect((await second.store.audit.list({ limit: 100 })).map((row) => row.kind)).toContain('started');
  });
});

describe('hostler backup', () => {
  const backUp = (file: string, databaseUrl: string, more: object = {}, lines: string[] = []) =>
    runBackup({ argv: [file], config: { databaseUrl, admins: [], ...more }, print: (line) => void lines.push(line) });
  /** A database with one line in its audit. */
  async function database(options: StoreOptions = {}): Promise<string> {
    const { url, drop } = await freshDatabase('sqlite');
    onTestFinished(drop);
    const store = await openStore(url, options);
    await store.audit.append({ kind: 'asked', text: 'one' });
    await store.close();
    return url;
  }

  test('hostler backup never replaces a file, and leaves no incomplete file', async () => {
    const url = await database();
    const file = `${url}.backup`;
    await backUp(file, url);
    await expect(backUp(file, url)).rejects.toThrow('exists already');
    const nowhere = `${url}.none`;
    await expect(backUp(`${nowhere}.backup`, nowhere)).rejects.toThrow('cannot be read');
    await expect(stat(`${nowhere}.backup`)).rejects.toThrow('ENOENT');
  });

  test('hostler backup keeps no copy whose audit chain is broken', async () => {
    const url = await database();
    const console = new DatabaseSync(url);
    console.exec(`update audit set actor = 'U0SOMEBODY'`);
    console.close();
    const file = `${url}.backup`;
    await expect(backUp(file, url)).rejects.toThrow('its audit chain breaks at row 1');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('hostler backup keeps a copy whose end is not signed with our key, and says so', async () => {
    const url = await database({ auditKeys: [new Uint8Array(32).fill(7)] });
    const [file, lines]: [string, string[]] = [`${url}.backup`, []];
    expect(await backUp(file, url, { auditKeys: [new Uint8Array(32).fill(9)] }, lines)).toBe(1);
    expect(lines.join()).toContain('the end is not signed with our key');
    expect((await stat(file)).size).toBeGreaterThan(0);
  });

  test('hostler backup says how to back up PostgreSQL, without the password', async () => {
    await expect(backUp('x', 'postgres://hostler:canary@db:5432/hostler')).rejects.toThrow(/^(?!.*canary).*pg_dump/);
  });
});
