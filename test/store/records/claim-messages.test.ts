import { describe, expect, onTestFinished, test } from 'vitest';
import type { NewMessage } from '../../../src/store/records/message-row.ts';
import { openConsole } from '../../support/database/console.ts';
import { onEachEngine, openAnew, race } from '../conformance.ts';

// One statement claims the next messages. Each test opens its own store: the statement keeps its text from its first use on.

const lease = 500;
const card = (key: string, more: Partial<NewMessage> = {}): NewMessage => ({
  key,
  channel: 'C1',
  view: '"1"',
  ...more,
});
/** A message in the channel that is named by the first letter of its key. */
const inChannel = (key: string, more: Partial<NewMessage> = {}) => card(key, { channel: key.charAt(0), ...more });

onEachEngine('messages to deliver', (rig, engine) => {
  async function open() {
    const { messages } = (await openAnew(rig(), 'messages')).store;
    const claim = async (owner = 'me', limit = 99) =>
      (await messages.claimDue(owner, lease, limit)).map(({ key }) => key);
    /** Posted messages whose view has changed since. */
    const edit = async (...keys: string[]) => {
      for (const key of keys) {
        await messages.put(inChannel(key));
        await messages.delivered(key, 1, `1.${key}`);
        await messages.put(inChannel(key, { view: '"2"' }));
      }
    };
    const put = async (...keys: string[]) => {
      for (const key of keys) await messages.put(inChannel(key));
    };
    return { ...rig(), messages, claim, edit, put };
  }

  test('are claimed by one process until its lease is over', async () => {
    const { messages, claim, put, clock, replica } = await open();
    await put('a1', 'b1');
    const [claimed] = await messages.claimDue('me', lease, 1);
    expect(claimed).toEqual({ ...(await replica.messages.find('a1')), parentTs: null });
    expect(claimed).toMatchObject({ key: 'a1', claimedBy: 'me', claimedUntil: clock.at + lease });
    expect(await replica.messages.find('b1')).toMatchObject({ claimedBy: null, claimedUntil: 0 });
    expect(await claim()).toEqual(['b1']);
    clock.at += lease - 1;
    expect(await claim('other')).toEqual([]);
    clock.at += 1;
    expect(await claim('other')).toEqual(['a1', 'b1']);
  });

  test('are claimed up to a limit, new ones first, each in the order in which they were stored', async () => {
    const { messages, claim, edit, put, clock } = await open();
    await edit('a1', 'b1', 'c1');
    await put('a2', 'd1', 'c2', 'd2');
    await edit('e1');
    // The rows are not stored in this order now.
    for (let round = 0; round < 2; round += 1) {
      expect(await claim('me', 3)).toEqual(['a2', 'd1', 'c2']);
      expect(await claim('me', 3)).toEqual(['d2', 'a1', 'b1']);
      expect(await claim('me', 3)).toEqual(['c1', 'e1']);
      clock.at += lease;
      for (const key of ['a2', 'd1']) await messages.put(inChannel(key, { view: `"edited ${round}"` }));
    }
    expect(await claim()).toEqual(['a2', 'd1', 'c2', 'd2', 'a1', 'b1', 'c1', 'e1']);
  });

  test('are each claimed once by simultaneous callers, also when one owner calls twice', async () => {
    await open();
    const keys = Array.from({ length: 24 }, (_, n) => `share-${n}`);
    await rig().store.messages.putAll(keys.map((key) => card(key, { channel: key })));
    const got: string[] = [];
    await race(rig(), 12, async ({ messages }, n) => {
      const claimed = await messages.claimDue(`owner-${n % 4}`, lease, 3);
      got.push(...claimed.map(({ key }) => key));
      return claimed.length <= 3;
    });
    got.push(...(await rig().store.messages.claimDue('last', lease, 99)).map(({ key }) => key));
    expect(got.toSorted()).toEqual(keys.toSorted());
  });

  test('wait for their time, and new ones behind one that waits in its channel', async () => {
    const { messages, claim, edit, put, clock, database } = await open();
    await edit('a0');
    await put('a1', 'a2', 'a3', 'b1');
    await claim();
    for (const key of ['a2', 'a0']) await messages.postpone(key, lease, 'away');
    clock.at += lease - 1;
    await database.run('update messages set claimed_until = 0');
    expect(await claim()).toEqual(['a1', 'b1']);
    clock.at += 1;
    expect(await claim()).toEqual(['a2', 'a3', 'a0']);
  });

  test('wait behind the first of several that wait in their channel, and not behind an edit that waits', async () => {
    const { messages, claim, edit, put } = await open();
    await edit('b1');
    await put('a1', 'a2', 'a3', 'a4', 'b2');
    for (const key of ['a2', 'a4', 'b1']) await messages.postpone(key, lease, 'away');
    expect(await claim()).toEqual(['a1', 'b2']);
  });

  test('include replies to a parent that is in Slack, with its timestamp, or that will never be there', async () => {
    const { messages, edit, put } = await open();
    await edit('a1');
    await put('b1', 'c1', 'd1');
    await messages.dead('c1', 'channel_not_found');
    await messages.delivered('d1', 1, '1.d1');
    for (const parentKey of ['a1', 'b1', 'c1', 'd1', 'none'])
      await messages.put(card(`to ${parentKey}`, { channel: `to ${parentKey}`, parentKey }));
    const claimed = await messages.claimDue('me', lease, 99);
    expect(claimed.map(({ key, parentTs }) => [key, parentTs])).toEqual([
      ['b1', null],
      ['to a1', '1.a1'],
      ['to c1', null],
      ['to d1', '1.d1'],
      ['to none', null],
      ['a1', null],
    ]);
    await messages.delivered('b1', 1, '1.b1');
    expect(await messages.claimDue('me', lease, 99)).toMatchObject([{ key: 'to b1', parentTs: '1.b1' }]);
  });

  test('of an excluded channel are its edits only', async () => {
    const { messages, claim, edit, put, clock } = await open();
    const except = async (...channels: string[]) =>
      (await messages.claimDue('me', lease, 99, channels)).map(({ key }) => key);
    await edit('a0');
    await put('a1', 'b1', 'c1', 'd1');
    expect(await except('a', 'c')).toEqual(['b1', 'd1', 'a0']);
    expect(await except('c')).toEqual(['a1']);
    expect(await claim()).toEqual(['c1']);
    clock.at += lease;
    expect(await except('a', 'b', 'c', 'd')).toEqual(['a0']);
  });

  describe.runIf(engine === 'postgres')('when several replicas claim them', () => {
    test.each([
      ['those before the first claim', 2, ['a1'], ['a1', 'b1']],
      ['none behind the first of several claims', 99, ['a2', 'a4'], ['b1']],
    ])('are %s of another replica', async (_, limit, free, got) => {
      const { claim, put, database } = await open();
      await put('a1', 'a2', 'a3', 'a4');
      await claim('other', limit);
      await database.run(`update messages set claimed_until = 0 where key in ('${free.join("', '")}')`);
      await put('b1');
      expect([...(await claim('me', got.length)), ...(await claim())]).toEqual(got);
    });

    test('are those of other channels, with any number behind a claim of another replica', async () => {
      const { claim, edit, put, clock } = await open();
      await edit('a0', 'b0');
      await put('a1', 'a2', 'a3', 'b1', 'b2');
      await edit('a9');
      expect(await claim('other', 1)).toEqual(['a1']);
      expect(await claim('me', 1)).toEqual(['b1']);
      // A replica's own claims delay nothing.
      expect(await claim('me', 2)).toEqual(['b2', 'a0']);
      // An edit is not delayed either.
      expect(await claim('me', 2)).toEqual(['b0', 'a9']);
      expect(await claim('other', 1)).toEqual(['a2']);
      clock.at += lease;
      expect(await claim('me', 3)).toEqual(['a1', 'a2', 'a3']);
    });

    test('exclude those that another replica is about to claim', async () => {
      const { claim, edit, put, clock, database } = await open();
      const client = await openConsole(database.url);
      onTestFinished(client.close);
      await edit('a0');
      await put('a1', 'a2', 'a3', 'b1', 'b2');
      await client.inTransaction(async () => {
        await client.run("select 1 from messages where key in ('a1', 'a3') for update");
        expect(await claim()).toEqual(['b1', 'b2', 'a0']);
      });
      expect(await claim()).toEqual(['a1', 'a2', 'a3']);
      clock.at += lease;
      // The own claim is over, and another replica is about to claim the first message.
      await client.inTransaction(async () => {
        await client.run("select 1 from messages where key = 'a1' for update");
        expect(await claim()).toEqual(['b1', 'b2', 'a0']);
      });
    });
  });
});
