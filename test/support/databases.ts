import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { inject } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/address.ts';
import type { PostgresAddress } from '../../src/store/postgres-address.ts';

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

/** An empty database of its own: a SQLite file, or one in the PostgreSQL that the test run started. */
export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? freshSqlite() : freshPostgres(inject('postgresUrl'));
}

async function freshSqlite(): Promise<TestDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-store-'));
  const url = join(dir, 'hostler.db');
  return {
    engine: 'sqlite',
    url,
    async run(text) {
      const database = new DatabaseSync(url);
      const rows = database.prepare(text).all();
      database.close();
      return rows;
    },
    drop: () => rm(dir, { recursive: true, force: true }),
  };
}

async function freshPostgres(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runPostgres(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    engine: 'postgres',
    url: url.href,
    run: (text) => runPostgres(url.href, text),
    async drop() {
      await runPostgres(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function runPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await client.unsafe(text))];
  } finally {
    await client.end();
  }
}

export function postgresAddressOf(url: string): PostgresAddress {
  const address = parseDatabaseUrl(url);
  if (address.engine !== 'postgres') throw new Error(`${address.label} is no PostgreSQL`);
  return address;
}
