import { expect, test } from 'vitest';
import { hadNoEffect } from '../../src/core/view/errors.ts';
import { errorOf, openAt, powerOn, server34 } from './open.ts';
import { cutOff, json, oneByOne, raw } from './server.ts';

// Tests the meaning of a response: its status, its form and its words.

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
  const { server, provider } = await openAt(json(status, { detail: 'No.' }, { location: '/elsewhere/' }));
  const error = await errorOf(provider.vps.restart(server34));
  expect(error).toMatchObject({ kind, status });
  expect(hadNoEffect(error)).toBe(noEffect);
  expect(server.received).toHaveLength(1);
});

test('a write with a 503 of the proxy has an unknown result and quotes the proxy', async () => {
  const words = 'upstream connect error or disconnect/reset before headers';
  const { provider } = await openAt(raw(503, 'text/plain', words));
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost', words });
});

test('a web page with status 200 does not count as a response, also where no body is expected', async () => {
  const { provider } = await openAt(raw(200, 'text/html; charset=utf-8', '<!doctype html><title>Panel</title>'));
  expect(await errorOf(provider.dns.zoneFile({ name: 'example.com' }))).toMatchObject({ kind: 'shape' });
  expect(await errorOf(provider.projects.delete({ id: 1 }))).toMatchObject({ kind: 'lost', status: 200 });
});

test.each([200, 204])('a %i without a body is a success, also with the content type of a web page', async (status) => {
  const { server, provider } = await openAt(raw(status, 'text/html; charset=utf-8', ''));
  await provider.projects.addOrders({ id: 1, orders: ['34-1'] });
  await provider.dns.deleteEntry({ name: 'example.com', id: 1 });
  expect(server.received).toHaveLength(2);
});

test('an empty response is an error where something is expected', async () => {
  const { provider } = await openAt(raw(200, 'text/html; charset=utf-8', ''));
  const words = 'the answer is empty';
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'shape', words });
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost', words });
});

test.each([0, 1])('a response that is %i bytes longer than the maximum is read only without any', async (over) => {
  const text = JSON.stringify({ status: 'on' });
  const { server, provider } = await openAt(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      // In two pieces, of which the second is counted from the end of the first.
      response.write(text.slice(0, 5), () => setImmediate(() => response.end(text.slice(5))));
    },
    { maxBodyBytes: text.length - over },
  );
  const words = `the answer is longer than ${text.length - 1} bytes`;
  if (over === 0) return expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
  expect(await errorOf(provider.vps.status(server34))).toMatchObject({ kind: 'shape', words });
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ kind: 'lost', words });
  expect(server.received).toHaveLength(2);
});

test('an error keeps its status when its body is endless or breaks off', async () => {
  const endless = raw(404, 'text/html', `<title>Not Found</title>${'x'.repeat(5000)}`);
  const { provider } = await openAt(oneByOne(endless, cutOff(403, '{"detail":')), { maxBodyBytes: 1000 });
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'not_found', words: 'Not Found' });
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'forbidden', status: 403 });
});

test('a success that is no JSON is a wrong shape for a read and lost for a write, and its text is not in the error', async () => {
  const { provider } = await openAt(raw(200, 'application/json', 'passwd=hunter2-secret'));
  expect(await errorOf(provider.account.info())).toMatchObject({ kind: 'shape', words: 'the answer is not JSON' });
  const error = await errorOf(provider.vps.passwdReset(server34));
  expect(error.kind).toBe('lost');
  expect(`${error.stack} ${String(error.cause)}`).not.toContain('hunter2');
});

test('a response of the wrong shape is an error that names the endpoint and the field, without the value', async () => {
  const empty = { count: 0, next: null, previous: null, results: [] };
  const { provider } = await openAt(
    oneByOne(json(200, { ...empty, results: 'hunter2' }), json(200, { passwd: ['hunter2'], resp_id: 'hunter2' })),
  );
  const list = await errorOf(provider.orders.list());
  expect(list).toMatchObject({ kind: 'shape', endpoint: 'GET /orders/' });
  expect(list.message).toMatch(/results: /);
  const reset = await errorOf(provider.vps.passwdReset(server34));
  expect(reset.message).toMatch(/passwd: .*resp_id: /);
  for (const error of [list, reset]) expect(`${error.stack} ${error.cause}`).not.toContain('hunter2');
});

const page = '<!doctype html><html><head><title>Not &amp; Found\n</title></head><body>x</body></html>';
const proxyPage = '<html><style>b{}</style><body><h1>Bad\n Gateway</h1><hr>nginx</body></html>';
const panel = 'https://panel.example.com/vps/';
const fields = { name: ['This field is required.', 'Too short.'], tags: { 0: ['Bad.'] } };

test.each([
  [400, json(400, fields), 'name: This field is required.; name: Too short.; tags.0: Bad.'],
  [400, json(400, { non_field_errors: ['Insufficient funds.'] }), 'Insufficient funds.'],
  [400, json(400, ['Server is locked.', 'Try later.']), 'Server is locked.; Try later.'],
  [400, json(400, { configuration: { ram_size: ['"3" is no choice.'] } }), 'configuration.ram_size: "3" is no choice.'],
  [400, json(400, 'Only words.'), 'Only words.'],
  [404, json(404, { detail: 'No Domain matches the given query.' }), 'No Domain matches the given query.'],
  [404, raw(404, 'text/html', page), 'Not & Found'],
  [502, raw(502, 'text/html', proxyPage), 'Bad Gateway nginx'],
  [409, raw(409, 'text/plain', 'busy \u0007\n now'), 'busy now'],
  [409, json(409, { detail: 'x'.repeat(10_000) }), expect.stringMatching(/^.{500}$/)],
  [301, raw(301, 'text/html', '', { location: panel }), `redirected to ${panel}: the path or HOST_API_URL is wrong`],
  [418, raw(418, 'text/plain', ''), ''],
])('an error with status %i quotes the provider (%#)', async (status, answer, words) => {
  const { provider } = await openAt(answer);
  expect(await errorOf(provider.vps.restart(server34))).toMatchObject({ status, words });
});

test('validation messages are returned by field', async () => {
  const { provider } = await openAt(json(400, { ttl: ['"60" is not a valid choice.'], non_field_errors: ['No.'] }));
  const error = await errorOf(provider.projects.create({ name: 'a' }));
  expect(error).toMatchObject({ kind: 'invalid', fields: { ttl: ['"60" is not a valid choice.'] } });
  expect(error.fields).not.toHaveProperty('non_field_errors');
});

test('an interim response does not count as the response', async () => {
  const { provider } = await openAt((request, response) => {
    response.writeProcessing();
    powerOn(request, response);
  });
  expect(await provider.vps.status(server34)).toEqual({ status: 'on' });
});
