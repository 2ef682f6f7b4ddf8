import { expect } from 'vitest';
import type { InboxDelivery } from '../../../src/store/records/inbox.ts';
import { anew, onEachEngine, race } from '../conformance.ts';

// Each statement on acknowledged requests changes the given ones only.

const test = anew('inbox');

onEachEngine('a request in the inbox', (rig) => {
  const asked = (key: string, more: Partial<InboxDelivery> = {}) => ({ key, body: `{"${key}":1}`, ...more });
  const claimedBy = (owner: string, forMs = 500) => ({ claim: { owner, forMs } });
  /** All of them by their keys, with the times from now on. */
  async function rows(): Promise<Record<string, object | string>> {
    const { replica, database, clock } = rig();
    const found = await database.run('select key from inbox order by key');
    const all = await replica.inbox.unfinished(99, 1e9);
    return Object.fromEntries(
      found.map(({ key }) => {
        const row = all.find((one) => one.key === key);
        return [key, row ? { ...row, claimedUntil: row.claimedUntil && row.claimedUntil - clock.at } : 'done'];
      }),
    );
  }
  const fresh = (key: string) => ({
    ...{ ...asked(key), receivedAt: rig().clock.at, state: 'new', claimedBy: null, claimedUntil: 0, begun: 1 },
  });

  test('is stored as it was received, and as its first delivery says', async ({ store }) => {
    const received = [
      asked('b'),
      asked('a', claimedBy('me')),
      asked('b', { body: 'other' }),
      asked('c', { state: 'done', body: '' }),
    ].map(store.inbox.receive);
    expect(await Promise.all(received)).toEqual([true, true, false, true]);
    expect(await store.inbox.receive(asked('a', { body: 'other' }))).toBe(false);
    const claimed = { ...fresh('a'), claimedBy: 'me', claimedUntil: 500 };
    expect(await rows()).toEqual({ a: claimed, b: fresh('b'), c: 'done' });
    expect(await rig().replica.inbox.receive(asked('b'))).toBe(false);
    expect(await race(rig(), 20, ({ inbox }) => inbox.receive(asked('d')))).toBe(1);
  });

  test('is stored in one order with others, two hundred in a statement at most', async ({ store, sent }) => {
    const keys = Array.from({ length: 201 }, (_, n) => `k${String((n * 7) % 201).padStart(3, '0')}`);
    expect((await Promise.all(keys.map((key) => store.inbox.receive(asked(key))))).every(Boolean)).toBe(true);
    expect(sent).toHaveLength(2);
    const stored = sent.map(({ parameters }) => parameters.filter((one) => keys.some((key) => key === one)));
    expect(stored).toEqual([keys.slice(0, 200).toSorted(), keys.slice(200)]);
  });

  test('stays claimed while its process renews the claim, and never once another has it', async ({ store, clock }) => {
    for (const key of ['a', 'b', 'c']) await store.inbox.receive(asked(key, claimedBy('me')));
    await store.inbox.receive(asked('d', claimedBy('other')));
    await store.inbox.finish('c');
    clock.at += 499;
    expect(await store.inbox.keep(['a', 'c', 'd', 'none'], 'me', 500)).toEqual(['a']);
    expect(await store.inbox.keep([], 'me', 500)).toEqual([]);
    clock.at += 499;
    const free = async () => (await store.inbox.unfinished(9)).map(({ key }) => key);
    expect(await free()).toEqual(['b', 'd']);
    clock.at += 1;
    expect(await free()).toEqual(['a', 'b', 'd']);
    // No other process has taken it meanwhile.
    expect(await store.inbox.keep(['a'], 'me', 500)).toEqual(['a']);
    expect(await store.inbox.claimAgain('a', 'other', 500)).toBe(false);
    clock.at += 500;
    expect(await store.inbox.claimAgain('a', 'other', 500)).toBe(true);
    expect(await store.inbox.keep(['a'], 'me', 500)).toEqual([]);
    expect((await rows()).a).toMatchObject({ claimedBy: 'other', claimedUntil: 500 });
  });

  test('begins once more when its process ended', async ({ store, clock }) => {
    for (const key of ['a', 'b']) await store.inbox.receive(asked(key, claimedBy('me')));
    const receivedAt = clock.at;
    clock.at += 500;
    expect(await store.inbox.claimAgain('a', 'other', 300)).toBe(true);
    const again = { ...fresh('a'), receivedAt, claimedBy: 'other', claimedUntil: 300, begun: 2 };
    expect((await rows()).a).toEqual(again);
    expect((await rows()).b).toMatchObject({ claimedBy: 'me', begun: 1 });
    expect(await store.inbox.claimAgain('a', 'third', 300)).toBe(false);
    clock.at += 300;
    expect(await race(rig(), 20, ({ inbox }) => inbox.claimAgain('a', 'third', 300))).toBe(1);
    expect((await rows()).a).toMatchObject({ claimedBy: 'third', begun: 3 });
    await store.inbox.finish('b');
    for (const key of ['b', 'none']) expect(await store.inbox.claimAgain(key, 'third', 300)).toBe(false);
  });

  test('is finished alone, or with others in one statement, two hundred at most', async ({ store, sent, database }) => {
    const keys = Array.from({ length: 201 }, (_, n) => `k${n}`);
    for (const key of ['a', 'b', 'c']) await store.inbox.receive(asked(key, claimedBy('me')));
    await Promise.all(keys.map((key) => store.inbox.receive(asked(key))));
    await store.inbox.finish('a');
    expect(await database.run("select body from inbox where state = 'done'")).toEqual([{ body: '' }]);
    sent.length = 0;
    await Promise.all(['b', 'b', ...keys].map(store.inbox.finish));
    expect(sent).toHaveLength(2);
    expect(await store.inbox.keep(['b'], 'me', 500)).toEqual([]);
    expect(Object.entries(await rows()).filter(([, row]) => row !== 'done')).toEqual([
      ['c', { ...fresh('c'), claimedBy: 'me', claimedUntil: 500 }],
    ]);
  });

  test('is found when no process has it, the oldest first', async ({ store, clock }) => {
    const { at } = clock;
    // Not in the order in which they are stored.
    for (const [key, after] of Object.entries({ c: 10, a: 20, d: 30, b: 0 })) {
      clock.at = at + after;
      await store.inbox.receive(asked(key, key === 'a' ? claimedBy('me', 520) : {}));
    }
    clock.at = at + 40;
    await store.inbox.finish('d');
    const found = async (limit: number, laterMs?: number) =>
      (await store.inbox.unfinished(limit, laterMs)).map(({ key }) => key);
    expect(await found(9)).toEqual(['b', 'c']);
    expect(await found(1)).toEqual(['b']);
    expect(await found(9, 499)).toEqual(['b', 'c']);
    expect(await found(9, 500)).toEqual(['b', 'c', 'a']);
  });

  test('is forgotten after it was finished, some at a time', async ({ store, clock, sent }) => {
    const at = clock.at;
    for (const key of ['a', 'b', 'c', 'd']) {
      await store.inbox.receive(asked(key, key === 'b' ? {} : { state: 'done' }));
      clock.at += 10;
    }
    sent.length = 0;
    expect(await store.retention.prune('inbox', at + 30, 1)).toBe(2);
    expect(sent).toHaveLength(3);
    expect(Object.keys(await rows())).toEqual(['b', 'd']);
    expect(await store.inbox.receive(asked('d'))).toBe(false);
    expect(await store.retention.prune('inbox', at + 31)).toBe(1);
  });

  test('is stored, or finished, before the store closes', async ({ store, sent }) => {
    await store.inbox.receive(asked('a'));
    sent.length = 0;
    const received = store.inbox.receive(asked('b'));
    await store.inbox.drain();
    expect(sent).toHaveLength(1);
    const finished = store.inbox.finish('a');
    await store.inbox.drain();
    expect(sent).toHaveLength(2);
    await Promise.all([received, finished]);
    expect(await rows()).toMatchObject({ a: 'done', b: { state: 'new' } });
  });
});
