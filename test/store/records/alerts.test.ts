import { expect } from 'vitest';
import { onEachEngine, race, test } from '../conformance.ts';
import { newAlert } from '../rows.ts';

let made = 0;
const alert = (cause: string, channel = 'C1') => newAlert({ id: `a${++made}`, channel, cause });

onEachEngine('alerts', (rig) => {
  test('one cause opens one alert on any number of replicas, and a new alert after the first is resolved', async () => {
    expect(await race(rig(), 10, (store) => store.alerts.insert(alert('one')))).toBe(1);
    const [row] = await rig().store.alerts.active('C1', 'power');
    if (row === undefined) throw new Error('no alert');
    expect(await rig().store.alerts.change(row.id, row.version, { state: 'resolved', resolvedAt: 1 })).toBe(true);
    expect(await rig().store.alerts.insert(alert('one'))).toBe(true);
    expect(await rig().store.alerts.insert(alert('one', 'C2'))).toBe(true);
  });

  test('when several replicas change the same version of an alert, one change succeeds', async () => {
    const one = alert('two', 'C3');
    await rig().store.alerts.insert(one);
    const byUser = (n: number) => ({ state: 'acknowledged', byUser: `U${n}`, until: 5 }) as const;
    expect(await race(rig(), 10, (store, n) => store.alerts.change(one.id, 1, byUser(n)))).toBe(1);
    expect(await rig().store.alerts.find(one.id)).toMatchObject({ version: 2, state: 'acknowledged' });
  });

  test('an older drawing of an alert replaces neither a newer one nor that of others', async ({ store, replica }) => {
    const [first, second] = [alert('old', 'C9'), alert('joins', 'C9')];
    for (const row of [first, second]) await store.alerts.insert(row);
    await store.alerts.claimFor('m9', [first.id]);
    const draw = async (view: string, read: Awaited<ReturnType<typeof store.alerts.onMessage>>) =>
      store.messages.putAlerts({ key: 'alert:m9', channel: 'C9', view }, read);
    const old = await store.alerts.onMessage('m9');
    expect(await draw('open', old)).toBe(true);
    await replica.alerts.change(first.id, 2, { state: 'acknowledged', byUser: 'U1' });
    const newer = await replica.alerts.onMessage('m9');
    expect(await draw('acknowledged', newer)).toBe(true);
    expect(await draw('open', old)).toBe(false);
    await replica.alerts.claimFor('m9', [second.id]);
    expect(await draw('open', newer)).toBe(false);
    expect((await store.messages.find('alert:m9'))?.view).toBe('acknowledged');
  });

  test('an alert belongs to one message, and a message is drawn again when an alert changed while it was drawn', async () => {
    const { store } = rig();
    const rows = [alert('a', 'C4'), alert('b', 'C4'), alert('c', 'C4')];
    for (const row of rows) await store.alerts.insert(row);
    const ids = rows.map(({ id }) => id);
    const claims = await Promise.all([store.alerts.claimFor('m1', ids), rig().replica.alerts.claimFor('m2', ids)]);
    expect(claims.toSorted()).toEqual([0, 3]);
    const message = claims[0] === 3 ? 'm1' : 'm2';
    expect(await store.alerts.undrawn('C4')).toEqual([message]);
    const seen = await store.alerts.onMessage(message);
    // Between reading and drawing, one of them changes.
    await store.alerts.change(ids[1] ?? '', 2, { severity: 'critical' });
    await store.alerts.drawn(seen);
    expect(await store.alerts.undrawn('C4')).toEqual([message]);
    await store.alerts.drawn(await store.alerts.onMessage(message));
    expect(await store.alerts.undrawn('C4')).toEqual([]);
    expect(await store.alerts.busyChannels(rig().clock.at)).not.toContain('C4');
  });

  test('many alerts are read in parts, each of them once and the oldest first', async ({ store }) => {
    const rows = Array.from({ length: 450 }, (_, n) => alert(`many ${n}`, 'C6'));
    const ids = rows.map(({ id }) => id);
    // Three of them open in each millisecond.
    for (const start of [0, 150, 300]) await store.alerts.insertAll(rows.slice(start, start + 150));
    const found = await store.alerts.withoutMessage('C6', 1_000);
    expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(found).toEqual(found.toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1)));
    expect(await store.alerts.withoutMessage('C6', 250)).toEqual(found.slice(0, 250));
    expect(await store.alerts.claimFor('m6', ids)).toBe(450);
    expect((await store.alerts.onMessage('m6')).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  });

  test('when an alert fires again, the newest row is the last one', async ({ store, clock }) => {
    const first = alert('again', 'C5');
    await store.alerts.insert(first);
    await store.alerts.change(first.id, 1, { state: 'resolved', resolvedAt: clock.at });
    clock.at += 1_000;
    const second = alert('again', 'C5');
    await store.alerts.insert(second);
    expect((await store.alerts.last('C5', 'power', 'again'))?.id).toBe(second.id);
    clock.at += 1_000;
    expect(await store.retention.prune('alerts', clock.at)).toBeGreaterThan(0);
    expect(await store.alerts.find(first.id)).toBeUndefined();
    expect(await store.alerts.find(second.id)).toBeDefined();
  });
});
