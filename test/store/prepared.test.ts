import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { engines, freshDatabase } from '../support/databases.ts';

// A statement is made once and kept: nothing of one call may stay in it for the next.

describe.each(engines)('prepared statements on %s', (engine) => {
  async function open() {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const texts = new Set<string>();
    let at = 1_000;
    const store = await openStore(database.url, {
      now: () => at,
      onQuery: ({ sql }) => {
        if (!/^(begin|commit|savepoint|release)/.test(sql)) texts.add(sql);
      },
    });
    onTestFinished(() => store.close());
    texts.clear();
    const pass = (ms: number) => {
      at += ms;
    };
    return { store, texts, pass };
  }

  test('each call of a prepared statement has its own values and its own time', async () => {
    const { store, texts, pass } = await open();
    for (const n of [1, 2, 3]) {
      await store.messages.put({ key: `key ${n}`, channel: `C${n}`, view: `{"n":${n}}` });
      const [claimed] = await store.messages.claimDue(`owner ${n}`, 1_000 * n, 5);
      const row = await store.messages.find(`key ${n}`);
      expect(claimed?.key).toBe(`key ${n}`);
      expect(row).toMatchObject({ channel: `C${n}`, claimedBy: `owner ${n}`, createdAt: store.now() });
      expect(row?.claimedUntil).toBe(store.now() + 1_000 * n);
      await store.messages.delivered(`key ${n}`, 1, `${n}.0`);
      expect(await store.messages.find(`key ${n}`)).toMatchObject({ ts: `${n}.0`, updatedAt: store.now() });
      pass(60_000);
    }
    // Put, claim, find and delivered: each has one text, however often it runs.
    expect(texts.size).toBe(4);
  });

  test('a statement has the same text for any number of keys, and unusual keys are read unchanged', async () => {
    const { store, texts } = await open();
    const keys = ['plain', `quote ' " \\`, 'line\nend', '{"json":[1]}', 'ü 🙂', 'null', ''];
    await store.entries.set(
      'space',
      keys.map((key) => ({ key, value: `value of ${key}`, expiresAt: null })),
    );
    texts.clear();
    const found = await store.entries.get('space', keys);
    expect(found).toEqual(new Map(keys.map((key) => [key, `value of ${key}`])));
    expect(await store.entries.get('space', ['plain', 'absent'])).toEqual(new Map([['plain', 'value of plain']]));
    expect(await store.entries.get('other', keys)).toEqual(new Map());
    expect(await store.entries.get('space', ['half \ud83d', 'nul \0'])).toEqual(new Map());
    expect(texts.size).toBe(1);
  });
});
