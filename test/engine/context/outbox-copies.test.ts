import { expect, onTestFinished, test } from 'vitest';
import { createOutbox } from '../../../src/engine/context/outbox.ts';
import { openStore } from '../../../src/store/database.ts';
import { engines, freshDatabase } from '../../support/databases.ts';

test.each(engines)(
  'on %s, of two processes that post a message, the later one learns that its post is a copy',
  async (engine) => {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const clock = { at: 1_800_000_000_000 };
    const store = await openStore(database.url, { now: () => clock.at });
    onTestFinished(() => store.close());
    const [mine, other] = ['mine', 'other'].map(
      (owner) => createOutbox(store, { owner, onUndeliverable: async () => {} }).outbox,
    );
    if (mine === undefined || other === undefined) throw new Error('two processes');
    await store.messages.put({ key: 'card', channel: 'C1', view: '{"summary":"a view"}' });
    expect(await mine.claim(10)).toHaveLength(1);
    expect(await other.claim(10)).toEqual([]);
    // The process hangs for as long as its claim lasts.
    clock.at += mine.claimMs;
    expect(await other.claim(10)).toHaveLength(1);
    expect(await other.delivered('card', 1, '2.0')).toBe(true);
    expect(await mine.delivered('card', 1, '1.0')).toBe(false);
    // The answer to the first call may be lost.
    expect(await other.delivered('card', 1, '2.0')).toBe(true);
    expect(await store.messages.find('card')).toMatchObject({ ts: '2.0', state: 'delivered' });
    expect(await mine.delivered('pruned', 1, '1.0')).toBe(true);
  },
);
