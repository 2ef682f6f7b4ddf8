import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { createOutbox } from '../../src/engine/context/outbox.ts';
import { openStore } from '../../src/store/database.ts';
import { engines, freshDatabase } from '../support/databases.ts';

// The next claim corrects a claim or a note whose answer was lost, before the old claim expires.

describe.each(engines)('the outbox on %s, when an answer of the database is lost', (engine) => {
  async function open() {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const store = await openStore(database.url);
    onTestFinished(() => store.close());
    const outboxOf = (owner: string) => createOutbox(store, { owner, onUndeliverable: async () => {} }).outbox;
    const put = (key: string) => store.messages.put({ key, channel: `C of ${key}`, view: '{"summary":"a view"}' });
    const [mine, other] = [outboxOf('mine'), outboxOf('other')];
    const claimed = async (outbox = mine) => (await outbox.claim(10)).map(({ key }) => key);
    /** Does the next call, and loses its answer. */
    const loseNext = (name: 'claimDue' | 'delivered' | 'postpone' | 'dead') => {
      const found: (...given: never[]) => Promise<unknown> = store.messages[name];
      const losing = async (...given: never[]) => {
        Object.assign(store.messages, { [name]: found });
        await found(...given);
        throw new StoreUnavailable('the connection was cut');
      };
      Object.assign(store.messages, { [name]: losing });
    };
    return { store, mine, other, put, claimed, loseNext };
  }

  test('messages of a lost claim are claimed again, and those under way or of another process are not', async () => {
    const { other, put, claimed, loseNext } = await open();
    await put('of the other');
    expect(await claimed(other)).toEqual(['of the other']);
    await put('under way');
    expect(await claimed()).toEqual(['under way']);
    await put('lost');
    loseNext('claimDue');
    await expect(claimed()).rejects.toThrow('the connection was cut');
    expect(await claimed(other)).toEqual([]);
    expect(await claimed()).toEqual(['lost']);
    expect(await claimed()).toEqual([]);
  });

  test.each(['delivered', 'postpone', 'dead'] as const)(
    'after a lost answer to "%s" the other messages stay claimed',
    async (name) => {
      const { mine, put, claimed, loseNext } = await open();
      await put('first');
      await put('second');
      const [first, second] = await mine.claim(10);
      loseNext(name);
      const ends = {
        delivered: () => mine.delivered(first?.key ?? '', first?.version ?? 0, '1.0'),
        postpone: () => mine.postpone(first?.key ?? '', 0, 'the channel waits'),
        dead: () => mine.undeliverable(first?.key ?? '', 'is_archived'),
      };
      await expect(ends[name]()).rejects.toThrow('the connection was cut');
      expect(await claimed()).toEqual(name === 'postpone' ? ['first'] : []);
      await mine.delivered('second', second?.version ?? 0, '2.0');
    },
  );

  test('a message whose delivery is just being noted is not claimed again', async () => {
    const { store, mine, put, claimed, loseNext } = await open();
    await put('first');
    const [message] = await mine.claim(10);
    const { delivered } = store.messages;
    const held = Promise.withResolvers<void>();
    store.messages.delivered = async (...given) => {
      await held.promise;
      return delivered(...given);
    };
    const noting = mine.delivered('first', message?.version ?? 0, '1.0');
    loseNext('claimDue');
    await expect(claimed()).rejects.toThrow('the connection was cut');
    expect(await claimed()).toEqual([]);
    held.resolve();
    await noting;
    expect(await claimed()).toEqual([]);
  });

  test('a delivery that was not noted is claimed again at once', async () => {
    const { store, mine, put, claimed } = await open();
    await put('first');
    const [message] = await mine.claim(10);
    const { delivered } = store.messages;
    store.messages.delivered = () => Promise.reject(new StoreUnavailable('the connection was cut'));
    await expect(mine.delivered('first', message?.version ?? 0, '1.0')).rejects.toThrow('the connection was cut');
    store.messages.delivered = delivered;
    expect(await claimed()).toEqual(['first']);
  });
});
