import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';
import { parseDatabaseUrl } from '../../../src/store/address.ts';
import { openStore } from '../../../src/store/database.ts';
import type { PostgresAddress } from '../../../src/store/postgres/postgres-address.ts';
import { lazily } from '../values/lazily.ts';
import { type Console, openConsole } from './console.ts';
import { scratch } from './scratch.ts';

/** For `describe.each(engines)('… on %s', …)`. */
export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

export interface TestDatabase {
  engine: Engine;
  url: string;
  /** Runs SQL without the store, as in a console. */
  run(text: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A separate empty database: a SQLite file, or one in the PostgreSQL that the test run started. */
export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? sqlite() : postgresDatabase();
}

/** A migrated database: all tables, no rows. Copied, since migrating costs more than most tests. */
export async function migratedDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'postgres') return postgresDatabase(await postgresTemplate());
  const database = await sqlite();
  await writeFile(database.url, await sqliteTemplate(), { mode: 0o600 });
  return database;
}

const sqliteTemplate = lazily(async () => {
  const { url, drop } = await sqlite();
  await (await openStore(url)).close();
  const content = await readFile(url);
  await drop();
  return content;
});

const postgresTemplate = lazily(async () => {
  const { url } = await postgresDatabase();
  await (await openStore(url)).close();
  return new URL(url).pathname.slice(1);
});

async function sqlite(): Promise<TestDatabase> {
  const dir = await mkdtemp(join(scratch, 'hostler-store-'));
  const url = join(dir, 'hostler.db');
  return {
    engine: 'sqlite',
    url,
    async run(text) {
      // Other processes may write to the template at this moment.
      const database = new DatabaseSync(url, { timeout: 5_000 });
      const rows = database.prepare(text).all();
      database.close();
      return rows;
    },
    drop: () => rm(dir, { recursive: true, force: true }),
  };
}

/** One for each worker: to open a connection costs the server as much as to copy a database. */
const openAdmin = lazily(() => openConsole(inject('postgresUrl')));

async function postgresDatabase(template = 'template1'): Promise<TestDatabase> {
  const admin = await openAdmin();
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying files costs a third of writing them to the log.
  await admin.run(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  let own: Promise<Console> | undefined;
  return {
    engine: 'postgres',
    url: url.href,
    run: async (text) => {
      own ??= openConsole(url.href);
      return (await own).run(text);
    },
    async drop() {
      await (await own)?.close();
      await admin.run(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs SQL on a separate connection. */
export async function runPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await openConsole(url);
  return client.run(text).finally(client.close);
}

export function postgresAddressOf(url: string): PostgresAddress {
  const address = parseDatabaseUrl(url);
  if (address.engine !== 'postgres') throw new Error(`${address.label} is no PostgreSQL`);
  return address;
}
