import { expect, test } from 'vitest';
import { eachProvider } from './caller.ts';

const { provider, call } = eachProvider({ jobMs: 50 });

test('the fault "answer" responds as given until it is cleared', async () => {
  provider().sim.fault({ kind: 'answer', match: 'GET /orders/', status: 503, body: '<h1>Sorry</h1>' });
  for (const _ of [1, 2, 3]) expect(await call('GET /orders/')).toMatchObject({ status: 503, text: '<h1>Sorry</h1>' });
  expect((await call('GET /orders/vps/')).status).toBe(200);
  provider().sim.clearFaults();
  expect((await call('GET /orders/')).status).toBe(200);
});

test('the fault "throttle" responds 429 with the time to wait', async () => {
  provider().sim.fault({ kind: 'throttle', times: 2, retryAfterSec: 7 });
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
  provider().sim.fault({ kind: 'malformed', times: 1 });
  expect((await call('GET /account/balance')).text).toBe('{"balance":84.2,');
  provider().sim.fault({ kind: 'shape', times: 1 });
  expect((await call('GET /account/balance')).body).toEqual({ version: 2, data: { balance: 84.2, currency: 'EUR' } });
  provider().sim.fault({ kind: 'shape', times: 1, body: [] });
  expect((await call('GET /account/balance')).body).toEqual([]);
});

test('the fault "delay" works together with another fault', async () => {
  provider().sim.fault({ kind: 'delay', ms: 60, times: 1 });
  provider().sim.fault({ kind: 'answer', status: 502, times: 1 });
  const begun = performance.now();
  expect((await call('GET /account/balance')).status).toBe(502);
  expect(performance.now() - begun).toBeGreaterThan(50);
});

test('a fault for an unknown operation is refused', () => {
  expect(() => provider().sim.fault({ kind: 'drop', match: 'POST /vps/{id}/restart/' })).toThrow('no operation');
});
