import { expect, test } from 'vitest';
import { hadNoEffect } from '../../src/core/view/errors.ts';
import type { CallReport } from '../../src/provider/transport.ts';
import { apiKey, errorOf, hangUp, openAt, openProvider, powerOn, readPower, server34 } from './open.ts';
import { type Answer, cutOff, job, json, oneByOne, raw } from './server.ts';

// Tests the request of a call, the meaning of a response that is not whole, and the report about both.

const silence: Answer = () => {};

test.each(['', '/', '/api', '/api/', '/api//'])('a base URL that ends in "%s" gives the exact paths', async (end) => {
  const answer = oneByOne(json(200, { balance: 1.5, currency: 'EUR' }), powerOn);
  const { server, provider, transport } = await openAt(answer, {}, end);
  expect(await provider.account.balance()).toEqual({ balance: 1.5, currency: 'EUR' });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  const prefix = end.startsWith('/api') ? '/api' : '';
  const urls = server.received.map(({ url }) => url);
  expect(urls).toEqual([`${prefix}/account/balance`, `${prefix}/vps/34-12345/status/`]);
  expect(transport.baseUrl).toBe(server.url + prefix);
});

test('a base URL or key that cannot work is refused at once, without quoting the key', () => {
  const hosts = ['fornex.com/api', 'ftp://host/api', 'xhttp://host/api', ''];
  const parts = ['https://user:pw@host/api', 'https://:pw@host/api', 'https://host/api?x=1', 'https://host/api#x'];
  for (const baseUrl of [...hosts, ...parts])
    expect(() => openProvider(baseUrl), baseUrl).toThrow('must look like https://host/api');
  const attempt = () => openProvider('https://host.example/api', { apiKey: 'CANARY12.with\nnewline' });
  expect(attempt).toThrow('characters a header cannot carry');
  expect(attempt).not.toThrow('CANARY12');
});

test('each request has the key and a User-Agent, and says what it accepts', async () => {
  const { server, provider } = await openAt(oneByOne(powerOn, raw(200, 'text/plain', '@ A 192.0.2.1')));
  await provider.vps.status(server34);
  await provider.dns.zoneFile({ name: 'example.com' });
  const common = { authorization: `Api-Key ${apiKey}`, 'user-agent': 'Hostler' };
  expect(server.received.map(({ headers }) => headers)).toMatchObject([
    { ...common, accept: 'application/json' },
    { ...common, accept: 'text/plain, */*;q=0.5' },
  ]);
  expect(server.received.map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined]);
});

test('reads share a connection that is kept open, and each write gets its own', async () => {
  const ports: (number | undefined)[] = [];
  const { server, provider } = await openAt((request, response) => {
    ports.push(response.socket?.remotePort);
    (request.method === 'GET' ? powerOn : json(200, job))(request, response);
  });
  // undici watches a connection for one turn of the event loop before it uses it again.
  const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
  for (const call of [provider.vps.status, provider.vps.status, provider.vps.restart, provider.vps.restart]) {
    await call(server34);
    await tick();
  }
  expect(ports[0]).toBe(ports[1]);
  expect(new Set(ports).size).toBe(3);
  const connections = ['keep-alive', 'keep-alive', 'close', 'close'];
  expect(server.received.map(({ headers }) => headers.connection)).toEqual(connections);
});

const interim: Answer = (_, response) => response.writeProcessing(() => response.socket?.destroy());

test.each([
  ['dies before it responds', hangUp, undefined],
  ['breaks off its response', cutOff(200, '{"pk": 812,'), 200],
  ['dies after an interim response', interim, undefined],
])('a write whose server %s is lost, and was sent once', async (_, answer, status) => {
  const { server, provider, pausesMs } = await openAt(answer);
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind: 'lost', endpoint: 'POST /vps/{order_id}/restart/', status });
  expect(hadNoEffect(error)).toBe(false);
  expect(server.received).toHaveLength(1);
  expect(pausesMs).toEqual([]);
});

test('a write without a response in time is lost; a read is unavailable after three tries', async () => {
  const { server, provider } = await openAt(silence, { headersTimeoutMs: 100 });
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind: 'lost', words: 'no answer within 100 ms' });
  expect(server.received).toHaveLength(1);
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'unavailable' });
  expect(server.received).toHaveLength(4);
});

test('a call to a closed port is unavailable, and a write there counts as not sent', async () => {
  const { server, provider, pausesMs } = await openAt(powerOn);
  await server.stop();
  const error = await errorOf(provider.vps.restart(server34));
  expect(error.kind).toBe('unavailable');
  expect(error.words).toContain('ECONNREFUSED');
  expect(hadNoEffect(error)).toBe(true);
  expect(pausesMs).toEqual([]);
  expect(await errorOf(provider.orders.list())).toMatchObject({ kind: 'unavailable' });
});

test('a logo is sent as multipart, and a zone file is received as text', async () => {
  const zone = '$ORIGIN example.com.\n@ 3600 IN A 192.0.2.1\n';
  const logoUrl = 'https://example.com/logo.png';
  const { server, provider } = await openAt(
    oneByOne(json(200, { logo: logoUrl }), raw(200, 'text/plain; charset=utf-8', zone)),
  );
  const bytes = new TextEncoder().encode('PNG-BYTES');
  const uploaded = await provider.projects.editLogo({ id: 7, logo: { name: 'logo.png', type: 'image/png', bytes } });
  expect(uploaded).toEqual({ logo: logoUrl });
  const [request] = server.received;
  expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(request?.headers['content-length']).toBe(String(request?.body.length));
  for (const part of ['name="logo"; filename="logo.png"', 'Content-Type: image/png', 'PNG-BYTES'])
    expect(request?.body).toContain(part);
  expect(await provider.dns.zoneFile({ name: 'example.com' })).toBe(zone);
});

test('closing lets calls under way end, and sends no others', async () => {
  let finish = () => {};
  const { server, provider, transport } = await openAt(
    (request, response) => {
      finish = () => json(200, job)(request, response);
    },
    { maxUnderWay: 1 },
  );
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

test('a caller who gave up before the call sends nothing, with or without a slot', async () => {
  const { server, provider } = await openAt(json(200, job));
  const signal = AbortSignal.abort();
  for (const hasSlot of [true, false]) {
    const error = await errorOf(provider.vps.restart(server34, { signal, hasSlot }));
    expect(error.kind).toBe('unavailable');
    expect(error.words).toBe(`${hasSlot ? '' : 'not sent: '}the caller gave up waiting`);
  }
  expect(server.received).toEqual([]);
});

test('mayStillSend is checked for each write, and for no read', async () => {
  const { server, provider, transport } = await openAt(oneByOne(json(200, job), powerOn));
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

test('every try is reported with its time, and a reporter that throws changes nothing', async () => {
  const reports: CallReport[] = [];
  const { provider } = await openAt(oneByOne(json(503, {}), powerOn, hangUp), {
    onCall(report) {
      reports.push(report);
      throw new Error('the metrics are broken');
    },
  });
  const startedAt = performance.now();
  await provider.vps.status(server34);
  await errorOf(provider.vps.restart(server34));
  const elapsedMs = performance.now() - startedAt;
  expect(reports.map(({ ms: _, ...rest }) => rest)).toEqual([
    { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', status: 503, kind: 'unavailable' },
    { endpoint: 'GET /vps/{order_id}/status/', effect: 'read', status: 200, kind: undefined },
    { endpoint: 'POST /vps/{order_id}/restart/', effect: 'write', status: undefined, kind: 'lost' },
  ]);
  expect(reports.every(({ ms }) => ms >= 0)).toBe(true);
  expect(reports.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(elapsedMs);
});

test('the length of a response is reported to a caller who asks for it', async () => {
  const { transport } = await openAt(powerOn);
  const lengths: number[] = [];
  const onBytes = (length: number) => lengths.push(length);
  expect(await transport.send({ ...readPower, onBytes })).toEqual({ status: 'on' });
  expect(lengths).toEqual([JSON.stringify({ status: 'on' }).length]);
});

test('a provider that quotes the key in its error is quoted without it', async () => {
  const [, half] = apiKey.split('.');
  const { provider } = await openAt(
    oneByOne(
      json(400, { [`k ${half}`]: [`bad ${apiKey}`] }),
      raw(500, 'text/html', `<h1>${apiKey}</h1>`),
      raw(301, 'text/plain', '', { location: `https://x.example/${apiKey}` }),
    ),
  );
  // errorOf searches each of them.
  expect((await errorOf(provider.account.info())).fields).toEqual({ 'k [key]': ['bad [key]'] });
  expect((await errorOf(provider.account.info())).words).toBe('[key]');
  expect((await errorOf(provider.account.info())).words).toContain('[key]');
});

test.each([
  ['KEY.12345678', 'Key KEY.12345678, or 12345678', 'Key [key], or [key]'],
  ['KEY.1234567', 'Key KEY.1234567, or 1234567', 'Key [key], or 1234567'],
  ['without-a-dot', 'Key without-a-dot', 'Key [key]'],
  ['12345.x', 'x 12345.x', 'x 12345.x'],
])('the key %s and its secret half are removed from quoted errors if they are long', async (key, detail, words) => {
  const { provider } = await openAt(json(401, { detail }), { apiKey: key });
  expect((await errorOf(provider.account.info())).words).toBe(words);
});
