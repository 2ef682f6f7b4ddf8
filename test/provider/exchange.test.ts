import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Exchange, exchange, type ProviderCall } from '../../src/provider/exchange.ts';
import { createSlots } from '../../src/provider/slots.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { apiKey, errorOf, openProvider } from './open.ts';
import { job, json, oneByOne, raw, serve } from './server.ts';

// One request on the wire: its form, the cases in which it is not sent, and its leftovers.

const server34 = { order_id: '34-12345' };
const powerOn = json(200, { status: 'on' });
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('each request has a User-Agent and says what it accepts', async () => {
  const server = await serve(oneByOne(powerOn, raw(200, 'text/plain', '@ A 192.0.2.1')));
  const { provider } = openProvider(server.url);
  await provider.vps.status(server34);
  await provider.dns.zoneFile({ name: 'example.com' });
  expect(server.received.map(({ headers }) => [headers.accept, headers['user-agent']])).toEqual([
    ['application/json', 'Hostler'],
    ['text/plain, */*;q=0.5', 'Hostler'],
  ]);
  expect(server.received.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined]);
});

test('a base URL that ends in several slashes gives the exact paths', async () => {
  const server = await serve(powerOn);
  const { provider, transport } = openProvider(`${server.url}/api//`);
  await provider.vps.status(server34);
  expect(server.received[0]?.url).toBe('/api/vps/34-12345/status/');
  expect(transport.baseUrl).toBe(`${server.url}/api`);
});

test.each(['xhttp://host/api', 'https://host/api#x', 'https://:pw@host/api', ''])(
  '%s is refused as a base URL',
  (baseUrl) => {
    expect(() => openProvider(baseUrl)).toThrow('must look like https://host/api');
  },
);

test('HTTP/1.1 is spoken to a server that offers HTTP/2, so that each request has its own connection', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'hostler-wire-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
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
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.close();
  });
  // A server listening on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const { provider } = openProvider(`https://localhost:${port}`);
  await provider.vps.status(server34);
  await provider.vps.restart(server34);
  expect(versions).toEqual(['GET 1.1', 'POST 1.1']);
});

test('an interim response does not count as the response', async () => {
  const server = await serve((request, response) => {
    response.writeProcessing();
    powerOn(request, response);
  });
  expect(await openProvider(server.url).provider.vps.status(server34)).toEqual({ status: 'on' });
  const broken = await serve((_, response) => {
    response.writeProcessing(() => response.socket?.destroy());
  });
  expect(await errorOf(openProvider(broken.url).provider.vps.restart(server34))).toMatchObject({
    kind: 'lost',
    status: undefined,
  });
});

test('a read whose response breaks off is retried', async () => {
  const part = '{"status":';
  const server = await serve(
    oneByOne((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write(part, () => response.socket?.destroy());
    }, powerOn),
  );
  // As many bytes as may be read, and not one more.
  const { provider } = openProvider(server.url, { maxBodyBytes: part.length });
  const error = await errorOf(provider.vps.status(server34));
  expect(server.received).toHaveLength(2);
  expect(error.words).toContain('is longer than');
});

test('reading a list from a closed port fails as unavailable', async () => {
  const server = await serve(powerOn);
  await server.stop();
  expect(await errorOf(openProvider(server.url).provider.orders.list())).toMatchObject({ kind: 'unavailable' });
});

test('connecting, the headers and the body each have their own time limit', async () => {
  const later = (act: () => void) => setTimeout(act, 120);
  const server = await serve((_, response) => {
    later(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
      later(() => response.end('"on"}'));
    });
  });
  const patient = { connectTimeoutMs: 10_000, headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000 };
  const { provider } = openProvider(server.url, { ...patient, connectTimeoutMs: 100 });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const { provider: other } = openProvider(server.url, { ...patient, headersTimeoutMs: 200 });
  expect(await other.vps.status(server34)).toEqual({ status: 'on' });
});

test('a write gets a slot while reads have all of theirs', async () => {
  const server = await serve(() => {});
  const caller = new AbortController();
  const { provider, transport } = openProvider(server.url, { maxUnderWay: 4 });
  const reads = [1, 2].map(() => errorOf(provider.vps.status(server34, { signal: caller.signal })));
  await server.untilReceived(2);
  (await transport.takeWriteSlot())();
  caller.abort();
  await Promise.all(reads);
});

test('a response of exactly the maximum length is read', async () => {
  const text = JSON.stringify({ status: 'on' });
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    // In two pieces, of which the second is counted from the end of the first.
    response.write(text.slice(0, 5), () => setImmediate(() => response.end(text.slice(5))));
  });
  const { provider } = openProvider(server.url, { maxBodyBytes: text.length });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const { provider: narrow } = openProvider(server.url, { maxBodyBytes: text.length - 1 });
  expect((await errorOf(narrow.vps.status(server34))).words).toBe(`the answer is longer than ${text.length - 1} bytes`);
});

test('a write that holds a slot does not wait for another one', async () => {
  const server = await serve(json(200, job));
  const { provider, transport } = openProvider(server.url, { maxUnderWay: 1 });
  const release = await transport.takeWriteSlot();
  expect(await provider.vps.restart(server34, { hasSlot: true })).toMatchObject({ pk: 812 });
  release();
  expect(await provider.vps.restart(server34)).toMatchObject({ pk: 812 });
});

test('the slot of a call is free after it succeeded or failed', async () => {
  const server = await serve(oneByOne(powerOn, json(404, { detail: 'Not found.' }), powerOn));
  const { provider } = openProvider(server.url, { maxUnderWay: 1 });
  await provider.vps.status(server34);
  await errorOf(provider.vps.status(server34));
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
});

test('a caller who gave up before the call sends nothing, with or without a slot', async () => {
  const server = await serve(json(200, job));
  const { provider } = openProvider(server.url);
  const signal = AbortSignal.abort();
  expect(await errorOf(provider.vps.restart(server34, { signal, hasSlot: true }))).toMatchObject({
    kind: 'unavailable',
    words: 'the caller gave up waiting',
  });
  expect(await errorOf(provider.vps.restart(server34, { signal }))).toMatchObject({
    kind: 'unavailable',
    words: 'not sent: the caller gave up waiting',
  });
  expect(server.received).toEqual([]);
});

test('mayStillSend is checked for each write, and for no read', async () => {
  const server = await serve(oneByOne(json(200, job), powerOn));
  const { provider, transport } = openProvider(server.url);
  const asked: string[] = [];
  const may = (what: string, answer: boolean) => () => {
    asked.push(what);
    return answer;
  };
  await provider.vps.restart(server34, { mayStillSend: may('yes', true) });
  await provider.vps.status(server34, { mayStillSend: may('read', false) });
  const error = await errorOf(provider.vps.restart(server34, { mayStillSend: may('no', false) }));
  expect(error).toMatchObject({ kind: 'unavailable', words: 'not sent, because the bot was suspended for too long' });
  expect(asked).toEqual(['yes', 'no']);
  // All requests under way have arrived by then.
  await transport.close();
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a signal that lives longer than its calls keeps no listener', async () => {
  const server = await serve(powerOn);
  const caller = new AbortController();
  const { provider } = openProvider(server.url);
  for (let n = 0; n < 3; n += 1) await provider.vps.status(server34, { signal: caller.signal });
  expect(listeners(caller.signal)).toBe(0);

  const slots = createSlots(1, new AbortController().signal);
  const release = await slots.acquire('write');
  const next = slots.acquire('write', caller.signal);
  expect(listeners(caller.signal)).toBe(1);
  release();
  (await next)();
  expect(listeners(caller.signal)).toBe(0);
  const holds = await slots.acquire('write');
  const givesUp = slots.acquire('write', caller.signal);
  caller.abort(new Error('enough'));
  await expect(givesUp).rejects.toThrow('enough');
  // A caller who gave up takes no free slot.
  holds();
  (await slots.acquire('write'))();
});

test('a single slot serves reads and writes', async () => {
  const slots = createSlots(1, new AbortController().signal);
  (await slots.acquire('read'))();
  const release = await slots.acquire('write');
  const read = slots.acquire('read');
  release();
  (await read)();
});

test('each try is reported with the time that it took', async () => {
  const server = await serve(oneByOne(json(503, {}), powerOn));
  const took: number[] = [];
  const { provider } = openProvider(server.url, { onCall: ({ ms }) => took.push(ms) });
  const startedAt = performance.now();
  await provider.vps.status(server34);
  const elapsedMs = performance.now() - startedAt;
  expect(took).toHaveLength(2);
  expect(took.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(elapsedMs);
});

test('the length of a response is reported to a caller who asks for it', async () => {
  const server = await serve(powerOn);
  const transport = createTransport({ baseUrl: server.url, apiKey });
  onTestFinished(() => transport.close());
  const request = { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', method: 'GET', answers: 'json' } as const;
  const lengths: number[] = [];
  const path = '/vps/34-12345/status/';
  expect(await transport.send({ ...request, path, onBytes: (length) => lengths.push(length) })).toEqual({
    status: 'on',
  });
  expect(lengths).toEqual([JSON.stringify({ status: 'on' }).length]);
});

test('the pause before a retried read is between half and all of the configured pause', async () => {
  const answered = {
    end: 'answered',
    status: 503,
    headers: {},
    text: '',
    broken: undefined,
    isTooLong: false,
  } as const;
  const { provider, pausesMs } = openProvider('http://provider.invalid', {
    retryDelayMs: 100,
    exchange: async () => answered,
  });
  for (let n = 0; n < 40; n += 1) await errorOf(provider.vps.status(server34));
  expect(pausesMs).toHaveLength(80);
  for (const [n, ms] of pausesMs.entries()) {
    const whole = n % 2 === 0 ? 100 : 200;
    expect(ms).toBeGreaterThanOrEqual(whole / 2);
    expect(ms).toBeLessThanOrEqual(whole);
  }
});

test('the provider’s Retry-After is obeyed up to a minute, and not longer', async () => {
  const server = await serve(
    oneByOne(json(429, {}, { 'retry-after': '60' }), powerOn, json(429, {}, { 'retry-after': '61' })),
  );
  const { provider, pausesMs } = openProvider(server.url);
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  expect(pausesMs).toHaveLength(1);
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'throttled', retryAfterMs: 61_000 });
  expect(server.received).toHaveLength(3);
});

test('the pause before a retry takes real time, and ends when the bot stops', async () => {
  const server = await serve(oneByOne(json(503, {}), powerOn, json(429, {}, { 'retry-after': '30' })));
  const { promise: throttled, resolve } = Promise.withResolvers<void>();
  const transport = createTransport({
    baseUrl: server.url,
    apiKey,
    retryDelayMs: 40,
    onCall: ({ status }) => status === 429 && setTimeout(resolve, 10),
  });
  const request = { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', method: 'GET', answers: 'json' } as const;
  const path = '/vps/34-12345/status/';
  const startedAt = performance.now();
  await transport.send({ ...request, path });
  // Timers of Node may be a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  const error = errorOf(transport.send({ ...request, path }));
  await throttled;
  await transport.close();
  expect(await error).toMatchObject({ kind: 'throttled', status: 429 });
});

test('a bot that is stopping does not retry, and quotes the provider', async () => {
  let finish = () => {};
  const server = await serve((request, response) => {
    finish = () => json(503, { detail: 'Maintenance.' })(request, response);
  });
  const { provider, transport, pausesMs } = openProvider(server.url);
  const underWay = errorOf(provider.vps.status(server34));
  await server.untilReceived(1);
  let isClosed = false;
  const closed = transport.close().then(() => {
    isClosed = true;
  });
  // Time enough to close without waiting.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isClosed).toBe(false);
  finish();
  expect(await underWay).toMatchObject({ status: 503, words: 'Maintenance.' });
  expect(pausesMs).toEqual([]);
  await closed;
  await transport.close();
});

test.each([
  ['KEY.12345678', 'Key KEY.12345678, or 12345678', 'Key [key], or [key]'],
  ['KEY.1234567', 'Key KEY.1234567, or 1234567', 'Key [key], or 1234567'],
  ['without-a-dot', 'Key without-a-dot', 'Key [key]'],
  ['12345.x', 'x 12345.x', 'x 12345.x'],
])(
  'the key %s and its secret half are removed from quoted errors when they are long enough',
  async (key, words, said) => {
    const server = await serve(json(401, { detail: words }));
    const { provider } = openProvider(server.url, { apiKey: key });
    expect((await errorOf(provider.account.info())).words).toBe(said);
  },
);

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
  const whole: ProviderCall = {
    effect: 'write',
    method: 'POST',
    path: '/',
    headers: {},
    body: undefined,
    signal: undefined,
    mayStillSend: undefined,
    ...call,
  };
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
])('of an answer with status %i and 300,000 bytes, %i are kept', async (status, kept) => {
  const read = played({ effect: 'read', method: 'GET' });
  read.start();
  const chunks = Array.from({ length: 6 }, (_, n) => String(n).repeat(50_000));
  read.answer(status, chunks);
  expect(await read.result).toMatchObject({ status, text: chunks.join('').slice(0, kept), isTooLong: false });
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
