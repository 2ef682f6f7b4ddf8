import type { TestProject } from 'vitest/node';
import { type PostgresOptions, type PostgresProcess, runPostgresServer } from './postgres-process.ts';
import { scratch } from './scratch.ts';

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
  return postgres.remove;
}
