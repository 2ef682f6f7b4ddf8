import { expect } from 'vitest';
import { create } from '../../../src/commands/servers/create.ts';
import { pressAndSettle, sayAndSettle } from '../../engine/told.ts';
import { openCommandRunner } from '../../support/bot/run-command.ts';
import { test as base } from '../../support/bot/test-bot.ts';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';

const commands = [create];
const route = 'POST /orders/vps/';
const web4 = 'create name=web-4 plan="Cloud NVMe 2" template="Debian 13" location=de';

const test = base.extend('runner', () => openCommandRunner({ commands }));

test('create with a plan shows the price and the balance after it, orders with one write, and verifies the order', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf(web4);
  expect(planned.command).toMatchObject({ capability: 'spend', risk: 'dangerous' });
  expect(planned.plan.targets.map((target) => target.kind)).toEqual(['account']);
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Create web-4
      web-4 · Cloud NVMe 2 · Germany · Debian 13
      Effect: A server is ordered and paid from the balance, € 5.50 for 1 month. It renews for the same term until it is ended.
      Price: € 5.50 a month
      Pay now: € 5.50 for 1 month
      Balance: It covers this.
      Hardware: Cloud NVMe 2: 2 cores, 4 GB memory, 40 GB disk
      Disk class: NVMe, as the plan has it
      Software: A clean Debian 13
      Place: Germany (de)
      SSH keys: None; not the default keys: Ada laptop"
  `);
  const ran = await runner.run(planned);
  expect(ran).toMatchObject({ end: 'done', ending: { text: 'web-4 created as 34-12500' } });
  expect(ran.note).toBe('order 34-12500 is active, and the power is on, 192.0.2.100');
  expect(ran.steps).toMatchObject([{ receipt: { data: { orderId: '34-12500' } } }]);
  const body = { tariff: 102, template: 2, location: 'de', term: 1, ssh_keys: [], name: 'web-4' };
  expect(runner.writes()).toEqual([{ request: route, body }]);
  expect((await runner.reader.account.balance()).balance).toBe(78.7);
});

test('create with a custom configuration and all options', async ({ runner }) => {
  const planned = await runner.planOf(
    'create cpu=2 ram=4 disk=40 frequency=3.1 app=WordPress location=Netherlands term=3 tags=web,prod disk_class=SSD ' +
      'services=2x2,4 ssh_keys=default,ci --private_network bandwidth=200 placement=strict placement_group=5 project=Website',
  );
  const said = planText(planned.plan);
  for (const line of [
    'Price: Unknown: the API has no price for the configuration, on top of € 4.30 a month: disk class SSD for 40 GB € 0.80, bandwidth 200 mbps € 0.50, 2 × Weekly backup € 3; € 25 once',
    'Pay now: Unknown, at least € 37.90 for 3 months',
    'Balance: It covers the part of the price that is known.',
    'Software: The application WordPress',
    'Network: Connected to the private network.',
    'Placement: group 5, strictly or not at all',
  ])
    expect(said).toContain(line);
  expect(await runner.run(planned)).toMatchObject({ end: 'done', ending: { text: '34-12500 created' } });
  expect(runner.writes()[0]?.body).toEqual({
    ...{ app: 6, location: 'nl', term: 3 },
    configuration: {
      ...{ cpu_count: 2, ram_size: 4, disk_size: 40 },
      ...{ cpu_arch: 'x86_64', min_cpu_freq: '3.1', disk_class: 2 },
    },
    services: [
      { service: 2, count: 2 },
      { service: 4, count: 1 },
    ],
    ...{ ssh_keys: [1, 2], project: 1, bandwidth: 200, private_network: 1, tags: ['web', 'prod'] },
    ...{ placement_policy: 'STRICT', placement_group: 5 },
  });
});

test('with a plan, the disk class is an extra price per GB, and the price is multiplied by the term', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('create plan=102 snapshot=3 location=de term=6 disk_class=nvme');
  expect(planned.plan.details.slice(0, 3)).toEqual([
    ['Price', '€ 6.70 a month: plan Cloud NVMe 2 € 5.50, disk class NVMe for 40 GB € 1.20'],
    ['Pay now', '€ 40.20 for 6 months'],
    ['Balance', 'It covers this.'],
  ]);
  expect(await runner.run(planned)).toMatchObject({ end: 'done' });
  const body = { tariff: 102, snapshot: 3, location: 'de', term: 6, ssh_keys: [], disk_class: 1 };
  expect(runner.writes()[0]?.body).toEqual(body);
  // The provider got exactly what the card said.
  expect((await runner.reader.account.balance()).balance).toBe(44);
});

const rest = 'template=1 location=de';
test('a creation with words that do not fit is refused at its field before anything is sent', async ({ runner }) => {
  for (const [words, field, message] of [
    ['location=de template=1', 'plan', 'Name a plan, or cpu, ram and disk.'],
    [`plan=101 cpu=2 ${rest}`, 'cpu', 'A plan and cpu are given: a server is made of one or the other.'],
    [`plan=101 arch=arm ${rest}`, 'arch', 'A plan and arch are given: a server is made of one or the other.'],
    [`cpu=2 disk=40 ${rest}`, 'ram', 'A configuration needs cpu, ram and disk: ram is missing.'],
    [`cpu=17 ram=4 disk=40 ${rest}`, 'cpu', '`17` does not fit.'],
    [`cpu=2 ram=1 disk=40 ${rest}`, 'ram', '`1` does not fit.'],
    [`cpu=2 ram=4 disk=301 ${rest}`, 'disk', '`301` does not fit.'],
    [`cpu=2 ram=4 disk=40 frequency=5.0 ${rest}`, 'frequency', 'Germany has no x86_64 processor of 5.0 GHz.'],
    [`cpu=2 ram=4 disk=40 arch=arm ${rest}`, 'template', 'Debian 12 is made for x86_64, and the server would be arm.'],
    ['plan=101 location=de', 'template', 'Name exactly one template, app or snapshot to install.'],
    [`plan=101 snapshot=1 ${rest}`, 'snapshot', 'template 1 and snapshot 1 are named: only one can be installed.'],
    ['plan=101 template=1', undefined, 'missing: location'],
    ['plan=101 template=1 location=mars', 'location', 'There is no place mars.'],
    ['plan=nope template=1 location=de', 'plan', 'There is no plan nope.'],
    [`plan=101 ${rest} term=2`, 'term', '`2` is not one of 1, 3, 6, 12.'],
    [`plan=101 ${rest} name=abcdefghijklmnopqrstuvwxyz`, 'name', '`abcdefghijklmnopqrstuvwxyz` does not fit.'],
    [`plan=101 ${rest} name=WEB-1`, 'name', 'There is a server called web-1 already (34-12345).'],
    [`plan=101 ${rest} services=9`, 'services', 'There is no extra service 9.'],
    [`plan=101 ${rest} services=2x0`, 'services', '`2x0` does not fit.'],
    [`plan=101 ${rest} ssh_keys=mine`, 'ssh_keys', 'There is no SSH key mine.'],
    [`plan=101 ${rest} disk_class=tape`, 'disk_class', 'There is no disk class tape.'],
    [`plan=101 ${rest} bandwidth=150`, 'bandwidth', 'A bandwidth of 150 mbps is not sold in Germany.'],
    ['plan=101 template=1 location=es bandwidth=200', 'bandwidth', 'The bandwidth cannot be chosen in Spain.'],
    [`plan=101 ${rest} project=Nope`, 'project', 'There is no project called Nope.'],
    [`plan=101 ${rest} placement=maybe`, 'placement', '`maybe` is not one of OPTIONAL, STRICT.'],
    [`plan=105 ${rest} term=3`, undefined, 'This costs € 120 now, and the balance does not cover it: '],
  ] as const) {
    const refusal = await runner.refusalOf(`create ${words}`);
    expect([refusal.field, refusal.message], words).toEqual([field, expect.stringContaining(message)]);
  }
  expect(await runner.refusalOf(`create cpu=2 ram=4 disk=40 frequency=2.15 ${rest}`)).toMatchObject({
    field: 'frequency',
    message: '`2.15` does not fit.',
    hint: 'It should be a number of GHz with at most one decimal, such as 3.1.',
  });
  expect(runner.writes()).toEqual([]);
});

test('create --private_network is refused without a private network', async () => {
  const { refusalOf } = await openCommandRunner({ commands, seed: { orders: 2 } });
  const refusal = await refusalOf(`create plan=101 ${rest} --private_network`);
  expect(refusal).toMatchObject({ field: 'private_network', suggestions: [{ command: 'net create' }] });
});

test('create says that support has to enable it for the account', async () => {
  const runner = await openCommandRunner({ commands, features: { createVps: false } });
  expect(await runner.refusalOf(web4)).toMatchObject({
    message:
      'The provider does not let this account create servers yet (403: You do not have permission to perform this action).',
    hint: 'It is off by default: ask the technical support of the provider to enable creating servers through the API.',
  });
});

test('a full location is only a warning, and the provider’s refusal is quoted', async ({ runner }) => {
  const planned = await runner.planOf('create name=web-4 plan=101 template=1 location=ch');
  expect(planned.plan.details).toContainEqual([
    'Place',
    'Switzerland (ch): full when last read, so the provider may refuse',
  ]);
  const ran = await runner.run(planned);
  expect(ran).toMatchObject({ end: 'failed', note: 'location: There are no free slots in this location.' });
});

test('a balance that cannot be read is shown as unknown, and the provider decides', async ({ runner }) => {
  runner.sim.fault(answer('GET /account/balance', 500, 'down'));
  const planned = await runner.planOf(`create plan=105 ${rest} term=3`);
  expect(planned.plan.details).toContainEqual(['Balance', 'Unknown: it could not be read.']);
  expect(await runner.run(planned)).toMatchObject({
    end: 'failed',
    note: 'Insufficient funds: the order costs 120.00 EUR, your balance is 84.20 EUR.',
  });
});

test('the webhook is added when the order is sent, and its secret is in no stored step', async () => {
  const webhook = { url: 'https://bot.example.com/hooks/created/1', secret: 'CANARY-SECRET' };
  const runner = await openCommandRunner({ commands, creationWebhook: async () => webhook, jobMs: 3_600_000 });
  const planned = await runner.planOf(web4);
  expect(JSON.stringify(planned.plan)).not.toContain('webhook');
  const ran = await runner.run(planned);
  expect(runner.writes()[0]?.body).toMatchObject({ webhook });
  expect(JSON.stringify(ran)).not.toContain('CANARY');
  expect(ran).toMatchObject({ end: 'unverified', note: 'order 34-12500 is pending, and the power is unknown' });
});

test('the bot reports a canceled order at once, and stops waiting', async ({ bot }) => {
  bot.provider.sim.fault({ kind: 'nextJob', match: route, times: 1, end: 'error' });
  await sayAndSettle(bot, 'operator', web4);
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.story()).toContain('order 34-12500 is canceled: the server was not made.');
  expect((await bot.store.operations.list({ limit: 1 }))[0]?.state).toBe('failed');
});

test('after a lost response without a new order, the balance shows whether anything was paid', async ({ runner }) => {
  runner.sim.fault({ kind: 'drop', match: route, times: 1 });
  expect(await runner.runCommand(web4)).toMatchObject({
    end: 'failed',
    note: expect.stringContaining(
      'no new order called web-4 is in the account, and the balance is what it was right before',
    ),
  });
});

test('a new order without a name is distinguished from older orders without a name', async () => {
  const runner = await openCommandRunner({ commands, jobMs: 3_600_000 });
  runner.sim.order({ order: '34-12422', name: '' });
  runner.sim.fault({ kind: 'lose', match: route, times: 1 });
  const ran = await runner.runCommand(`create plan=101 ${rest}`);
  expect(ran).toMatchObject({ end: 'done', note: 'order 34-12500 is there, new and without a name: it is pending' });
});

test('the balance is compared with the balance right before the order, not with the one on the card', async () => {
  const runner = await openCommandRunner({ commands, jobMs: 3_600_000 });
  const planned = await runner.planOf(web4);
  runner.sim.balance({ balance: 500 });
  // The order is accepted and paid, but missing in the list.
  runner.sim.fault({ kind: 'lose', match: route, times: 1 });
  const hide = runner.sim.onChange((change) => {
    if (change.what !== 'order') return;
    hide();
    const made = runner.sim.state().orders.find((one) => one.name === 'web-4');
    if (made !== undefined) runner.sim.order({ order: made.id, name: 'named otherwise' });
  });
  const ran = await runner.run(planned);
  expect(ran.end).toBe('unknown');
  expect(ran.note).toContain('yet the balance does not rule it out: it is lower than right before');
});

test('a server that somebody else created between card and order does not count as the ordered one', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf(`create plan=101 ${rest}`);
  // Created by hand in the panel, without a name, like the requested one.
  runner.sim.order({ order: '34-12422', name: '' });
  runner.sim.fault({ kind: 'drop', match: route, times: 1 });
  const ran = await runner.run(planned);
  expect(ran.end).toBe('failed');
  expect(ran.note).toContain('no new order without a name is in the account');
});

test('every argument is on exactly one page of the modal, but for the server that fills it in', () => {
  const asked = Object.keys(create.args).filter((name) => name !== 'like');
  expect(create.pages?.flat().toSorted()).toEqual(asked.toSorted());
});

test('a frequency that no host has is raised to the next one, and the card says so', async () => {
  const { planOf } = await openCommandRunner({ commands });
  const { plan } = await planOf(`create cpu=2 ram=4 disk=40 frequency=2.6 ${rest}`);
  expect(Object.fromEntries(plan.details).Hardware).toBe(
    'own configuration: 2 cores x86_64, at least 3.1 GHz (the provider raises 2.6 to the next that it has, and the price with it), 4 GB memory, 40 GB disk',
  );
});

test('the price of bandwidth counts the steps above the smallest, also decimal steps', async ({ runner }) => {
  const bandwidth_tariff = { min_value: '0.10', max_value: '1.00', step: '0.10', price: '2.00', unit: 'gbps' };
  const body = [
    { value: 'de', label: 'Germany', disabled_by_slots: false, disabled_by_cpu_freq: false, bandwidth_tariff },
  ];
  runner.sim.fault(answer('GET /orders/vps/locations/', 200, body));
  const { plan } = await runner.planOf('create plan="Cloud NVMe 2" template="Debian 13" location=de bandwidth=1');
  // Nine steps of 0.1 from 0.1 to 1.
  expect(Object.fromEntries(plan.details).Price).toContain('bandwidth 1 gbps € 18');
  expect((await runner.refusalOf('create plan="Cloud NVMe 2" template="Debian 13" location=de bandwidth=2')).hint).toBe(
    'It goes from 0.1 to 1 gbps in steps of 0.1.',
  );
});
