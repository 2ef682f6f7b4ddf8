import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SimulatedProvider, startProvider } from '../../sandbox/provider/server.ts';
import { run } from '../support/process/run.ts';

/**
 * The real acme.sh, unmodified, against the simulated provider: `HOSTLER_ACME_SH=/path/to/acme.sh npm run test:neighbors`,
 * with its dnsapi folder beside it. Its script has the provider's address inside, so a proxy of the test leads that name
 * to loopback, with a certificate that only this run trusts. Nothing of acme.sh is part of this project.
 */

const acme = process.env.HOSTLER_ACME_SH;
const dns = 'dns_fornex';
const host = 'fornex.com';

/** A separate server under the provider's name, behind a proxy that leads there and nowhere else. */
async function openProvider(dir: string): Promise<{ provider: SimulatedProvider; proxy: string }> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '2', ...named], {
    cwd: dir,
    stdio: 'pipe',
  });
  const provider = await startProvider({ jobMs: 10 });
  const { port } = new URL(provider.url);
  const keys = { key: readFileSync(join(dir, 'key.pem')), cert: readFileSync(join(dir, 'cert.pem')) };
  const behind = createTlsServer(keys, (incoming, response) => {
    const { method, url, headers } = incoming;
    const options = { host: '127.0.0.1', port, method, path: url, headers: { ...headers, host: `127.0.0.1:${port}` } };
    const onward = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url }, socket) => {
    if (url !== `${host}:443`) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const onward = connect((behind.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const one of [onward, socket]) one.on('error', () => one.destroy());
  });
  await Promise.all(
    [behind, proxy].map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))),
  );
  onTestFinished(async () => {
    for (const server of [behind, proxy]) {
      server.closeAllConnections();
      server.close();
    }
    await provider.close();
  });
  return { provider, proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

function recordsOf(provider: SimulatedProvider): string[] {
  const { entries = [] } = provider.snapshot().domains.find(({ name }) => name === 'example.com') ?? {};
  return entries.filter(({ type, host: at }) => type === 'TXT' && at.startsWith('_acme')).map(({ value }) => value);
}

describe.skipIf(acme === undefined)('acme.sh', () => {
  test('acme.sh adds the two values of a wildcard, for the domain and for a host, and removes each', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hostler-acme-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const { provider, proxy } = await openProvider(dir);
    /** As acme.sh calls its script while it waits for a certificate. */
    const call = async (what: 'add' | 'rm', name: string, value: string, apiKey = provider.key) => {
      const script = join(dirname(acme ?? ''), 'dnsapi', `${dns}.sh`);
      const line = `. "$1" >/dev/null; _initpath; . "$2"; ${dns}_${what} "$3" "$4"`;
      const env = {
        PATH: process.env.PATH ?? '',
        HOME: dir,
        LE_WORKING_DIR: dir,
        HTTPS_PROXY: proxy,
        https_proxy: proxy,
        CA_BUNDLE: join(dir, 'cert.pem'),
        FORNEX_API_KEY: apiKey,
      };
      const args = ['-c', line, 'acme', acme ?? '', script, name, value];
      return run('sh', args, { env }).then(
        ({ stdout }) => ({ code: 0, words: stdout }),
        ({ code, stdout, stderr }) => ({ code: Number(code), words: `${stdout}${stderr}` }),
      );
    };
    const names = ['_acme-challenge.example.com', '_acme-challenge.www.example.com'];
    for (const name of names)
      for (const value of ['first-token', 'second-token'])
        expect((await call('add', name, value)).words).toContain('Added, OK');
    expect(recordsOf(provider).toSorted()).toEqual(['first-token', 'first-token', 'second-token', 'second-token']);
    for (const name of names)
      for (const value of ['first-token', 'second-token'])
        expect(await call('rm', name, value), `${name} ${value}`).toMatchObject({ code: 0 });
    expect(recordsOf(provider)).toEqual([]);
    rmSync(join(dir, 'account.conf'), { force: true });
    expect(await call('add', '_acme-challenge.example.com', 'third', 'wrong')).toMatchObject({ code: 1 });
    expect(recordsOf(provider)).toEqual([]);
  });
});
