import { expect } from 'vitest';
import { onEachEngine, test } from '../conformance.ts';
import { newAlert, newOperation } from '../rows.ts';

const [from, to] = ['G0BEFORE', 'C0AFTER'];

onEachEngine('a channel that gets another id', (_rig) => {
  test('a channel with another id keeps its rows; those of others and the new id stay', async ({ store, replica }) => {
    const orders = (key: string) => ({ orders: [`of ${key}`] });
    await store.values.write('favorites', { [from]: orders(from), C0OTHER: orders('C0OTHER') }, 1);
    await store.values.write('sweep', { [from]: 1, [to]: 2 }, 1);
    for (const channel of [from, 'C0OTHER']) {
      await store.operations.insert(newOperation({ id: `op-${channel}`, channel }), []);
      await store.messages.put({ key: `card:${channel}`, channel, view: '{}' });
      const data = { kind: 'about', place: { channel, kind: 'channel' } };
      await store.forms.put({ id: `form-${channel}`, userId: 'U1', data, expiresAt: store.now() + 1_000 });
      await store.inbox.receive({ key: `new-${channel}`, body: JSON.stringify({ place: { channel } }) });
      await store.freezes.add({ id: `f-${channel}`, scope: `channel:${channel}`, reason: 'r', byUser: 'U1' });
      await store.freezes.add({ id: `m-${channel}`, scope: 'all', reason: 'r', byUser: 'U1', mutedIn: channel });
      const hook = { kind: 'json', name: 'n', channel, tokenHash: channel, createdBy: 'U1' } as const;
      await store.hooks.add({ ...hook, id: `h-${channel}` });
    }
    expect(await store.channels.contents(from)).toEqual({ settings: 2, openOperations: 1, hooks: 1 });
    await replica.channels.move(from, to);
    await store.channels.move(from, to);

    // The existing value of the new id is not overwritten.
    expect(await store.channels.contents(from)).toEqual({ settings: 1, openOperations: 0, hooks: 0 });
    const seen = Object.fromEntries(await store.values.all('favorites'));
    expect(seen).toEqual({ [to]: orders(from), C0OTHER: orders('C0OTHER') });
    expect(Object.fromEntries(await store.values.all('sweep'))).toEqual({ [from]: 1, [to]: 2 });
    expect(await store.operations.find(`op-${from}`)).toMatchObject({ channel: to });
    expect(await store.operations.find('op-C0OTHER')).toMatchObject({ channel: 'C0OTHER' });
    expect(await store.messages.find(`card:${from}`)).toMatchObject({ channel: to });
    expect((await store.forms.get(`form-${from}`, 'U1'))?.data).toMatchObject({ place: { channel: to } });
    expect((await store.forms.get('form-C0OTHER', 'U1'))?.data).toMatchObject({ place: { channel: 'C0OTHER' } });
    const bodies = (await store.inbox.unfinished(store.now() + 1, 10)).map(({ key, body }) => [
      key,
      JSON.parse(body).place.channel,
    ]);
    expect(bodies.toSorted()).toEqual([
      [`new-C0OTHER`, 'C0OTHER'],
      [`new-${from}`, to],
    ]);
    expect((await store.freezes.active(store.now())).map(({ scope }) => scope).toSorted()).toEqual(
      [`channel:${to}`, 'channel:C0OTHER'].toSorted(),
    );
    expect((await store.freezes.mutes()).map(({ mutedIn }) => mutedIn).toSorted()).toEqual([to, 'C0OTHER'].toSorted());
    expect((await store.hooks.list(to, ['json'])).map(({ id }) => id)).toEqual([`h-${from}`]);
  });

  test('alerts move to the new id of a channel, except those that are open there already', async ({ store }) => {
    const raise = (id: string, channel: string, cause: string) => store.alerts.insert(newAlert({ id, channel, cause }));
    await raise('a1', from, 'web-1');
    await raise('a2', from, 'web-2');
    await raise('a3', to, 'web-2');
    await store.channels.move(from, to);
    expect((await store.alerts.active(to, 'power')).map(({ id }) => id).toSorted()).toEqual(['a1', 'a3']);
    expect((await store.alerts.active(from, 'power')).map(({ id }) => id)).toEqual(['a2']);
  });
});
