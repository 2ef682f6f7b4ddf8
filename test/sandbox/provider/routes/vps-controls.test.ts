import { expect, test } from 'vitest';
import { eachProvider } from '../caller.ts';

const { provider, call } = eachProvider();

const statusOf = async (id: string) => (await call(`GET /vps/${id}/status/`)).body.status;

test('a server that restarts is on, off and on again, and its job is ready, then done', async () => {
  provider().sim.jobs({ ms: 10_000 });
  const job = (await call('POST /vps/34-12345/restart/')).body;
  expect(job).toMatchObject({ pk: 812, job_state: 'ready', completed: false, user: 'ops@example.com' });
  expect(job.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(await statusOf('34-12345')).toBe('on');
  provider().sim.advance(5000);
  expect(await statusOf('34-12345')).toBe('off');
  expect((await call('GET /vps/34-12345/log_details/812/')).body.job_state).toBe('ready');
  provider().sim.advance(5000);
  expect(await statusOf('34-12345')).toBe('on');
  expect((await call('GET /vps/34-12345/log_details/812/')).body).toMatchObject({ job_state: 'done', completed: true });
});

test('a second action while a job runs is 409, on that server only, where the job is found', async () => {
  expect((await call('POST /vps/34-12345/stop/')).body.pk).toBe(812);
  expect((await call('GET /vps/34-12399/log_details/812/')).status).toBe(404);
  expect(await call('POST /vps/34-12345/restart/')).toMatchObject({
    status: 409,
    body: { detail: 'Another operation is in progress.' },
  });
  expect((await call('POST /vps/34-12399/restart/')).body.pk).toBe(813);
  provider().sim.advance(60_000);
  expect((await call('POST /vps/34-12345/start/')).body.pk).toBe(814);
});

test('a job that ends in error leaves the server unchanged, and a job that hangs blocks it until it is ended', async () => {
  provider().sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', times: 1, end: 'error' });
  await call('POST /vps/34-12345/restart/');
  provider().sim.advance(60_000);
  expect((await call('GET /vps/34-12345/log_details/812/')).body).toMatchObject({
    job_state: 'error',
    completed: true,
    note: 'The hypervisor did not answer in time.',
  });
  expect(await statusOf('34-12345')).toBe('on');

  provider().sim.fault({ kind: 'nextJob', times: 1, end: 'hang' });
  await call('GET /account/balance');
  const hanging = (await call('POST /vps/34-12345/stop/')).body.pk;
  provider().sim.advance(3_600_000);
  expect((await call(`GET /vps/34-12345/log_details/${hanging}/`)).body.job_state).toBe('ready');
  expect((await call('POST /vps/34-12345/stop/')).status).toBe(409);
  provider().sim.job({ pk: hanging, state: 'done' });
  expect(await statusOf('34-12345')).toBe('off');
});

test('a dedicated server and a blocked order refuse actions', async () => {
  expect((await call('POST /vps/34-1000101/restart/')).status).toBe(404);
  provider().sim.order({ order: '34-12345', status: 'blocked' });
  expect(await statusOf('34-12345')).toBe('off');
  expect(await call('POST /vps/34-12345/start/')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('blocked') },
  });
});

test('a new password is returned with the id of its job', async () => {
  const { passwd, resp_id } = (await call('POST /vps/34-12345/passwd_reset/')).body;
  expect(passwd).toMatch(/^\w{14}$/);
  expect((await call(`GET /vps/34-12345/log_details/${resp_id}/`)).body.job_action).toBe('passwd_reset');
});

test('a reinstall takes exactly one image, and the power is unknown until it is done', async () => {
  const path = 'POST /vps/34-12345/reinstall/reinstall/' as const;
  const wrong = { non_field_errors: ['Specify exactly one of template, app or snapshot.'] };
  expect(await call(path, {})).toMatchObject({ status: 400, body: wrong });
  expect(await call(path, { template: 4, app: 1 })).toMatchObject({ status: 400, body: wrong });
  expect((await call(path, { template: 8 })).body).toEqual({
    template: ['This template does not fit the server configuration.'],
  });
  const answer = (await call(path, { template: 4, app: null, snapshot: null })).body;
  expect(answer).toMatchObject({ display_name: 'Ubuntu 24.04', status: 'ready' });
  expect(answer.date).toMatch(/\+02:00$/);
  expect(await statusOf('34-12345')).toBe('unknown');
  provider().sim.advance(60_000);
  expect(await statusOf('34-12345')).toBe('on');
  const { orders } = provider().snapshot();
  expect(orders.find(({ id }) => id === '34-12345')?.vps?.os).toBe('Ubuntu 24.04');
  const fitting = (await call('GET /vps/34-12345/reinstall/templates/?page_size=50')).body.results;
  expect(fitting.map(({ id }) => Number(id))).not.toContain(8);
});

test('statistics are a daily curve with gaps, two series for traffic, and nothing while the server is off', async () => {
  const day = (await call('GET /vps/34-12345/stats/cpu/?start=-24h')).body;
  const again = (await call('GET /vps/34-12345/stats/cpu/?start=-24h')).body;
  const points = day.series[0]?.data ?? [];
  expect(points.length).toBeGreaterThan(200);
  expect(points.some((point) => point[1] === null)).toBe(true);
  expect(points.every((point) => Number(point[0]) % 1000 === 0)).toBe(true);
  const known = new Map((again.series[0]?.data ?? []).map((point) => [Number(point[0]), point[1]]));
  expect(points.slice(5).every((point) => known.get(Number(point[0])) === point[1])).toBe(true);
  const traffic = (await call('GET /vps/34-12345/stats/traffic/?start=-7d&end=now')).body;
  expect(traffic.series.map(({ name }) => name)).toEqual(['Incoming', 'Outgoing']);
  const off = (await call('GET /vps/34-12422/stats/cpu/')).body;
  expect(off.series[0]?.data.every((point) => point[1] === null)).toBe(true);

  expect((await call('GET /vps/34-12345/stats/cpu/?start=2024-02-01&end=2024-02-03')).status).toBe(200);
  for (const bad of ['start=yesterday', 'start=-5x', 'end=2024-02-31', 'start=now&end=-1h']) {
    expect((await call(`GET /vps/34-12345/stats/cpu/?${bad}`)).status, bad).toBe(400);
  }
  expect((await call('GET /vps/34-12345/stats/temperature/')).status).toBe(404);
});
