import { expect, test } from 'vitest';
import { ask } from '../page-server/open.ts';
import { eachProvider } from './caller.ts';

const { provider, call } = eachProvider({ jobMs: 50 });

const control = async (method: string, name: string, body?: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(provider().url.replace(/\/api$/, `/_sim/${name}`), {
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
  ['GET state', 'a page of this machine', { origin: 'http://127.0.0.1' }, 'it does not answer browsers'],
  ['DELETE requests', 'no Host of ours', { host: 'localhost:1' }, 'the Host must be'],
])('the control request %s from %s is refused', async (route, _, headers, why) => {
  const [method, name] = route.split(' ');
  const before = provider().snapshot();
  // fetch sets Host and Sec-Fetch-Site itself.
  const url = `http://127.0.0.1:${provider().port}`;
  const { status, body } = await ask(url, `/_sim/${name}`, headers, undefined, method);
  expect(status).toBe(403);
  expect(body).toContain(why);
  expect(provider().snapshot()).toEqual(before);
});
