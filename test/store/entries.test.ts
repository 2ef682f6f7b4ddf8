import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { engines, freshDatabase } from '../support/databases.ts';

test.each(engines)(
  'on %s a read has one text for any number of keys, and unusual keys are read unchanged',
  async (engine) => {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const texts = new Set<string>();
    const store = await openStore(database.url, { onQuery: ({ sql }) => texts.add(sql) });
    onTestFinished(() => store.close());
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
  },
);
