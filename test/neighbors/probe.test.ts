import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { makeCertificate } from '../../sandbox/provider/certificate.ts';
import { hasAnswered, type Service, sayServices } from '../../src/core/probe/services.ts';
import { defined } from '../../src/core/text/defined.ts';
import { createProber } from '../../src/outside/prober.ts';
import { unprivileged } from '../support/database/pg-tools.ts';
import { run } from '../support/process/run.ts';
import { patienceMs } from '../support/suite/patience.ts';
import { areThere, folder, type Neighbor, start } from './debian.ts';

/** Debian's nginx and OpenSSH, seen from outside before they stop, meanwhile, and after they started again. */

/** PostgreSQL brings an ordinary user. */
const binaries = {
  nginx: '/usr/sbin/nginx',
  sshd: '/usr/sbin/sshd',
  keygen: '/usr/bin/ssh-keygen',
  postgres: '/usr/bin/psql',
};
const isThere = areThere(
  Object.values(binaries),
  'nginx and OpenSSH are not installed (Debian: apt-get install nginx-light openssh-server postgresql): the tests with them are skipped',
);

const day = 24 * 3_600_000;
const name = 'www.example.com';
const certificate = makeCertificate({
  names: ['example.com', '*.example.com'],
  from: new Date(Date.now() - day),
  until: new Date(Date.now() + day),
});
const address = '192.0.2.10';
const services: readonly Service[] = [
  { address, port: 443, name },
  ...[22, 80, 443].map((port) => ({ address, port })),
];

/** The services that answer at these ports of loopback. */
async function seen(places: Readonly<Record<number, number>>): Promise<string> {
  const at = ({ port }: Service) => ({ host: '127.0.0.1', port: places[port] ?? 0 });
  const prober = createProber({ at, ca: certificate.cert, timeoutMs: patienceMs });
  return sayServices((await prober.probe(services)).filter(hasAnswered));
}

/** Writes the configuration of nginx; returns its files. */
async function writeNginx(dir: string, http: number, https: number): Promise<string[]> {
  const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const servers = [
    `listen 127.0.0.1:${http}; listen 127.0.0.1:${https} ssl; server_name example.com *.example.com;`,
    `ssl_certificate ${dir}/cert.pem; ssl_certificate_key ${dir}/key.pem; root ${dir};`,
  ];
  const lines = [
    // One process, which ends with its signal.
    ...['daemon off;', 'master_process off;', `pid ${dir}/nginx.pid;`, 'error_log stderr;'],
    'events { worker_connections 64; }',
    ...['http {', 'access_log off;', ...parts.map((part) => `${part}_temp_path ${dir}/${part};`)],
    ...['server {', ...servers, '}', '}'],
  ];
  const { key, cert } = certificate;
  const files = { 'nginx.conf': lines.join('\n'), 'index.html': 'hello', 'key.pem': key, 'cert.pem': cert };
  for (const [file, text] of Object.entries(files)) await writeFile(join(dir, file), text);
  return Object.keys(files);
}

/** Writes the configuration of sshd; returns its files. */
async function writeSshd(dir: string, port: number): Promise<string[]> {
  const key = join(dir, 'host_key');
  await run(binaries.keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const lines = [`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${key}`, 'PidFile none', 'UsePAM no', ''];
  await writeFile(join(dir, 'sshd_config'), lines.join('\n'));
  return ['sshd_config', 'host_key'];
}

test.skipIf(!isThere)('nginx and sshd answer, do not while they are stopped, and then answer again', async () => {
  const dir = await folder();
  const [ssh, http, https] = [await freePort(), await freePort(), await freePort()];
  const places = { 22: ssh, 80: http, 443: https };
  const files = [...(await writeNginx(dir, http, https)), ...(await writeSshd(dir, ssh))];
  // As root, sshd needs a folder that only the start of a system makes.
  const as = await unprivileged();
  if (as !== undefined) for (const file of ['', ...files]) await chown(join(dir, file), as.uid, as.gid);
  const answers = async (words: string) => (await seen(places)).includes(words);
  const startNginx = () =>
    start(binaries.nginx, http, ['-e', 'stderr', '-c', join(dir, 'nginx.conf')], {
      ...defined({ as }),
      isReady: () => answers('https'),
    });
  const startSshd = () =>
    start(binaries.sshd, ssh, ['-D', '-e', '-f', join(dir, 'sshd_config')], {
      ...defined({ as }),
      isReady: () => answers('ssh'),
    });
  const stop = async ({ signal }: Neighbor, gone: string) => {
    signal('SIGTERM');
    await expect.poll(() => answers(gone)).toBe(false);
  };

  expect(await seen(places)).toBe('');
  const nginx = await startNginx();
  const sshd = await startSshd();
  expect(await seen(places)).toBe(`https ${name}, ssh and http`);
  await stop(sshd, 'ssh');
  expect(await seen(places)).toBe(`https ${name} and http`);
  await stop(nginx, 'https');
  expect(await seen(places)).toBe('');
  await startNginx();
  await startSshd();
  expect(await seen(places)).toBe(`https ${name}, ssh and http`);
});
