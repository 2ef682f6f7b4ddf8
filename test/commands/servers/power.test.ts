import { expect } from 'vitest';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf(
  'start',
  'stop',
  'restart',
  'hard-reset',
  'rescue',
  'password',
  'reinstall',
  'net',
);

test('stop shows which records lead to the server, stops it, and can be undone', async ({ runner }) => {
  const planned = await runner.planOf('stop web-1');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Stop web-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      Effect: The server shuts down and stays off until it is started. You continue to be billed.
      Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A.
      Paid until: ‹day› (19 days)"
  `);
  const ran = await runner.run(planned);
  expect(ran).toMatchObject({
    end: 'done',
    ending: { text: 'web-1 stopped', undo: 'start 34-12345' },
    note: 'the power is off',
  });
  expect(runner.writes()).toEqual([{ request: 'POST /vps/34-12345/stop/', body: null }]);
  expect((await runner.runCommand(ran.ending?.undo ?? '')).ending?.text).toBe('web-1 started');
});

test('of several servers only those that need it are started, and the others are named', async ({ runner }) => {
  const planned = await runner.planOf('start staging-1 web-1 wiki-1 parallel=2');
  expect(planText(planned.plan)).toContain('Left out: web-1: already on\n  Status: wiki-1 not renewed');
  expect(planned.plan.parallel).toBe(2);
  // A series on the same servers stays the same request, whichever of them are on.
  expect(planned.plan.targets.map((target) => target.name)).toEqual(['staging-1', 'web-1', 'wiki-1']);
  expect((await runner.run(planned)).ending).toEqual({ text: 'staging-1 and wiki-1 started' });
  const sent = runner.writes().map(({ request }) => request);
  expect(sent).toEqual(['POST /vps/34-12422/start/', 'POST /vps/34-12318/start/']);
});

test('an action on a server of a canceled order is refused; the card of a blocked one says so', async ({ runner }) => {
  runner.sim.order({ order: '34-12360', status: 'canceled' });
  const lines = ['restart', 'start', 'stop', 'hard-reset', 'password', 'rescue on', 'net connect', 'net disconnect'];
  for (const line of [...lines.map((words) => `${words} mail-1`), 'reinstall mail-1 template="Debian 13"'])
    await expect(runner.planOf(line)).rejects.toThrow('The order of mail-1 is canceled, so there is no server.');
  runner.sim.order({ order: '34-12345', status: 'blocked' });
  expect((await runner.planOf('start web-1')).plan.details).toContainEqual(['Status', 'blocked']);
});

test('a power status that cannot be read counts as unknown, not as off or on', async ({ runner }) => {
  runner.sim.fault(answer('GET /vps/{order_id}/status/', 500, 'down'));
  for (const verb of ['start', 'stop', 'restart']) {
    const { plan } = await runner.planOf(`${verb} web-1`);
    expect(plan.facts).toMatchObject({ 'power of web-1': 'unknown' });
    expect(plan.steps).toHaveLength(1);
    expect(plan.nothingToDo).toBeUndefined();
  }
});

test('hard-reset warns of data loss and names restart as the gentler way', async ({ runner }) => {
  const planned = await runner.planOf('hard-reset web-1');
  expect(planned.command.risk).toBe('dangerous');
  expect(planned.plan.effect).toContain('Anything not yet saved to disk is lost, and the disk may need a check.');
  expect(planText(planned.plan)).toContain('Gentler: restart web-1 shuts down first.');
  expect(await runner.run(planned)).toMatchObject({ end: 'done', ending: { text: 'web-1 was reset' } });
  expect(runner.writes()).toEqual([{ request: 'POST /vps/34-12345/hard_reset/', body: null }]);
  expect((await runner.ask('hard-reset web-1 web-2')).kind).toBe('refused');
});

test('rescue mode can be turned on and off', async ({ runner }) => {
  const planned = await runner.planOf('rescue ON web-1');
  expect(planned.plan.effect).toContain('The server shuts down and boots a rescue system instead of its own.');
  expect(planned.plan.details).toContainEqual(['Now', 'The API does not show whether it is in rescue mode already.']);
  const { ending } = await runner.run(planned);
  expect(ending).toEqual({ text: 'web-1 is in rescue mode', undo: 'rescue off 34-12345' });
  expect((await runner.runCommand('rescue off web-1')).ending?.text).toBe('web-1 left rescue mode');
  const sent = runner.writes().map(({ request }) => request);
  expect(sent).toEqual(['POST /vps/34-12345/rescue_mode/', 'POST /vps/34-12345/stop_rescue_mode/']);
  expect((await runner.refusalOf('rescue maybe web-1')).message).toBe('`maybe` is not one of on, off.');
});

test('restart of a server that is off says that it starts, not that it goes down', async ({ runner }) => {
  const { plan } = await runner.planOf('restart web-1 staging-1');
  expect(planText(plan)).toMatchInlineSnapshot(`
    "Restart web-1 and staging-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      staging-1 · 34-12422 · 203.0.113.140 · Cloud NVMe 1 · 🔴 off
      Effect: The servers shut down and start again, one after another, stopping at the first that does not come back.
      Only started: staging-1: off now
      Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A."
  `);
  runner.sim.power({ order: '34-12345', state: 'off' });
  for (const [line, effect] of [
    ['restart web-1', 'The server is off, so it only starts. It takes up to a minute until it answers.'],
    ['hard-reset web-1', 'The server is off, so it only boots. It takes up to a minute until it answers.'],
    ['rescue on web-1', 'It boots a rescue system instead of its own, and its disk stays as it is.'],
    ['rescue off web-1', 'The server is off. It boots from its own disk, which takes up to a minute.'],
    ['restart web-1 staging-1', 'The servers are off, so they only start, one after another, stopping at the first'],
  ] as const) {
    const { plan } = await runner.planOf(line);
    expect(plan.effect, line).toContain(effect);
    expect(plan.details.map(([label]) => label)).not.toContain('Affected');
  }
  expect(planText((await runner.planOf('hard-reset web-1')).plan)).toContain(
    'Gentler: It is off: start web-1 starts it.',
  );
});

test('an action that the API does not have for dedicated servers is refused, with a button for the server’s card', async () => {
  const runner = await openRunner();
  for (const line of ['start', 'stop', 'restart', 'restart web-1', 'hard-reset', 'rescue on', 'password']) {
    const refusal = await runner.refusalOf(`${line} files-1`);
    expect(`${refusal.message} ${refusal.hint}`.trim(), line).toBe(
      'files-1 is a dedicated server. The provider’s API cannot do this with one: do it in the provider’s own panel.',
    );
    expect(refusal.suggestions, line).toEqual([{ label: 'Show files-1', command: 'status 34-1000101' }]);
  }
});

const resetRoute = 'POST /vps/{order_id}/passwd_reset/';

const passwordOf = (runner: Awaited<ReturnType<typeof openRunner>>) =>
  runner.sim.state().orders.find((order) => order.id === '34-12345')?.vps?.password ?? 'none';

test('the new password is the secret of the receipt, and nowhere else', async ({ runner }) => {
  const planned = await runner.planOf('password web-1');
  expect(planned.command).toMatchObject({ capability: 'secrets', risk: 'dangerous' });
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Reset the root password of web-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      Effect: The provider replaces the root password by a new one. The old one no longer works.
      Shown: Once, in a direct message, only to the person who asks. It is stored nowhere."
  `);
  const before = passwordOf(runner);
  const { secrets, ...ran } = await runner.run(planned);
  const now = passwordOf(runner);
  expect(now).not.toBe(before);
  expect(secrets).toEqual([{ title: 'The new root password of web-1', value: now }]);
  expect(ran).toMatchObject({
    end: 'done',
    ending: { text: 'root password of web-1 replaced' },
    note: "the provider's job is done",
    steps: [{ receipt: { text: 'job 812', data: { jobId: 812 } } }],
  });
  expect(JSON.stringify([ran, planned.plan])).not.toContain(now);
  expect(runner.writes()).toEqual([{ request: 'POST /vps/34-12345/passwd_reset/', body: null }]);
});

test('a response of another shape is not quoted', async ({ runner }) => {
  runner.sim.fault({ kind: 'shape', match: resetRoute, times: 1, body: { passwd: ['CANARY-PASSWORD'], resp_id: 'x' } });
  const ran = await runner.runCommand('password web-1');
  expect(ran.end).toBe('unknown');
  expect(JSON.stringify([ran, String(ran.error), ran.error?.stack])).not.toContain('CANARY');
});
