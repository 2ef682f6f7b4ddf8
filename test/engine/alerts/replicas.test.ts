import { expect, test } from 'vitest';
import { hour, minute, openWatch } from '../../alerts/support.ts';

test.each(['sqlite', 'postgres'] as const)(
  'two replicas on %s make one sweep of an interval and one message',
  async (engine) => {
    const room = await openWatch({ invoices: {}, 'order-status': { on: ['tag:web'] } }, { engine, replicas: 2 });
    for (const order of ['34-12345', '34-12399']) room.sim.order({ order, status: 'blocked' });
    const reads = () => room.sim.requests().filter((request) => request.route === 'GET /account/invoices').length;
    await Promise.all(room.replicas.map((replica) => replica.sweepAlerts()));
    await room.delivered();
    expect(reads()).toBe(1);
    expect(room.alerts()).toHaveLength(2);
    await room.pass(16 * minute);
    await Promise.all(room.replicas.map((replica) => replica.sweepAlerts()));
    await room.delivered();
    expect(reads()).toBe(2);
    expect(room.alerts()).toHaveLength(2);
    // Both click at once.
    await Promise.all([
      room.press('operator', 'Acknowledge', { replica: 0 }),
      room.press('lead', 'Acknowledge', { replica: 1 }),
    ]);
    await room.delivered();
    const acknowledged = (await room.store.audit.list({ kind: 'alert', limit: 10 })).length;
    expect(acknowledged).toBeGreaterThan(0);
    expect(room.log).toEqual([]);
  },
);

test('after a restart nothing is told twice, and hours that were missed are caught up by one sweep', async () => {
  const room = await openWatch({ invoices: {}, zone: {}, 'order-status': { on: ['order:34-12399'] } });
  await room.sweep();
  await room.pass(5 * hour);
  // Gone, with all it remembered; the one that comes after it starts from the rows.
  await room.replicas.shift()?.stop();
  room.sim.order({ order: '34-12399', status: 'blocked' });
  room.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  room.sim.clearRequests();
  const replica = await room.openReplica();
  await replica.sweepAlerts();
  await room.until(() => room.alerts().length === 3);
  // What one sweep finds is told in the order in which the reads came back.
  expect(
    room
      .alerts()
      .map((message) => message.view.summary)
      .toSorted(),
  ).toEqual(['▲ 1 invoice is unpaid', '▲ example.org was changed by hand', '▲ web-2 is blocked']);
  expect(room.sim.requests().filter((request) => request.route === 'GET /account/invoices')).toHaveLength(1);
});
