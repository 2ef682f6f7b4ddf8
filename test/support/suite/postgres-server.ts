import { appendFile, readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type PostgresOptions, type PostgresProcess, runPostgresServer } from '../database/postgres-process.ts';
import { scratch } from '../database/scratch.ts';
import { processorSeconds } from './processor-seconds.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run; every test file makes its own database in it. */
    postgresUrl: string;
  }
}

const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'];

/** Starts a throw-away PostgreSQL; the caller removes it. */
export function startPostgres(options: Pick<PostgresOptions, 'port' | 'copyOf'> = {}): Promise<PostgresProcess> {
  return runPostgresServer({ settings, within: scratch, ...options });
}

export async function setup(project: TestProject) {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await noteCost(postgres.data);
    await postgres.remove();
  };
}

/** With HOSTLER_TEST_COST, the processor time of all connections that have ended, as a line beside those of the test files. */
async function noteCost(data: string): Promise<void> {
  const to = process.env.HOSTLER_TEST_COST;
  if (to === undefined) return;
  const [pid] = (await readFile(`${data}/postmaster.pid`, 'utf8')).split('\n');
  await appendFile(
    to,
    `${processorSeconds(await readFile(`/proc/${pid}/stat`, 'utf8'))
      .toFixed(2)
      .padStart(7)} PostgreSQL\n`,
  );
}
