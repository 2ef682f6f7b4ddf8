import { expect, test } from 'vitest';
import { openerOf } from '../../commands/commands-called.ts';

const openRunner = openerOf('start', 'stop', 'restart', 'tag', 'project add');

// Many servers at once have a higher risk than one, and the card begins with their number.

async function raisedOf(line: string, off: readonly string[] = []) {
  const runner = await openRunner();
  for (const order of off) runner.sim.power({ order, state: 'off' });
  const { plan } = await runner.planOf(line);
  return { raised: plan.raised, first: plan.subject[0], title: plan.title, runner };
}

test('a request for more than three servers has a risk one level higher, and shows their number first', async () => {
  const { raised, first, title } = await raisedOf('stop tag:prod');
  expect(title).toBe('Stop 7 servers');
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
  const raised = (await raisedOf('tag add web-1,web-2,db-1,files-1 blue')).raised;
  expect(raised).toEqual({ risk: 'disruptive', why: 'It changes 4 orders at once.' });
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
