import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { freshDatabase, runPostgres } from '../support/database/databases.ts';
import { startPostgres } from '../support/suite/postgres-server.ts';

// A server between the bot and its database that shows its own certificate.

async function open(url: string): Promise<void> {
  const store = await openStore(url, { connectTimeoutMs: 2_000, queryTimeoutMs: 4_000 });
  onTestFinished(() => store.close());
}

let dir: string;
let server: Awaited<ReturnType<typeof startPostgres>>;

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });

function makeAuthority(name: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  openssl('req', '-x509', ...key, '-out', `${name}.pem`, '-days', '2', '-subj', `/CN=${name}`);
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hostler-tls-'));
  makeAuthority('authority');
  makeAuthority('stranger');
  writeFileSync(join(dir, 'names'), 'subjectAltName=DNS:localhost');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'server.key'];
  openssl('req', ...key, '-out', 'server.csr', '-subj', '/CN=database');
  const sign = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...sign, '-out', 'server.pem', '-days', '2');
  server = await startPostgres();
  const owner = statSync(server.data);
  for (const file of ['server.key', 'server.pem']) {
    const to = join(server.data, file);
    openssl(file === 'server.key' ? 'pkey' : 'x509', '-in', file, '-out', to);
    chownSync(to, owner.uid, owner.gid);
  }
  await onServer("alter system set ssl_cert_file = 'server.pem'");
  await onServer("alter system set ssl_key_file = 'server.key'");
  await onServer('alter system set ssl = on');
  await onServer('select pg_reload_conf()');
  await vi.waitFor(async () => expect((await onServer('show ssl'))[0]?.ssl).toBe('on'), { timeout: 10_000 });
});

afterAll(async () => {
  await server.remove();
  rmSync(dir, { recursive: true });
});

const onServer = (text: string) => runPostgres(server.url, text);

function address(query: string, host = 'localhost'): string {
  const url = new URL(server.url);
  return `postgres://hostler:hostler@${host}:${url.port}/postgres?${query}`;
}

const trusting = (authority: string) => `sslmode=verify-full&sslrootcert=${join(dir, authority)}.pem`;
const encrypted =
  "select bool_and(ssl) as all, count(*)::int as many from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'hostler' and pid <> pg_backend_pid() and client_port is not null and client_port <> -1";

test('every connection to a server with a certificate of the trusted authority is encrypted', async () => {
  await open(address(trusting('authority')));
  const [row] = await onServer(encrypted);
  expect(row).toMatchObject({ all: true });
  expect(row?.many).toBeGreaterThan(0);
});

test('a certificate of another authority is refused', async () => {
  await expect(open(address(trusting('stranger')))).rejects.toThrow(/certificate/);
  await expect(open(address('sslmode=verify-full'))).rejects.toThrow(/certificate/);
});

test('a valid certificate for another name is refused, also when the server is given by its IP address', async () => {
  await expect(open(address(trusting('authority'), '127.0.0.1'))).rejects.toThrow(/does not match/);
});

test('a server without encryption is refused', async () => {
  const { port } = new URL(inject('postgresUrl'));
  const url = `postgres://hostler:hostler@localhost:${port}/postgres?${trusting('authority')}`;
  await expect(open(url)).rejects.toThrow();
});

test('without sslmode the connection to this machine is not encrypted, with any PGSSLMODE', async () => {
  const database = await freshDatabase('postgres');
  onTestFinished(database.drop);
  process.env.PGSSLMODE = 'verify-full';
  onTestFinished(() => void delete process.env.PGSSLMODE);
  await open(database.url);
});

test('a file of authorities that does not exist is named in the error', async () => {
  await expect(open(address('sslmode=verify-full&sslrootcert=/nowhere.pem'))).rejects.toThrow(
    'DATABASE_URL or PGSSLROOTCERT names /nowhere.pem as sslrootcert, which cannot be read (ENOENT)',
  );
});
