import { expect, test } from 'vitest';
import { commandsCalled } from '../../commands/commands-called.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText } from '../../support/view-text.ts';

const commands = commandsCalled('start', 'stop', 'restart', 'tag', 'project add');

// Many servers at once have a higher risk than one, and the card begins with their number.

async function raisedOf(line: string, off: readonly string[] = []) {
  const runner = await openCommandRunner({ commands });
  for (const order of off) runner.sim.power({ order, state: 'off' });
  const { plan } = await runner.planOf(line);
  return { raised: plan.raised, first: plan.subject[0], runner };
}

test('a request for more than three servers has a risk one level higher, and shows their number first', async () => {
  const { raised, first } = await raisedOf('stop tag:prod');
  expect(raised).toEqual({ risk: 'dangerous', why: 'It changes 7 servers at once.' });
  expect(first).toEqual([{ bold: '7 servers' }, ' at once, all tagged prod']);
  expect((await raisedOf('restart web-1 web-2 db-1')).raised).toBeUndefined();
  expect((await raisedOf('restart web-1 web-2 db-1 cache-1')).raised).toMatchObject({ risk: 'dangerous' });
});

test('servers that need no change do not count', async () => {
  const { raised } = await raisedOf('stop web-1 web-2 db-1 staging-1 wiki-1');
  expect(raised).toBeUndefined();
});

test('orders of any kind count, also in one write for several', async () => {
  expect((await raisedOf('tag add web-1,web-2,db-1,files-1 blue')).raised).toEqual({
    risk: 'disruptive',
    why: 'It changes 4 orders at once.',
  });
  expect((await raisedOf('project add Website db-1 cache-1 mail-1 files-1')).raised).toMatchObject({
    risk: 'disruptive',
  });
  expect((await raisedOf('tag add web-1,web-2 blue')).raised).toBeUndefined();
});

test('a request for fewer servers has a higher risk when they are more than a third of those that are on', async () => {
  const { runner } = await raisedOf('restart web-1');
  const others: string[] = [];
  for (const { id } of await runner.reader.vpsOrders.list({})) {
    const isOn = (await runner.reader.vps.status({ order_id: id })).status === 'on';
    if (isOn && !['34-12345', '34-12399'].includes(id)) others.push(id);
  }
  // Two, and then three, other servers stay on.
  const three = await raisedOf('restart web-1 web-2', others.slice(3));
  expect(three.raised).toEqual({
    risk: 'dangerous',
    why: 'It changes 2 servers: more than a third of those that are on.',
  });
  expect(three.first).toEqual([{ bold: '2 servers: more than a third of those that are on' }]);
  expect((await raisedOf('restart web-1 web-2', others.slice(4))).raised).toBeUndefined();
  expect((await raisedOf('restart web-1', others)).raised).toBeUndefined();
});

test('the card of a request for many servers', async () => {
  const runner = await openCommandRunner({ commands });
  expect(planText((await runner.planOf('restart tag:prod')).plan)).toMatchInlineSnapshot(`
    "Restart 7 servers
      7 servers at once, all tagged prod
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      db-1 · 34-12346 · 192.0.2.20 · Cloud NVMe 4 · 🟢 on
      cache-1 · 34-12352 · 192.0.2.30 · Cloud NVMe 1 · 🟢 on
      mail-1 · 34-12360 · 203.0.113.25 · 2001:db8:25::25 · Cloud NVMe 1 · 🟢 on
      web-2 · 34-12399 · 192.0.2.11 · Cloud NVMe 2 · 🟢 on
      web-3 · 34-12407 · 198.51.100.10 · Cloud NVMe 2 · 🟢 on
      db-2 · 34-12411 · 198.51.100.20 · Custom · 🟢 on
      Effect: The servers shut down and start again, one after another, stopping at the first that does not come back.
      Affected: 11 DNS records point here: example.com A, www.example.com A, api.example.com A, app.example.com A, shop.example.com A, db.example.com A and 5 more.
      raised to dangerous: It changes 7 servers at once."
  `);
});
