import { expect, test } from 'vitest';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { createCaller, eachProvider } from './caller.ts';

const { provider, call } = eachProvider({ jobMs: 50 });

test('the request log shows past requests, and can wait for future ones', async () => {
  const waiting = provider().sim.waitForRequest(({ route }) => route === 'PATCH /orders/{order_id}/');
  await call('GET /orders/?page=1');
  await call('PATCH /orders/34-12345/', { name: 'x' });
  const path = '/api/orders/34-12345/';
  expect(await waiting).toMatchObject({ method: 'PATCH', path, body: { name: 'x' }, status: 200 });
  const past = provider().sim.requests();
  expect(past.map((request) => request.path)).toEqual(['/api/orders/?page=1', path]);
  await expect(provider().sim.waitForRequest(({ status }) => status === 500, 20)).rejects.toThrow('none fitted');
});

test('a listener gets every change of a job, an order or a request when it happens', async () => {
  const seen: string[] = [];
  const stop = provider().sim.onChange(({ what, id }) => seen.push(`${what} ${id ?? ''}`.trim()));
  await call('POST /vps/34-12422/start/');
  provider().sim.advance(50);
  stop();
  await call('GET /account/balance');
  expect(seen).toContain('job 812');
  expect(seen).toContain('order 34-12422');
  // It began, and it ended.
  expect(seen.filter((one) => one.startsWith('request'))).toHaveLength(2);
});

test('a snapshot continues where it ended: a running job ends after the restart', async () => {
  provider().sim.jobs({ ms: 60_000 });
  await call('POST /vps/34-12345/stop/');
  provider().sim.advance(30_000);
  const state = JSON.parse(JSON.stringify(provider().snapshot()));
  const second = await startProvider({ state });
  const callSecond = createCaller(second);
  expect((await callSecond('GET /vps/34-12345/status/')).body.status).toBe('on');
  expect((await callSecond('POST /vps/34-12345/start/')).status).toBe(409);
  second.sim.advance(30_000);
  expect((await callSecond('GET /vps/34-12345/status/')).body.status).toBe('off');
  expect((await callSecond('GET /dns/domain/example.com/zone_file/')).text).toContain('www\t300\tIN\tA\t192.0.2.10');
  await second.close();
});

test('a seed of two thousand servers is the same every time, and its time can pass', async () => {
  const big = await startProvider({ seed: { orders: 2_000 } });
  const callBig = createCaller(big);
  const last = (await callBig('GET /orders/vps/?page_size=100&page=20')).body;
  expect(last.count).toBe(2_000);
  expect(last.results.at(-1)).toMatchObject({ id: '34-12000', name: 'db-334' });
  const addresses = new Set(big.snapshot().orders.flatMap(({ addresses }) => addresses ?? []));
  expect(addresses.size).toBe(2_000);
  big.sim.advance(90 * 86_400_000);
  expect(new Set(big.snapshot().orders.map(({ status }) => status))).toContain('canceled');
  await big.close();
});
