import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Exchange, exchange, type ProviderCall } from '../../src/provider/exchange.ts';
import { listeningPort } from '../support/process/listening-port.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { errorOf, openAt, openProvider, server34 } from './open.ts';
import { job, serve } from './server.ts';

// One request on the wire: its time limits, and its leftovers.

test('HTTP/1.1 is spoken to a server that offers HTTP/2, so that each request has its own connection', async () => {
  const dir = await newFolder('wire');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', 'cert.pem', '-days', '2', ...names], {
    cwd: dir,
    stdio: 'pipe',
  });
  const [pem, cert] = ['key.pem', 'cert.pem'].map((file) => readFileSync(join(dir, file), 'utf8'));
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, cert ?? '']);
  onTestFinished(() => setDefaultCACertificates(usual));
  const versions: string[] = [];
  const server = createSecureServer({ key: pem, cert, allowHTTP1: true }, (request, response) => {
    versions.push(`${request.method} ${request.httpVersion}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? { status: 'on' } : job));
  });
  const { provider } = openProvider(`https://localhost:${await listeningPort(server)}`);
  await provider.vps.status(server34);
  await provider.vps.restart(server34);
  expect(versions).toEqual(['GET 1.1', 'POST 1.1']);
});

test('a response that trickles is cut off after the time for the whole body', async () => {
  const { provider } = await openAt(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    },
    { bodyTimeoutMs: 60 },
  );
  const words = 'the answer was not complete within 60 ms';
  expect(await errorOf(provider.vps.hardReset(server34))).toMatchObject({ kind: 'lost', words });
});

test('a write that waits too long for its connection counts as not sent', async () => {
  // TLS to a server that accepts and then stays silent: the connection is never complete.
  const silent = createServer();
  const port = await listeningPort(silent);
  silent.on('connection', (socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  const { provider } = openProvider(`https://127.0.0.1:${port}`, { connectTimeoutMs: 50 });
  const words = 'no connection within 50 ms';
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'unavailable', words });
});

test('connecting, the headers and the body each have their own time limit', async () => {
  const later = (act: () => void) => setTimeout(act, 60);
  const server = await serve((_, response) => {
    later(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
      later(() => response.end('"on"}'));
    });
  });
  const patient = { connectTimeoutMs: 10_000, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000 };
  const { provider } = openProvider(server.url, { ...patient, connectTimeoutMs: 50 });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const { provider: other } = openProvider(server.url, { ...patient, headersTimeoutMs: 100 });
  expect(await other.vps.status(server34)).toEqual({ status: 'on' });
});

/** A pool whose events the test controls, in place of undici. */
function played(call: Partial<ProviderCall> = {}) {
  let handler: Dispatcher.DispatchHandler = {};
  // The only method that an exchange uses.
  const pool = {
    dispatch: (_: unknown, its: Dispatcher.DispatchHandler) => {
      handler = its;
      return true;
    },
  } as unknown as Pool;
  const limits = { connectTimeoutMs: 10_000, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000, maxBodyBytes: 1_000_000 };
  const whole: ProviderCall = { effect: 'write', method: 'POST', path: '/', headers: {}, body: undefined, ...call };
  const result: Promise<Exchange> = exchange(pool, whole, limits);
  const aborts: string[] = [];
  // An exchange uses only its abort.
  const controller = {
    abort: (reason: Error) => {
      aborts.push(reason.message);
    },
  } as unknown as Dispatcher.DispatchController;
  return {
    result,
    aborts,
    fail: (error: Error) => handler.onResponseError?.(controller, error),
    start: () => handler.onRequestStart?.(controller, {}),
    answer: (status: number, chunks: readonly string[]) => {
      handler.onResponseStart?.(controller, status, {});
      for (const chunk of chunks) handler.onResponseData?.(controller, Buffer.from(chunk));
      handler.onResponseEnd?.(controller, {});
    },
  };
}

test.each([
  [200, 300_000],
  [399, 300_000],
  [400, 100_000],
  [502, 100_000],
])('of an answer with status %i and 300,000 bytes, %i are read', async (status, kept) => {
  const read = played({ effect: 'read', method: 'GET' });
  read.start();
  const chunks = Array.from({ length: 6 }, (_, n) => String(n).repeat(50_000));
  read.answer(status, chunks);
  expect(await read.result).toMatchObject({ status, text: chunks.join('').slice(0, kept), isTooLong: false });
  expect(read.aborts).toEqual(status < 400 ? [] : ['the rest of an error page is not read']);
});

test('undici does not send a write again whose connection breaks, and may send a read again', async () => {
  const write = played();
  write.start();
  write.start();
  expect(await write.result).toMatchObject({ end: 'unanswered', error: { message: 'the connection was reset' } });
  expect(write.aborts).toEqual(['the connection was reset']);
  const read = played({ effect: 'read', method: 'GET' });
  read.start();
  read.start();
  expect(read.aborts).toEqual([]);
});

test('a call that has ended leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const write = played();
  write.start();
  expect(vi.getTimerCount()).toBe(1);
  write.fail(new Error('the connection was closed'));
  expect(await write.result).toMatchObject({ end: 'unanswered' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a call whose caller gave up is not sent when a connection is ready at last', async () => {
  const caller = new AbortController();
  const read = played({ effect: 'read', method: 'GET', signal: caller.signal });
  caller.abort();
  expect(await read.result).toMatchObject({ end: 'unsent', error: { message: 'the caller gave up waiting' } });
  read.start();
  expect(read.aborts).toEqual(['the connection was reset']);
});
