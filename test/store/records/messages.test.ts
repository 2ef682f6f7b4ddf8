import { expect, test } from 'vitest';
import { onEachEngine, race } from '../conformance.ts';

onEachEngine('the outbox', (rig) => {
  const lease = 30_000;
  const card = (key: string, view = '"waiting"') => ({ key, channel: 'C1', view });
  const due = async (owner = 'a', limit = 100) =>
    (await rig().store.messages.claimDue(owner, lease, limit)).map(({ key }) => key);
  /** Leaves nothing due, so that every test begins with an empty outbox. */
  const deliverAll = async () => {
    const { store, clock } = rig();
    clock.at += 10 * lease;
    for (const row of await store.messages.claimDue('settle', lease, 1000)) {
      await store.messages.delivered(row.key, row.wanted, '1.0');
    }
  };

  test('putting the same content changes nothing, and putting other content makes a new version', async () => {
    const { store, replica } = rig();
    expect(await store.messages.put(card('m1'))).toBe(true);
    expect(await replica.messages.put(card('m1'))).toBe(false);
    expect(await replica.messages.put(card('m1', '"running"'))).toBe(true);
    expect(await store.messages.find('m1')).toMatchObject({ view: '"running"', wanted: 2, delivered: 0, state: 'due' });
    expect(await store.messages.find('m0')).toBeUndefined();
    await deliverAll();
  });

  test('old messages are deleted, but not the message of an open alert', async () => {
    const { store, clock } = rig();
    const alert = {
      channel: 'C1',
      rule: 'order-status',
      groupKey: null,
      severity: 'warning',
      level: 0,
      finding: {},
      startsAt: null,
    } as const;
    for (const id of ['opened11', 'over1111']) {
      await store.alerts.insert({ ...alert, id, cause: id });
      await store.alerts.claimFor(id, [id]);
      await store.messages.put(card(`alert:${id}`));
    }
    await store.messages.put(card('card:gone1111'));
    const over = await store.alerts.find('over1111');
    await store.alerts.change('over1111', over?.version ?? 0, { resolvedAt: clock.at, state: 'resolved' });
    await deliverAll();
    clock.at += 1;
    expect(await store.messages.prune(clock.at)).toBeGreaterThanOrEqual(2);
    expect(await store.messages.find('alert:opened11')).toBeDefined();
    expect(await store.messages.find('alert:over1111')).toBeUndefined();
    expect(await store.messages.find('card:gone1111')).toBeUndefined();
  });

  test('due messages are claimed in order, by one process at a time, and again when the lease expires', async () => {
    const { store, clock } = rig();
    for (const key of ['first', 'second']) await store.messages.put(card(key));
    await store.messages.put({ ...card('third'), channel: 'C2' });
    await store.messages.put(card('first', '"edited"'));
    expect(await due('a', 2)).toEqual(['first', 'second']);
    expect(await due('b')).toEqual(['third']);
    expect(await due('a')).toEqual([]);
    clock.at += lease;
    expect(await due('b')).toEqual(['first', 'second', 'third']);
    await deliverAll();
  });

  test('replicas that claim at the same moment get different messages, and together all of them', async () => {
    const { store, replica } = rig();
    const keys = Array.from({ length: 60 }, (_, n) => `share-${n}`);
    for (const key of keys) await store.messages.put({ ...card(key), channel: key });
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? store : replica).messages.claimDue(`owner-${n}`, lease, 5)),
    );
    const got = claims.flat().map(({ key }) => key);
    expect(claims.every((some) => some.length <= 5)).toBe(true);
    expect(new Set(got).size).toBe(got.length);
    expect([...got, ...(await due())].sort()).toEqual(keys.sort());
    await deliverAll();
  });

  test('one claim of a message succeeds, also when the same owner claims twice', async () => {
    const { store } = rig();
    await store.messages.put(card('now'));
    const won = await race(rig(), 20, async ({ messages }) => (await messages.claimDue('a', lease, 1)).length === 1);
    expect(won).toBe(1);
    await deliverAll();
    expect(await due()).toEqual([]);
  });

  test('a message that changed while it was sent is due again', async () => {
    const { store } = rig();
    await store.messages.put(card('edit', '"1"'));
    const [sent] = await store.messages.claimDue('a', lease, 1);
    expect(sent).toMatchObject({ view: '"1"', wanted: 1, ts: null });
    await store.messages.put(card('edit', '"2"'));
    expect(await due('b')).toEqual([]);
    expect(await store.messages.delivered('edit', 1, '171.5')).toBe(true);
    expect(await store.messages.find('edit')).toMatchObject({ state: 'due', ts: '171.5', delivered: 1, wanted: 2 });
    expect(await store.messages.claimDue('a', lease, 1)).toMatchObject([{ view: '"2"', ts: '171.5' }]);
    expect(await store.messages.delivered('edit', 2)).toBe(true);
    expect(await store.messages.find('edit')).toMatchObject({ state: 'delivered', ts: '171.5', claimedBy: null });
    expect(await store.messages.delivered('edit', 2)).toBe(false);
    expect(await store.messages.delivered('edit', 3)).toBe(false);
    expect(await due()).toEqual([]);
  });

  test('a message that an older edit overwrote is delivered once more', async () => {
    const { store } = rig();
    await store.messages.put(card('late', '"1"'));
    await store.messages.delivered('late', 1, '171.6');
    await store.messages.put(card('late', '"waiting"'));
    const [older] = await store.messages.claimDue('frozen', lease, 1);
    await store.messages.put(card('late', '"done"'));
    await store.messages.delivered('late', 3, '171.6');
    expect(await due()).toEqual([]);

    expect(await store.messages.delivered('late', older?.wanted ?? 0, '171.6')).toBe(false);

    expect(await store.messages.claimDue('b', lease, 1)).toMatchObject([{ key: 'late', view: '"done"', ts: '171.6' }]);
    expect(await store.messages.delivered('late', 4, '171.6')).toBe(true);
    expect(await due()).toEqual([]);
  });

  test('new messages are claimed before edits, each in the order in which they were put', async () => {
    const { store } = rig();
    await store.messages.put(card('old'));
    await store.messages.delivered('old', 1, '171.1');
    await store.messages.put(card('old', '"edited"'));
    await store.messages.put(card('new-1'));
    await store.messages.put(card('new-2'));
    expect(await due()).toEqual(['new-1', 'new-2', 'old']);
    await deliverAll();
  });

  test('a reply waits for its parent, and gets the timestamp of the parent', async () => {
    const { store } = rig();
    await store.messages.put(card('parent'));
    await store.messages.put({ ...card('reply'), parentKey: 'parent', userId: 'U1' });
    expect(await due()).toEqual(['parent']);
    await store.messages.delivered('parent', 1, '171.9');
    const [reply] = await store.messages.claimDue('a', lease, 10);
    expect(reply).toMatchObject({ key: 'reply', parentTs: '171.9', userId: 'U1' });
    await deliverAll();
  });

  test('a reply does not wait for an edit of its parent, nor for a parent that will never be posted', async () => {
    const { store } = rig();
    await store.messages.put(card('shown'));
    expect(await due()).toEqual(['shown']);
    await store.messages.delivered('shown', 1, '171.9');
    await store.messages.put(card('shown', '"other"'));
    await store.messages.put({ ...card('to shown'), parentKey: 'shown' });
    expect(await due()).toEqual(['to shown', 'shown']);
    await store.messages.put(card('dead'));
    await store.messages.put({ ...card('to dead'), parentKey: 'dead' });
    expect(await due()).toEqual(['dead']);
    await store.messages.dead('dead', 'channel_not_found');
    expect(await due()).toEqual(['to dead']);
    await deliverAll();
  });

  test('a postponed message is due again at its time, and a dead message only with new content', async () => {
    const { store, clock } = rig();
    await store.messages.put(card('slow'));
    expect(await due()).toEqual(['slow']);
    await store.messages.postpone('slow', 5000, 'Slack answered 429');
    expect(await due()).toEqual([]);
    // New content keeps the wait that Slack asked for.
    await store.messages.put(card('slow', '"2"'));
    expect(await due()).toEqual([]);
    clock.at += 5000;
    expect(await due()).toEqual(['slow']);
    await store.messages.postpone('slow', 0, 'no answer');
    expect(await store.messages.find('slow')).toMatchObject({ attempts: 1, error: 'no answer' });
    await store.messages.dead('slow', 'channel_not_found');
    expect(await due()).toEqual([]);
    expect(await store.messages.find('slow')).toMatchObject({ state: 'dead', error: 'channel_not_found' });
    await store.messages.put(card('slow', '"3"'));
    expect(await due()).toEqual(['slow']);
    await deliverAll();
  });

  test('a message that waits delays the later messages of its channel, and an edit that waits does not', async () => {
    const { store, clock } = rig();
    await store.messages.put(card('head'));
    await store.messages.postpone('head', 5000, 'Slack is away');
    await store.messages.put(card('behind'));
    await store.messages.put({ ...card('elsewhere'), channel: 'C2' });
    expect(await due()).toEqual(['elsewhere']);
    clock.at += 5000;
    expect(await due()).toEqual(['head', 'behind']);
    await store.messages.delivered('head', 1, '171.1');
    await store.messages.put(card('head', '"edited"'));
    await store.messages.postpone('head', 1000, 'edited less than a second ago');
    await store.messages.put(card('new'));
    expect(await due()).toEqual(['new']);
    clock.at += lease;
    await deliverAll();
  });

  test('waiting messages are counted, and messages delivered long ago are pruned', async () => {
    const { store, clock } = rig();
    expect(await store.messages.pending()).toBe(0);
    await store.messages.put(card('w1'));
    await store.messages.put(card('w2'));
    expect(await store.messages.pending()).toBe(2);
    await store.messages.delivered('w2', 1, '1.2');
    for (const key of ['w3', 'w4', 'w5']) {
      await store.messages.put(card(key));
      await store.messages.delivered(key, 1, '1.3');
    }
    const { queries } = rig();
    queries.length = 0;
    // Some at a time, so that no statement delays other writes.
    expect(await store.messages.prune(clock.at + 1, 2)).toBeGreaterThanOrEqual(4);
    expect(queries.length).toBeGreaterThanOrEqual(3);
    expect(await store.messages.find('w2')).toBeUndefined();
    expect(await store.messages.find('w1')).toBeDefined();
  });
});
