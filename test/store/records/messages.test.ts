import { expect } from 'vitest';
import { messageValues, type NewMessage } from '../../../src/store/records/message-row.ts';
import { anew, onEachEngine, openAnew } from '../conformance.ts';
import { newAlert, newOperation } from '../rows.ts';

// Each statement on messages changes the given ones only.

const test = anew('messages');

onEachEngine('the outbox', (rig) => {
  const lease = 500;
  const card = (key: string, more: Partial<NewMessage> = {}) => ({ key, channel: 'C1', view: '"1"', ...more });
  /** The row, but for its number, with the times from now on. */
  async function read(key: string) {
    const { replica, clock } = rig();
    const { seq, claimedUntil, notBefore, ...row } = (await replica.messages.find(key)) ?? expect.fail(`no ${key}`);
    const since = (at: number) => at && at - clock.at;
    return { ...row, claimedUntil: since(claimedUntil), notBefore: since(notBefore) };
  }
  const unset = { ts: null, claimedBy: null, error: null };
  const fresh = (message: NewMessage) => ({ ...unset, ...messageValues(message, rig().clock.at) });

  test('a message is stored with its view, whose changes keep its claim and waiting time', async ({ store, clock }) => {
    const [a, b] = [card('a', { parentKey: 'p', threadTs: '1.1' }), card('b', { channel: 'C2' })];
    expect(await store.messages.putAll([a, b])).toEqual(['a', 'b']);
    expect([await read('a'), await read('b')]).toEqual([fresh(a), fresh(b)]);
    await store.messages.claimDue('me', lease, 9);
    await store.messages.postpone('b', 300, 'away');
    await store.messages.claimDue('me', lease, 9);
    clock.at += 10;
    const before = [await read('a'), await read('b')];
    expect(await store.messages.putAll([a, b])).toEqual([]);
    expect([await read('a'), await read('b')]).toEqual(before);
    expect(await store.messages.putAll([a, { ...b, view: '"2"' }])).toEqual(['b']);
    const other = { ...fresh(b), view: '"2"', wanted: 2, notBefore: 290 };
    expect([await read('a'), await read('b')]).toEqual([before[0], other]);
    expect(await store.messages.put({ ...a, view: '"2"' })).toBe(true);
    expect(await read('a')).toMatchObject({ wanted: 2, claimedBy: 'me', claimedUntil: 490, updatedAt: clock.at });
    expect(await store.messages.put({ ...a, view: '"2"' })).toBe(false);
  });

  test('no message needs no statement', async ({ store, sent }) => {
    expect(await store.messages.putAll([])).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('a message is due again with new content after it was given up', async ({ store, clock, database }) => {
    for (const key of ['a', 'b']) await store.messages.put(card(key));
    await store.messages.postpone('a', 300, 'away');
    await database.run("update messages set claimed_by = 'me', claimed_until = not_before where key = 'a'");
    clock.at += 10;
    await store.messages.dead('a', 'channel_not_found');
    const dead = { ...fresh(card('a')), state: 'dead', attempts: 1, error: 'channel_not_found' };
    expect(await read('a')).toEqual(dead);
    expect(await read('b')).toEqual({ ...fresh(card('b')), updatedAt: clock.at - 10 });
    clock.at += 10;
    await store.messages.dead('a', 'again');
    await store.messages.postpone('a', 300, 'again');
    expect(await read('a')).toEqual(dead);
    await store.messages.put(card('a', { view: '"2"' }));
    expect(await read('a')).toEqual({ ...fresh(card('a', { view: '"2"' })), wanted: 2 });
  });

  test.for([
    ['posted', { ts: '1.2' }, ['1.2']],
    ['edited', { ts: '1.0' }, []],
    ['posted at the root', { ts: '1.2', threadTs: null, parentKey: null }, ['1.2', true]],
  ] as const)('a message is %s', async ([_, given, [ts, isAtRoot]], { store, clock, database }) => {
    const [a, b] = [card('a', { parentKey: 'p', threadTs: '1.1' }), card('b')];
    for (const one of [a, b]) await store.messages.put(one);
    await database.run("update messages set ts = '1.0', attempts = 3, error = 'x', not_before = 1 where key = 'a'");
    await store.messages.claimDue('me', lease, 9);
    const beside = await read('b');
    clock.at += 10;
    expect(await store.messages.delivered('a', 1, ts, isAtRoot)).toBe('delivered');
    expect(await read('a')).toEqual({ ...fresh(a), delivered: 1, state: 'delivered', ...given });
    // The second read is 10 ms later.
    expect(await read('b')).toEqual({ ...beside, claimedUntil: lease - 10 });
    const after = await read('a');
    clock.at += 10;
    for (const version of [1, 2]) expect(await store.messages.delivered('a', version, '9.9')).toBeUndefined();
    for (const act of [store.messages.postpone('a', 300, 'x'), store.messages.dead('a', 'x')]) await act;
    expect(await read('a')).toEqual(after);
  });

  test('a message is due when it changed while it was sent, or got older content later', async ({ store, clock }) => {
    for (const view of ['"1"', '"2"', '"3"']) await store.messages.put(card('a', { view }));
    await store.messages.put(card('b'));
    expect(await store.messages.delivered('a', 2, '1.2')).toBe('due');
    expect(await read('a')).toMatchObject({ state: 'due', delivered: 2, wanted: 3, ts: '1.2' });
    expect(await store.messages.delivered('a', 3)).toBe('delivered');
    expect(await read('a')).toMatchObject({ state: 'delivered', delivered: 3, wanted: 3, ts: '1.2' });
    clock.at += 10;
    expect(await store.messages.delivered('a', 1, '9.9')).toBeUndefined();
    const again = { state: 'due', delivered: 3, wanted: 4, ts: '1.2' };
    expect(await read('a')).toMatchObject({ ...again, updatedAt: clock.at });
    expect(await read('b')).toMatchObject({ wanted: 1, updatedAt: clock.at - 10 });
  });

  test('a message is postponed alone', async ({ store, clock }) => {
    for (const key of ['a', 'b']) await store.messages.put(card(key));
    await store.messages.claimDue('me', lease, 9);
    const beside = await read('b');
    clock.at += 10;
    await store.messages.postpone('a', 300, 'away');
    const postponed = { ...fresh(card('a')), attempts: 1, notBefore: 300, error: 'away' };
    expect(await read('a')).toEqual(postponed);
    expect(await read('b')).toEqual({ ...beside, claimedUntil: lease - 10 });
    await store.messages.postpone('a', 100, 'still away');
    expect(await read('a')).toEqual({ ...postponed, attempts: 2, notBefore: 100, error: 'still away' });
  });

  test('a message is found with its channel and timestamp when it is in Slack', async ({ store }) => {
    for (const key of ['a', 'b', 'c']) await store.messages.put(card(key, { channel: `C-${key}` }));
    for (const key of ['a', 'c']) await store.messages.delivered(key, 1, `1.${key}`);
    expect(await store.messages.posted(['a', 'b', 'none'])).toEqual([{ key: 'a', channel: 'C-a', ts: '1.a' }]);
    expect(await store.messages.find('none')).toBeUndefined();
  });

  test('waiting messages are counted; the next is due when its wait and claim are over', async ({ store, clock }) => {
    expect([await store.messages.pending(), await store.messages.dueInMs()]).toEqual([0, undefined]);
    for (const key of ['a', 'b']) await store.messages.put(card(key, { channel: key }));
    expect([await store.messages.pending(), await store.messages.dueInMs()]).toEqual([2, -clock.at]);
    await store.messages.claimDue('me', lease, 1);
    await store.messages.postpone('b', 700, 'away');
    expect(await store.messages.dueInMs()).toBe(lease);
    clock.at += 10;
    expect(await store.messages.dueInMs()).toBe(lease - 10);
    await store.messages.postpone('b', 300, 'away');
    expect(await store.messages.dueInMs()).toBe(300);
    // Claimed, and postponed by an earlier one that was not sent.
    await rig().database.run(`update messages set claimed_until = ${clock.at + 400} where key = 'b'`);
    expect(await store.messages.dueInMs()).toBe(400);
    await store.messages.delivered('a', 1, '1.1');
    expect(await store.messages.pending()).toBe(1);
    await store.messages.delivered('b', 1, '1.1');
    expect(await store.messages.dueInMs()).toBeUndefined();
  });

  test('old messages are deleted, but not the message of an open alert, nor one that is due, young or of an open request', async () => {
    const { store, clock, database, sent } = await openAnew(rig(), 'messages');
    for (const id of ['alert-1', 'alert-2', 'alert-3']) await store.alerts.insert(newAlert({ id }));
    await database.run("update alerts set message = 'opened' where id = 'alert-1'");
    await database.run("update alerts set message = 'over', resolved_at = 5 where id = 'alert-2'");
    for (const state of ['reading', 'done'] as const)
      await store.operations.insert(newOperation({ id: state, state }), []);
    const keys = ['alert:opened', 'alert:over', 'card:reading', 'card:done', 'dead', 'due', 'x'];
    for (const key of keys) await store.messages.put(card(key));
    await store.messages.dead('dead', 'x');
    for (const key of keys) if (key !== 'due') await store.messages.delivered(key, 1, '1.1');
    await database.run("update messages set state = 'dead' where key = 'dead'");
    const at = clock.at;
    clock.at += 10;
    await store.messages.put(card('young'));
    await store.messages.delivered('young', 1, '1.1');
    expect(await store.retention.prune('messages', at)).toBe(0);
    sent.length = 0;
    expect(await store.retention.prune('messages', at + 10, 1)).toBe(4);
    expect(sent).toHaveLength(5);
    const left = await database.run('select key from messages order by key');
    expect(left.map(({ key }) => key)).toEqual(['alert:opened', 'card:reading', 'due', 'young']);
  });
});
