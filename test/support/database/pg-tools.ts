import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../../sandbox/free-port.ts';
import { isRoot } from '../process/another-user.ts';
import { run } from '../process/run.ts';

const missing = 'pg_dump is not installed (Debian: apt-get install postgresql): a dump and its restore are skipped';

/** Finds the folder of PostgreSQL's own tools. `.ci/run` installs them, and there a missing one is a failure. */
export function findPgTools(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1);
  if (found !== undefined) return dirname(found);
  if (process.env.HOSTLER_REQUIRE_PG_TOOLS === '1') throw new Error(missing);
  console.warn(missing);
  return undefined;
}

/** A server of the tools' own version: pg_dump reads no server that is newer than itself, as the embedded one is. */
export async function startDebianPostgres(bin: string, settings: readonly string[] = []) {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-pg-tools-'));
  const port = await freePort();
  // PostgreSQL refuses to run as root; Debian's package makes a user for it.
  const as = await unprivileged();
  if (as !== undefined) await chown(dir, as.uid, as.gid);
  await run(join(bin, 'initdb'), ['--auth=trust', '--username=hostler', '--no-sync', join(dir, 'data')], as);
  const server = spawn(
    join(bin, 'postgres'),
    [
      ...[
        '-D',
        join(dir, 'data'),
        '-p',
        String(port),
        '-k',
        dir,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'fsync=off',
      ],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const isUp = new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (words) => String(words).includes('ready to accept connections') && resolve());
    server.once('close', () => reject(new Error('PostgreSQL ended before it was ready')));
  });
  await isUp;
  return {
    port,
    /** The folder of the socket. */
    dir,
    url: (database: string) => `postgres://hostler@127.0.0.1:${port}/${database}`,
    psql: async (database: string, statement: string) => {
      const address = `postgres://hostler@127.0.0.1:${port}/${database}`;
      await run(join(bin, 'psql'), ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--command', statement, address]);
    },
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'close');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The user for programs that refuse to run as root; undefined unless the tests run as root. */
export async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  return isRoot ? idsOf('postgres') : undefined;
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (which) => (await run('id', [which, user])).stdout));
  return { uid: Number(uid), gid: Number(gid) };
}
