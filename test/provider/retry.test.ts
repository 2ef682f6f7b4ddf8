import { expect, onTestFinished, test } from 'vitest';
import { createTransport } from '../../src/provider/transport.ts';
import { apiKey, errorOf, hangUp, openAt, openProvider, powerOn, readPower, server34 } from './open.ts';
import { cutOff, json, oneByOne, raw, serve } from './server.ts';

const throttled = (retryAfter: string, headers = {}) =>
  json(429, { detail: 'later' }, { 'retry-after': retryAfter, ...headers });

test.each([429, 502, 503, 504])('a read is retried after status %i, and after a broken connection', async (status) => {
  const { server, provider } = await openAt(oneByOne(json(status, { detail: 'later' }), hangUp, powerOn));
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  expect(server.received).toHaveLength(3);
});

test('a read fails after three tries, and at once after a plain 500', async () => {
  const { server, provider } = await openAt(json(502, {}));
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'unavailable', status: 502 });
  expect(server.received).toHaveLength(3);
  const broken = await openAt(raw(500, 'text/html', '<html><title>Server Error (500)</title><p>Sorry</p></html>'));
  const error = await errorOf(broken.provider.vps.status(server34));
  expect(error).toMatchObject({ kind: 'unavailable', words: 'Server Error (500)' });
  expect(broken.server.received).toHaveLength(1);
});

test('a read whose response breaks off is retried', async () => {
  const part = '{"status":';
  // As many bytes as may be read, and not one more.
  const { server, provider } = await openAt(oneByOne(cutOff(200, part), powerOn), { maxBodyBytes: part.length });
  const error = await errorOf(provider.vps.status(server34));
  expect(server.received).toHaveLength(2);
  expect(error.words).toContain('is longer than');
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

test('Retry-After is obeyed up to a minute, and not longer', async () => {
  const answer = oneByOne(throttled('60'), powerOn, throttled('61'));
  const { server, provider, pausesMs } = await openAt(answer, { retryDelayMs: 10 });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  expect(pausesMs).toHaveLength(1);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(60_000);
  expect(pausesMs[0]).toBeLessThanOrEqual(60_010);
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'throttled', retryAfterMs: 61_000 });
  expect(server.received).toHaveLength(3);
  expect(pausesMs).toHaveLength(1);
});

test('a date in Retry-After is read by the clock of the provider', async () => {
  const date = Date.now() - 3_600_000;
  const utc = (ms: number) => new Date(ms).toUTCString();
  const answer = oneByOne(throttled(utc(date + 5_000), { date: utc(date) }), powerOn);
  const { provider, pausesMs } = await openAt(answer, { retryDelayMs: 10 });
  await provider.vps.status(server34);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(5_000);
  expect(pausesMs[0]).toBeLessThanOrEqual(5_010);
});

test('the pause before a retry ends when the caller gives up', async () => {
  const caller = new AbortController();
  const { server, provider } = await openAt(throttled('30'), {
    sleep: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        caller.abort();
      }),
  });
  expect(await errorOf(provider.vps.status(server34, { signal: caller.signal }))).toMatchObject({ kind: 'throttled' });
  expect(server.received).toHaveLength(1);
});

test('the pause before a retry takes real time, and ends when the bot stops', async () => {
  const server = await serve(oneByOne(json(503, {}), powerOn, throttled('30')));
  const { promise: isThrottled, resolve } = Promise.withResolvers<void>();
  const transport = createTransport({
    ...{ baseUrl: server.url, apiKey, retryDelayMs: 40 },
    // The pause begins in the same turn of the event loop.
    onCall: ({ status }) => status === 429 && setImmediate(resolve),
  });
  onTestFinished(() => transport.close());
  const startedAt = performance.now();
  await transport.send(readPower);
  // Timers of Node may be a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  const error = errorOf(transport.send(readPower));
  await isThrottled;
  await transport.close();
  expect(await error).toMatchObject({ kind: 'throttled', status: 429 });
});

test('a bot that is stopping does not retry, and quotes the provider', async () => {
  let finish = () => {};
  const { server, provider, transport, pausesMs } = await openAt((request, response) => {
    finish = () => json(503, { detail: 'Maintenance.' })(request, response);
  });
  const underWay = errorOf(provider.vps.status(server34));
  await server.untilReceived(1);
  let isClosed = false;
  const closed = transport.close().then(() => {
    isClosed = true;
  });
  // One without a call under way is closed meanwhile.
  const idle = await openAt(powerOn);
  await idle.provider.vps.status(server34);
  await idle.transport.close();
  expect(isClosed).toBe(false);
  finish();
  expect(await underWay).toMatchObject({ status: 503, words: 'Maintenance.' });
  expect(pausesMs).toEqual([]);
  await closed;
  await transport.close();
});
