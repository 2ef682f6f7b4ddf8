import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';
import { createCaller } from './caller.ts';

let provider: SimulatedProvider;
let call: ReturnType<typeof createCaller>;
beforeEach(async () => {
  provider = await startProvider({ jobMs: 50 });
  call = createCaller(provider);
});
afterEach(() => provider.close());

const restart = 'POST /vps/{order_id}/restart/';
const jobs = () => provider.snapshot().jobs.filter(({ pk }) => pk >= 812).length;

describe('the faults of the simulated provider', () => {
  test('the fault "lose" does the work and loses the response', async () => {
    provider.sim.fault({ kind: 'lose', match: restart, times: 1 });
    await expect(call('POST /vps/34-12345/restart/')).rejects.toThrow();
    expect(jobs()).toBe(1);
    expect(provider.sim.requests().at(-1)).toMatchObject({ route: restart, status: null, isFinished: true });
    expect((await call('POST /vps/34-12399/restart/')).status).toBe(200);
  });

  test('the fault "drop" breaks the connection and does nothing', async () => {
    provider.sim.fault({ kind: 'drop', match: restart, times: 1 });
    await expect(call('POST /vps/34-12345/restart/')).rejects.toThrow();
    expect(jobs()).toBe(0);
  });

  test('the fault "answer" responds as given until it is cleared', async () => {
    provider.sim.fault({ kind: 'answer', match: 'GET /orders/', status: 503, body: '<h1>Sorry</h1>' });
    for (const _ of [1, 2, 3])
      expect(await call('GET /orders/')).toMatchObject({ status: 503, text: '<h1>Sorry</h1>' });
    expect((await call('GET /orders/vps/')).status).toBe(200);
    provider.sim.clearFaults();
    expect((await call('GET /orders/')).status).toBe(200);
  });

  test('the fault "throttle" responds 429 with the time to wait', async () => {
    provider.sim.fault({ kind: 'throttle', times: 2, retryAfterSec: 7 });
    const answer = await call('GET /account/balance');
    expect(answer).toMatchObject({
      status: 429,
      body: { detail: 'Request was throttled. Expected available in 7 seconds.' },
    });
    expect(answer.headers.get('retry-after')).toBe('7');
    expect((await call('GET /orders/')).status).toBe(429);
    expect((await call('GET /orders/')).status).toBe(200);
  });

  test('the faults "malformed" and "shape" cut the response off or change its shape', async () => {
    provider.sim.fault({ kind: 'malformed', times: 1 });
    expect((await call('GET /account/balance')).text).toBe('{"balance":84.2,');
    provider.sim.fault({ kind: 'shape', times: 1 });
    expect((await call('GET /account/balance')).body).toEqual({ version: 2, data: { balance: 84.2, currency: 'EUR' } });
    provider.sim.fault({ kind: 'shape', times: 1, body: [] });
    expect((await call('GET /account/balance')).body).toEqual([]);
  });

  test('the fault "delay" works together with another fault', async () => {
    provider.sim.fault({ kind: 'delay', ms: 60, times: 1 });
    provider.sim.fault({ kind: 'answer', status: 502, times: 1 });
    const begun = performance.now();
    expect((await call('GET /account/balance')).status).toBe(502);
    expect(performance.now() - begun).toBeGreaterThan(50);
  });

  test('a fault for an unknown operation is refused', () => {
    expect(() => provider.sim.fault({ kind: 'drop', match: 'POST /vps/{id}/restart/' })).toThrow('no operation');
  });

  test('the fault "nextJob" waits for a request that makes a job', async () => {
    provider.sim.fault({ kind: 'nextJob', end: 'error', times: 1 });
    await call('GET /account/balance');
    await call('POST /vps/34-12345/restart/');
    provider.sim.advance(100);
    expect((await call('GET /vps/34-12345/log_details/812/')).body.job_state).toBe('error');
  });
});

describe('the request log', () => {
  test('the request log shows past requests, and can wait for future ones', async () => {
    const waiting = provider.sim.waitForRequest(({ route }) => route === 'PATCH /orders/{order_id}/');
    await call('GET /orders/?page=1');
    await call('PATCH /orders/34-12345/', { name: 'x' });
    expect(await waiting).toMatchObject({
      method: 'PATCH',
      path: '/api/orders/34-12345/',
      body: { name: 'x' },
      status: 200,
    });
    expect(provider.sim.requests().map(({ path }) => path)).toEqual(['/api/orders/?page=1', '/api/orders/34-12345/']);
    await expect(provider.sim.waitForRequest(({ status }) => status === 500, 20)).rejects.toThrow('none fitted');
  });
});

describe('the control API of the simulated provider', () => {
  const control = async (method: string, name: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(provider.url.replace(/\/api$/, `/_sim/${name}`), {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  };

  test('the control API does over HTTP what the sim object does', async () => {
    await control('POST', 'fault', { kind: 'answer', match: 'GET /orders/', status: 500, times: 1 });
    expect((await call('GET /orders/')).status).toBe(500);
    await control('POST', 'fault', { kind: 'drop' });
    await control('DELETE', 'faults');
    await control('POST', 'power', { order: '34-12345', state: 'off' });
    expect((await call('GET /vps/34-12345/status/')).body.status).toBe('off');
    await control('POST', 'order', { order: '34-12345', status: 'blocked', expiration_date: '2031-01-01T00:00:00Z' });
    expect((await call('GET /orders/34-12345/')).body).toMatchObject({
      status: 'blocked',
      expiration_date: '2031-01-01T02:00:00',
    });
    await control('POST', 'balance', { balance: 3, unpaid: [10, 2.5] });
    expect((await call('GET /account/invoices')).body.unpaid_invoices_amount).toBe(12.5);
    await control('POST', 'jobs', { min: 5000, max: 5000 });
    const { pk } = (await call('POST /vps/34-12399/stop/')).body;
    await control('POST', 'advance', { ms: 5000 });
    expect((await call(`GET /vps/34-12399/log_details/${pk}/`)).body.job_state).toBe('done');
    const added = await control('POST', 'records', { domain: 'example.org', add: [{ type: 'TXT', value: 'by hand' }] });
    expect(added.body).toMatchObject([{ host: '', value: 'by hand' }]);
    expect((await control('GET', 'requests')).body).toHaveLength(6);
    await control('DELETE', 'requests');
    expect((await control('GET', 'requests')).body).toHaveLength(0);
    expect((await control('GET', 'state')).body).toMatchObject({ version: 2, account: { balance: 3 } });
    await control('POST', 'reset', { seed: 'empty' });
    expect((await call('GET /orders/')).body.count).toBe(0);
  });

  test('the control API reports errors, and refuses pages of a browser', async () => {
    expect(await control('POST', 'power', { order: '34-1', state: 'off' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no order 34-1') },
    });
    expect((await control('POST', 'advance', { ms: 'soon' })).body).toEqual({ error: expect.stringContaining('ms') });
    expect((await control('GET', 'nothing')).body).toEqual({ error: expect.stringContaining('POST advance') });
    expect((await control('POST', 'reset', {}, { origin: 'http://elsewhere.example' })).status).toBe(403);
  });

  test.each([
    ['GET state', 'another Host', { host: 'rebound.example:80' }, 'the Host must be'],
    ['GET requests', 'a page of another site', { 'sec-fetch-site': 'cross-site' }, 'it does not answer browsers'],
    ['GET state', 'a page of this machine', { origin: 'http://127.0.0.1' }, 'it does not answer browsers'],
    ['POST reset', 'a form', { 'content-type': 'text/plain' }, 'it takes application/json only'],
    ['DELETE requests', 'no Host of ours', { host: 'localhost:1' }, 'the Host must be'],
  ])('the control request %s from %s is refused', async (route, _, headers: Record<string, string>, why) => {
    const [method = '', name = ''] = route.split(' ');
    const before = provider.snapshot();
    const answer = await rawRequest(provider.port, {
      method,
      path: `/_sim/${name}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: method === 'POST' ? '{"seed":"empty"}' : '',
    });
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining(why) });
    expect(provider.snapshot()).toEqual(before);
  });
});

test('a listener gets every change of a job, an order or a request when it happens', async () => {
  const seen: string[] = [];
  const stop = provider.sim.onChange(({ what, id }) => seen.push(`${what} ${id ?? ''}`.trim()));
  await call('POST /vps/34-12422/start/');
  provider.sim.advance(50);
  stop();
  await call('GET /account/balance');
  expect(seen).toContain('job 812');
  expect(seen).toContain('order 34-12422');
  expect(
    seen.filter((one) => one.startsWith('request')),
    'it began, and it ended',
  ).toHaveLength(2);
});

test('a snapshot continues where it ended: a running job ends after the restart', async () => {
  provider.sim.jobs({ ms: 60_000 });
  await call('POST /vps/34-12345/stop/');
  provider.sim.advance(30_000);
  const state = JSON.parse(JSON.stringify(provider.snapshot()));
  const second = await startProvider({ state });
  const callSecond = createCaller(second);
  expect((await callSecond('GET /vps/34-12345/status/')).body.status).toBe('on');
  expect((await callSecond('POST /vps/34-12345/start/')).status).toBe(409);
  second.sim.advance(30_000);
  expect((await callSecond('GET /vps/34-12345/status/')).body.status).toBe('off');
  expect((await callSecond('GET /dns/domain/example.com/zone_file/')).text).toContain('www\t300\tIN\tA\t192.0.2.10');
  await second.close();
});

test('a seed of ten thousand servers is the same every time, and its time can pass', async () => {
  const big = await startProvider({ seed: { orders: 10_000 } });
  const callBig = createCaller(big);
  const last = (await callBig('GET /orders/vps/?page_size=100&page=100')).body;
  expect(last.count).toBe(10_000);
  expect(last.results.at(-1)).toMatchObject({ id: '34-20000', name: 'worker-1667' });
  const addresses = new Set(big.snapshot().orders.flatMap(({ addresses }) => addresses ?? []));
  expect(addresses.size).toBe(10_000);
  big.sim.advance(90 * 86_400_000);
  expect(new Set(big.snapshot().orders.map(({ status }) => status))).toContain('canceled');
  await big.close();
});

/** fetch sets Host and Sec-Fetch-Site itself; a browser or a rebound name sends others. */
function rawRequest(
  port: number,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
