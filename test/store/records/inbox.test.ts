import { expect, test } from 'vitest';
import { onEachEngine, race } from '../conformance.ts';

onEachEngine('the inbox', (rig) => {
  const click = (key: string) => ({ key, kind: 'action', body: '{"button":"confirm"}' });

  test('a payload that is delivered twice is new once, also in one batch and on the other replica', async () => {
    const { store, replica } = rig();
    expect(await Promise.all([store.inbox.receive(click('a')), store.inbox.receive(click('a'))])).toEqual([
      true,
      false,
    ]);
    expect(await store.inbox.receive(click('a'))).toBe(false);
    expect(await replica.inbox.receive(click('a'))).toBe(false);
    expect(await race(rig(), 20, ({ inbox }) => inbox.receive(click('b')))).toBe(1);
  });

  test('two hundred payloads that arrive together share a few commits', async () => {
    const { store, queries } = rig();
    queries.length = 0;
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => store.inbox.receive(click(`burst-${n}`))));
    expect(answers.every(Boolean)).toBe(true);
    expect(queries.filter((text) => text.startsWith('insert into "inbox"')).length).toBeLessThanOrEqual(3);
  });

  test('two replicas that get the same keys in opposite order do not deadlock', async () => {
    const { store, replica } = rig();
    for (let round = 0; round < 8; round += 1) {
      const keys = Array.from({ length: 200 }, (_, n) => `shared-${round}-${n}`);
      const answers = await Promise.all([
        ...keys.map((key) => store.inbox.receive(click(key))),
        ...keys.toReversed().map((key) => replica.inbox.receive(click(key))),
      ]);
      expect(answers.filter(Boolean)).toHaveLength(200);
    }
  });

  test('an unfinished payload is found again until a process claims or finishes it', async () => {
    const { store, replica, clock } = rig();
    clock.at += 1000;
    await store.inbox.receive(click('lost'));
    await store.inbox.receive({ ...click('seen'), state: 'done' });
    await store.inbox.receive({ ...click('mine'), claim: { owner: 'one', forMs: 500 } });
    const waiting = async (laterMs: number) =>
      (await replica.inbox.unfinished(10_000, laterMs))
        .filter((row) => row.receivedAt === clock.at)
        .map((row) => row.key);
    expect(await waiting(0)).toEqual(['lost']);
    expect((await waiting(500)).sort()).toEqual(['lost', 'mine']);

    expect(await race(rig(), 20, ({ inbox }, n) => inbox.claimAgain('lost', `owner-${n}`, 500))).toBe(1);
    expect(await waiting(0)).toEqual([]);
    await store.inbox.finish('lost');
    expect(await waiting(500)).toEqual(['mine']);
    expect(await store.inbox.claimAgain('lost', 'anybody', 500)).toBe(false);
  });

  test('a process renews the claims of its requests that are stored and not finished', async () => {
    const { store } = rig();
    const claim = { owner: 'one', forMs: 500 };
    await store.inbox.receive({ ...click('held'), claim });
    await store.inbox.receive({ ...click('held by another'), claim: { owner: 'two', forMs: 500 } });
    await store.inbox.receive({ ...click('held and finished'), claim });
    await store.inbox.receive({ ...click('not asked about'), claim });
    await store.inbox.finish('held and finished');
    const keys = ['held', 'held by another', 'held and finished', 'never stored'];
    expect(await store.inbox.keep(keys, 'one', 500)).toEqual(['held']);
    for (const key of ['held', 'held by another', 'not asked about']) await store.inbox.finish(key);
  });

  test('pruning deletes old payloads that are done, and never an unfinished one', async () => {
    const { store, clock } = rig();
    clock.at += 10_000;
    await store.inbox.receive({ ...click('old-done'), state: 'done' });
    await store.inbox.receive(click('old-new'));
    const before = clock.at + 1;
    clock.at += 1000;
    await store.inbox.receive({ ...click('young-done'), state: 'done' });
    const { queries } = rig();
    queries.length = 0;
    // One at a time, so that no statement delays other writes.
    const pruned = await store.inbox.prune(before, 1);
    expect(pruned).toBeGreaterThanOrEqual(1);
    expect(queries).toHaveLength(pruned + 1);
    expect(await store.inbox.receive(click('young-done'))).toBe(false);
    expect(await store.inbox.receive(click('old-new'))).toBe(false);
    expect(await store.inbox.receive(click('old-done'))).toBe(true);
  });
});
