import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hadNoEffect } from '../../src/core/view/errors.ts';
import type { CallReport } from '../../src/provider/transport.ts';
import { apiKey, errorOf, openProvider } from './open.ts';
import { type Answer, job, json, oneByOne, raw, serve } from './server.ts';

const server34 = { order_id: '34-12345' };
const powerOn = json(200, { status: 'on' });
const hangUp: Answer = (_, response) => response.socket?.destroy();
const silence: Answer = () => {};

test.each(['', '/', '/api', '/api/'])('a base URL that ends in "%s" gives the exact paths', async (end) => {
  const server = await serve(oneByOne(json(200, { balance: 1.5, currency: 'EUR' }), powerOn));
  const { provider } = openProvider(server.url + end);
  expect(await provider.account.balance()).toEqual({ balance: 1.5, currency: 'EUR' });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const prefix = end.startsWith('/api') ? '/api' : '';
  expect(server.received.map(({ url }) => url)).toEqual([
    `${prefix}/account/balance`,
    `${prefix}/vps/34-12345/status/`,
  ]);
  expect(server.received[0]?.headers.authorization).toBe(`Api-Key ${apiKey}`);
});

test('reads share a connection that is kept open, and each write gets its own', async () => {
  const ports: (number | undefined)[] = [];
  const server = await serve((request, response) => {
    ports.push(response.socket?.remotePort);
    (request.method === 'GET' ? powerOn : json(200, job))(request, response);
  });
  const { provider } = openProvider(server.url);
  // undici watches a connection for one turn of the event loop before it uses it again.
  const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
  for (const call of [provider.vps.status, provider.vps.status, provider.vps.restart, provider.vps.restart]) {
    await call(server34);
    await tick();
  }
  expect(ports[0]).toBe(ports[1]);
  expect(new Set(ports).size).toBe(3);
  expect(server.received.map(({ headers }) => headers.connection)).toEqual([
    'keep-alive',
    'keep-alive',
    'close',
    'close',
  ]);
});

test('a write whose server dies before it responds is lost, and was sent once', async () => {
  const server = await serve(hangUp);
  const { provider, pausesMs } = openProvider(server.url);
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind: 'lost', endpoint: 'POST /vps/{order_id}/restart/', status: undefined });
  expect(hadNoEffect(error)).toBe(false);
  expect(server.received).toHaveLength(1);
  expect(pausesMs).toEqual([]);
});

test('a write whose response breaks off is lost, and was sent once', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"pk": 812,', () => response.socket?.destroy());
  });
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost', status: 200 });
  expect(server.received).toHaveLength(1);
});

test('a write without a response in time is lost; a read is unavailable after three tries', async () => {
  const server = await serve(silence);
  const { provider } = openProvider(server.url, { headersTimeoutMs: 250 });
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind: 'lost', words: 'no answer within 250 ms' });
  expect(server.received).toHaveLength(1);
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'unavailable' });
  expect(server.received).toHaveLength(4);
});

test('a response that trickles is cut off after the time for the whole body', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  const { provider } = openProvider(server.url, { bodyTimeoutMs: 60 });
  expect(await errorOf(provider.vps.hardReset(server34))).toMatchObject({
    kind: 'lost',
    words: 'the answer was not complete within 60 ms',
  });
});

test('a write to a closed port counts as not sent', async () => {
  const server = await serve(powerOn);
  await server.stop();
  const { provider, pausesMs } = openProvider(server.url);
  const error = await errorOf(provider.vps.restart(server34));
  expect(error.kind).toBe('unavailable');
  expect(error.words).toContain('ECONNREFUSED');
  expect(hadNoEffect(error)).toBe(true);
  expect(pausesMs).toEqual([]);
});

test('a write that waits too long for its connection counts as not sent', async () => {
  // TLS to a server that accepts and then stays silent: the connection is never complete.
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  silent.on('connection', (socket) => {
    socket.on('error', () => {});
    onTestFinished(() => {
      socket.destroy();
    });
  });
  const { provider } = openProvider(`https://127.0.0.1:${port}`, { connectTimeoutMs: 50 });
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({
    kind: 'unavailable',
    words: 'no connection within 50 ms',
  });
});

test.each([
  [429, 'throttled', true],
  [400, 'invalid', true],
  [401, 'auth', true],
  [402, 'rejected', true],
  [403, 'forbidden', true],
  [404, 'not_found', true],
  [405, 'rejected', true],
  [409, 'rejected', true],
  [500, 'lost', false],
  [502, 'lost', false],
  [503, 'unavailable', true],
  [504, 'lost', false],
  [301, 'rejected', true],
  [308, 'rejected', true],
  [302, 'lost', false],
  [303, 'lost', false],
])('the status %i of a write means %s, and the write is not repeated', async (status, kind, noEffect) => {
  const server = await serve(json(status, { detail: 'Words of the provider.' }, { location: '/elsewhere/' }));
  const { provider } = openProvider(server.url);
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind, status });
  expect(hadNoEffect(error)).toBe(noEffect);
  expect(server.received).toHaveLength(1);
});

test('a write with a 503 of the proxy has an unknown result and quotes the proxy', async () => {
  const server = await serve(raw(503, 'text/plain', 'upstream connect error or disconnect/reset before headers'));
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({
    kind: 'lost',
    words: 'upstream connect error or disconnect/reset before headers',
  });
});

test.each([429, 502, 503, 504])('a read is retried after status %i', async (status) => {
  const server = await serve(oneByOne(json(status, { detail: 'later' }), hangUp, powerOn));
  const { provider, pausesMs } = openProvider(server.url, { retryDelayMs: 100 });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  expect(server.received).toHaveLength(3);
  const [first = 0, second = 0] = pausesMs;
  expect(first).toBeGreaterThanOrEqual(50);
  expect(first).toBeLessThanOrEqual(100);
  expect(second).toBeGreaterThanOrEqual(100);
  expect(second).toBeLessThanOrEqual(200);
});

test('a read fails after three tries, and at once after a plain 500', async () => {
  const server = await serve(json(502, {}));
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'unavailable', status: 502 });
  expect(server.received).toHaveLength(3);
  const broken = await serve(raw(500, 'text/html', '<html><title>Server Error (500)</title><p>Sorry</p></html>'));
  const { provider: other } = openProvider(broken.url);
  expect(await errorOf(other.vps.status(server34))).toMatchObject({ kind: 'unavailable', words: 'Server Error (500)' });
  expect(broken.received).toHaveLength(1);
});

test('Retry-After is obeyed up to a maximum', async () => {
  const throttled = { detail: 'Request was throttled. Expected available in 2 seconds.' };
  const server = await serve(oneByOne(json(429, throttled, { 'retry-after': '2' }), powerOn));
  const { provider, pausesMs } = openProvider(server.url, { retryDelayMs: 10 });
  await provider.vps.status(server34);
  expect(pausesMs).toHaveLength(1);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(2000);
  expect(pausesMs[0]).toBeLessThanOrEqual(2010);

  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const patient = await serve(json(429, throttled, { 'retry-after': inAnHour }));
  const { provider: other, pausesMs: none } = openProvider(patient.url);
  const error = await errorOf(other.vps.status(server34));
  expect(error.kind).toBe('throttled');
  expect(error.retryAfterMs).toBeGreaterThan(3_590_000);
  expect(none).toEqual([]);
  expect(patient.received).toHaveLength(1);
});

test('a date in Retry-After is read by the clock of the provider', async () => {
  const date = Date.now() - 3_600_000;
  const utc = (ms: number) => new Date(ms).toUTCString();
  const headers = { date: utc(date), 'retry-after': utc(date + 5_000) };
  const server = await serve(oneByOne(json(429, { detail: 'later' }, headers), powerOn));
  const { provider, pausesMs } = openProvider(server.url, { retryDelayMs: 10 });
  await provider.vps.status(server34);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(5_000);
  expect(pausesMs[0]).toBeLessThanOrEqual(5_010);
});

test('the pause before a retry ends when the caller gives up', async () => {
  const server = await serve(json(429, { detail: 'later' }, { 'retry-after': '30' }));
  const caller = new AbortController();
  const { provider } = openProvider(server.url, {
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        caller.abort();
      }),
  });
  expect(await errorOf(provider.vps.status(server34, { signal: caller.signal }))).toMatchObject({ kind: 'throttled' });
  expect(server.received).toHaveLength(1);
});

test('a redirect is not followed, and the error says that the path or HOST_API_URL is wrong', async () => {
  const server = await serve(raw(301, 'text/html', '', { location: 'https://panel.example.com/vps/' }));
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({
    kind: 'rejected',
    status: 301,
    words: 'redirected to https://panel.example.com/vps/: the path or HOST_API_URL is wrong',
  });
  expect(server.received.map(({ method }) => method)).toEqual(['POST']);
});

test('a web page with status 200 does not count as a response, also where no body is expected', async () => {
  const server = await serve(raw(200, 'text/html; charset=utf-8', '<!doctype html><title>Panel</title>'));
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.dns.zoneFile({ name: 'example.com' }))).toMatchObject({ kind: 'shape' });
  expect(await errorOf(provider.projects.delete({ id: 1 }))).toMatchObject({ kind: 'lost', status: 200 });
});

test.each([200, 204])(
  'a %i without a body is a success, also if its content type is that of a web page',
  async (status) => {
    const server = await serve(raw(status, 'text/html; charset=utf-8', ''));
    const { provider } = openProvider(server.url);
    await provider.projects.addOrders({ id: 1, orders: ['34-1'] });
    await provider.dns.deleteEntry({ name: 'example.com', id: 1 });
    expect(server.received).toHaveLength(2);
  },
);

test('an empty response is an error where something is expected', async () => {
  const server = await serve(raw(200, 'text/html; charset=utf-8', ''));
  const { provider } = openProvider(server.url);
  const words = 'the answer is empty';
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'shape', words });
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost', words });
});

test('at most six reads are under way, two slots are left to writes, and calls are sent in their order', async () => {
  const open: (() => void)[] = [];
  const server = await serve((request, response) => {
    open.push(() => powerOn(request, response));
  });
  const { provider } = openProvider(server.url);
  const calls = Array.from({ length: 12 }, (_, index) => provider.vps.status({ order_id: `34-${10000 + index}` }));
  await server.untilReceived(6);
  // Time for a seventh to arrive if it had been sent.
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(server.received).toHaveLength(6);
  for (const count of [7, 8, 9, 10, 11, 12]) {
    open.shift()?.();
    await server.untilReceived(count);
  }
  expect(server.received.slice(6).map(({ url }) => url)).toEqual(
    [6, 7, 8, 9, 10, 11].map((index) => `/vps/34-${10000 + index}/status/`),
  );
  for (const answer of open) answer();
  await Promise.all(calls);
});

test('a caller who gives up in the queue has sent nothing; the write of a caller who gives up after sending is lost', async () => {
  const server = await serve(silence);
  const { provider } = openProvider(server.url, { maxUnderWay: 1 });
  const first = new AbortController();
  const second = new AbortController();
  const out = errorOf(provider.vps.restart(server34, { signal: first.signal }));
  const queued = errorOf(provider.vps.restart(server34, { signal: second.signal }));
  await server.untilReceived(1);
  second.abort();
  expect(await queued).toMatchObject({ kind: 'unavailable', words: 'not sent: the caller gave up waiting' });
  first.abort();
  expect(await out).toMatchObject({ kind: 'lost', words: 'the caller gave up waiting' });
  expect(server.received).toHaveLength(1);
});

test('closing lets calls under way end, and sends no others', async () => {
  let finish = () => {};
  const server = await serve((request, response) => {
    finish = () => json(200, job)(request, response);
  });
  const { provider, transport } = openProvider(server.url, { maxUnderWay: 1 });
  const underWay = provider.vps.restart(server34);
  const waiting = errorOf(provider.vps.stop(server34));
  await server.untilReceived(1);
  const closed = transport.close();
  expect(await waiting).toMatchObject({ kind: 'unavailable', words: 'not sent: the bot is stopping' });
  finish();
  expect(await underWay).toMatchObject({ pk: 812 });
  await closed;
  expect(await errorOf(provider.vps.start(server34))).toMatchObject({ kind: 'unavailable' });
  expect(server.received).toHaveLength(1);
});

test('a response that is too long is not read to its end', async () => {
  const server = await serve(raw(200, 'application/json', `"${'x'.repeat(5000)}"`));
  const { provider } = openProvider(server.url, { maxBodyBytes: 1000 });
  expect(await errorOf(provider.account.info())).toMatchObject({
    kind: 'shape',
    words: 'the answer is longer than 1000 bytes',
  });
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost' });
  expect(server.received).toHaveLength(2);
});

test('an error keeps its status when its body is endless or breaks off', async () => {
  const server = await serve(
    oneByOne(raw(404, 'text/html', `<title>Not Found</title>${'x'.repeat(5000)}`), (_, response) => {
      response.writeHead(403, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"detail":', () => response.socket?.destroy());
    }),
  );
  const { provider } = openProvider(server.url, { maxBodyBytes: 1000 });
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'not_found', words: 'Not Found' });
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'forbidden', status: 403 });
});

test('a success that is no JSON is a wrong shape for a read and lost for a write, and its text is not in the error', async () => {
  const server = await serve(raw(200, 'application/json', 'passwd=hunter2-secret'));
  const { provider } = openProvider(server.url);
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'shape', words: 'the answer is not JSON' });
  const error = await errorOf(provider.vps.passwdReset(server34));
  expect(error.kind).toBe('lost');
  expect(`${error.stack} ${String(error.cause)}`).not.toContain('hunter2');
});

test('a logo is sent as multipart, and a zone file is received as text', async () => {
  const zone = '$ORIGIN example.com.\n@ 3600 IN A 192.0.2.1\n';
  const server = await serve(
    oneByOne(json(200, { logo: 'https://example.com/logo.png' }), raw(200, 'text/plain; charset=utf-8', zone)),
  );
  const { provider } = openProvider(server.url);
  const bytes = new TextEncoder().encode('PNG-BYTES');
  const uploaded = await provider.projects.editLogo({ id: 7, logo: { name: 'logo.png', type: 'image/png', bytes } });
  expect(uploaded).toEqual({ logo: 'https://example.com/logo.png' });
  const [request] = server.received;
  expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(request?.headers['content-length']).toBe(String(request?.body.length));
  expect(request?.body).toContain('name="logo"; filename="logo.png"');
  expect(request?.body).toContain('Content-Type: image/png');
  expect(request?.body).toContain('PNG-BYTES');
  expect(await provider.dns.zoneFile({ name: 'example.com' })).toBe(zone);
});

test('every try is reported, and a reporter that throws changes nothing', async () => {
  const server = await serve(oneByOne(json(503, {}), powerOn, hangUp));
  const reports: CallReport[] = [];
  const { provider } = openProvider(server.url, {
    onCall(report) {
      reports.push(report);
      throw new Error('the metrics are broken');
    },
  });
  await provider.vps.status(server34);
  await errorOf(provider.vps.restart(server34));
  expect(reports.map(({ ms: _, ...rest }) => rest)).toEqual([
    { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', status: 503, kind: 'unavailable' },
    { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', status: 200, kind: undefined },
    { endpoint: 'POST /vps/{order_id}/restart/', effect: 'write', status: undefined, kind: 'lost' },
  ]);
  expect(reports.every(({ ms }) => ms >= 0)).toBe(true);
});

test('a provider that quotes the key in its error is quoted without it', async () => {
  const [, half] = apiKey.split('.');
  const server = await serve(
    oneByOne(
      json(401, { detail: `Invalid key ${apiKey}` }),
      json(400, { [`k ${half}`]: [`bad ${apiKey}`] }),
      raw(500, 'text/html', `<h1>${apiKey}</h1>`),
      raw(301, 'text/plain', '', { location: `https://x.example/${apiKey}` }),
    ),
  );
  const { provider } = openProvider(server.url);
  // errorOf searches each of them.
  expect((await errorOf(provider.account.info())).words).toBe('Invalid key [key]');
  expect((await errorOf(provider.account.info())).fields).toEqual({ 'k [key]': ['bad [key]'] });
  expect((await errorOf(provider.account.info())).words).toBe('[key]');
  expect((await errorOf(provider.account.info())).words).toContain('[key]');
});

test('a base URL or key that cannot work is refused at once, without quoting the key', () => {
  for (const baseUrl of ['fornex.com/api', 'ftp://host/api', 'https://user:pw@host/api', 'https://host/api?x=1']) {
    expect(() => openProvider(baseUrl)).toThrow('must look like https://host/api');
  }
  const attempt = () => openProvider('https://host.example/api', { apiKey: 'CANARY12.with\nnewline' });
  expect(attempt).toThrow('characters a header cannot carry');
  expect(attempt).not.toThrow('CANARY12');
});
