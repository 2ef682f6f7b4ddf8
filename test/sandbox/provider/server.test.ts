import { describe, expect, test } from 'vitest';
import { eachProvider } from './caller.ts';

const { provider, call } = eachProvider({ seed: { orders: 25 }, pageSizeMax: 20 });

describe('the HTTP server', () => {
  test.each([
    ['no key', ''],
    ['a wrong key', 'Api-Key 12345678.wrong'],
    ['the key without its prefix', 'bare'],
  ])('a request with %s is 401', async (_name, authorization) => {
    const answer = await call('GET /account/balance', undefined, {
      authorization: authorization === 'bare' ? provider().key : authorization,
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Authentication credentials were not provided.' });
  });

  test.each([
    ['GET /orders', '/api/orders/'],
    ['POST /vps/34-10001/restart', '/api/vps/34-10001/restart/'],
    ['PATCH /orders/34-10001', '/api/orders/34-10001/'],
    ['DELETE /dns/domain/example.com', '/api/dns/domain/example.com/'],
    ['GET /account/balance/', '/api/account/balance'],
    ['GET /orders/vps?page=2', '/api/orders/vps/?page=2'],
  ] as const)('the request %s is redirected to the exact path and does nothing', async (route, location) => {
    const answer = await call(route);
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe(location);
    expect(answer.text).toBe('');
    expect(provider().snapshot().jobs).toHaveLength(0);
  });

  test('an unknown route is answered in HTML, and a missing item in JSON', async () => {
    const unknown = await call('GET /no/such/thing/');
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('content-type')).toContain('text/html');
    expect(unknown.text).toContain('<h1>Not Found</h1>');
    for (const [route, detail] of [
      ['GET /orders/34-99999/', 'No Order matches the given query.'],
      ['GET /project/abc/', 'Not found.'],
      ['GET /dns/domain/none.example/entry_set/', 'No Domain matches the given query.'],
    ] as const)
      expect(await call(route)).toMatchObject({ status: 404, body: { detail } });
  });

  test('an unknown method of a path is 405', async () => {
    const answer = await call('PATCH /orders/vps/', {});
    expect(answer).toMatchObject({ status: 405, body: { detail: 'Method "PATCH" not allowed.' } });
    expect(answer.headers.get('allow')).toBe('GET, POST, OPTIONS');
  });

  test('an endpoint that support has not enabled is 403, and the others work', async () => {
    provider().sim.features({ createVps: false, createDomain: false });
    const refusal = { status: 403, body: { detail: 'You do not have permission to perform this action.' } };
    for (const route of ['POST /orders/vps/', 'POST /dns/domain/'] as const)
      expect(await call(route)).toMatchObject(refusal);
    for (const name of ['templates', 'apps', 'snapshots', 'services'])
      expect(await call(`GET /orders/vps/${name}/`)).toMatchObject(refusal);
    for (const name of ['locations', 'disks']) expect((await call(`GET /orders/vps/${name}/`)).status).toBe(200);
  });
});

describe('the bodies of requests', () => {
  test('wrong fields are refused with the messages of the framework', async () => {
    expect((await call('POST /project/', {})).body).toEqual({ name: ['This field is required.'] });
    expect((await call('POST /project/', { name: ' ' })).body).toEqual({ name: ['This field may not be blank.'] });
    expect((await call('POST /project/', { name: null })).body).toEqual({ name: ['This field may not be null.'] });
    expect((await call('POST /project/', { name: 'x'.repeat(41), comment: true })).body).toEqual({
      name: ['Ensure this field has no more than 40 characters.'],
      comment: ['Not a valid string.'],
    });
    expect((await call('POST /project/', ['x'])).body).toEqual({
      non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
    });
    const order = 'PATCH /orders/34-10001/' as const;
    expect((await call(order, { tags: 'web' })).body).toEqual({
      tags: ['Expected a list of items but got type "str".'],
    });
    expect((await call(order, { tags: ['ok', ''] })).body).toEqual({ tags: { 1: ['This field may not be blank.'] } });
    expect((await call(order, { project: 9 })).body).toEqual({ project: ['Invalid pk "9" - object does not exist.'] });
    expect((await call('POST /orders/34-10001/cancel/', { when: 'later' })).body).toEqual({
      when: ['"later" is not a valid choice.'],
    });
  });

  test('broken JSON is 400, and another media type is 415', async () => {
    const broken = await call('POST /project/', '{"name": ');
    expect(broken.status).toBe(400);
    expect(broken.body.detail).toMatch(/^JSON parse error - /);
    const plain = { authorization: `Api-Key ${provider().key}`, 'content-type': 'text/plain' };
    expect(await call('POST /project/', 'name=x', plain)).toMatchObject({
      status: 415,
      body: { detail: 'Unsupported media type "text/plain" in request.' },
    });
  });

  test('a missing item is reported before the body is read', async () => {
    expect((await call('PATCH /project/999/', '{')).status).toBe(404);
  });
});

describe('the pages of lists', () => {
  test('pages follow each other by absolute links and have every order once', async () => {
    const ids: string[] = [];
    let next: string | null = `${provider().url}/orders/vps/?page_size=10&ordering=-id`;
    while (next) {
      const answer = await call(`GET ${next.slice(provider().url.length) as `/${string}`}`);
      expect(answer.body.count).toBe(25);
      ids.push(...answer.body.results.map(({ id }) => id));
      next = answer.body.next;
    }
    expect(ids).toHaveLength(25);
    expect(ids[0]).toBe('34-10025');
    expect(new Set(ids).size).toBe(25);
    const second = (await call('GET /orders/?page=2&page_size=10')).body;
    expect(second.next).toBe(`${provider().url}/orders/?page=3&page_size=10`);
    expect(second.previous).toBe(`${provider().url}/orders/?page_size=10`);
  });

  test('a bad page_size is ten, a large one is the maximum, and a page past the end is 404', async () => {
    expect((await call('GET /orders/?page_size=many')).body.results).toHaveLength(10);
    expect((await call('GET /orders/?page_size=0')).body.results).toHaveLength(10);
    expect((await call('GET /orders/?page_size=5000')).body.results).toHaveLength(20);
    for (const page of ['4', '0', '-1', 'x']) {
      expect(await call(`GET /orders/?page=${page}`)).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } });
    }
    expect((await call('GET /project/?page=1')).body).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  test('orders can be ordered by expiry', async () => {
    const dates = (await call('GET /orders/?ordering=expired&page_size=20')).body.results.map(
      (order) => order.expiration_date,
    );
    expect(dates).toEqual(dates.toSorted());
  });
});
