import { describe, expect, onTestFinished, test } from 'vitest';
import type { CardRows } from '../../../src/store/records/cards.ts';
import { openConsole } from '../../support/database/console.ts';
import { besideTransaction, onEachEngine, openAnew } from '../conformance.ts';
import { newOperation, newStep } from '../rows.ts';

// The messages of a request are drawn from its rows alone. Each test opens its own store: a statement keeps its text from
// its first use on.

onEachEngine('the messages of a request', (rig, engine) => {
  let count = 0;
  async function open() {
    const anew = await openAnew(rig());
    const make = async (...steps: readonly number[]): Promise<string> => {
      const id = `op-${count++}`;
      await rig().store.operations.insert(newOperation({ id }), steps.map(newStep));
      return id;
    };
    return { ...anew, make };
  }
  const card = (key: string, view = '"1"') => ({ key, channel: 'C1', view });

  test('are drawn from its rows, in their order, and from those of no other', async () => {
    const { store, clock, make } = await open();
    const [id, other] = [await make(2, 0, 1), await make(0)];
    for (const userId of ['U2', 'U1']) await store.votes.cast({ operationId: id, userId, vote: 'approve' });
    await store.votes.cast({ operationId: id, userId: 'U3', vote: 'approve', at: clock.at - 5 });
    await store.votes.cast({ operationId: other, userId: 'U4', vote: 'approve' });
    const drawn: CardRows[] = [];
    const drawing = [id, other].map((one) =>
      store.cards.put(one, (rows) => {
        drawn.push(rows);
        return [card(`card:${rows.operation.id}`)];
      }),
    );
    const operations = await Promise.all([id, other].map((one) => store.operations.find(one)));
    expect(await Promise.all(drawing)).toEqual(operations.map((operation) => ({ operation, isChanged: true })));
    const steps = await Promise.all([id, other].map((one) => store.steps.list(one)));
    const votes = await Promise.all([id, other].map((one) => store.votes.list(one)));
    expect(drawn).toEqual([0, 1].map((at) => ({ operation: operations[at], steps: steps[at], votes: votes[at] })));
    expect(drawn[0]?.steps.map(({ n }) => n)).toEqual([0, 1, 2]);
    expect(drawn[0]?.votes.map(({ userId }) => userId)).toEqual(['U3', 'U1', 'U2']);
  });

  test('are reported as changed when one of them changed', async () => {
    const { store, make } = await open();
    const id = await make();
    const put = async (...messages: ReturnType<typeof card>[]) =>
      (await store.cards.put(id, () => messages))?.isChanged;
    const [a, b] = [card(`a:${id}`), card(`b:${id}`)];
    expect(await put(a)).toBe(true);
    expect(await put(a)).toBe(false);
    expect(await put(a, b)).toBe(true);
    expect(await put(a, b)).toBe(false);
    expect(await put()).toBe(false);
    expect((await store.cards.put(id, () => undefined))?.isChanged).toBe(false);
    expect(await put(card(a.key, '"2"'))).toBe(true);
    expect(await store.messages.find(a.key)).toMatchObject({ view: '"2"', wanted: 2 });
    expect(await store.messages.find(b.key)).toMatchObject({ view: '"1"', wanted: 1 });
  });

  test('are put once, when they are drawn twice at the same moment', async () => {
    const { store, sent, make } = await open();
    const [id, other] = [await make(), await make()];
    const drawing = [id, id, other, 'none'].map((one) => store.cards.put(one, () => [card(`card:${one}`)]));
    const drawn = await Promise.all(drawing);
    expect(drawn.map((one) => one?.isChanged && one.operation.id)).toEqual([id, id, other, undefined]);
    expect(sent.filter(({ sql }) => /^(select|insert)/.test(sql))).toHaveLength(4);
    expect(await store.messages.find('card:none')).toBeUndefined();
  });

  test('are drawn of fifty requests at a time', async () => {
    const { store, sent, make } = await open();
    const id = await make();
    await Promise.all(Array.from({ length: 51 }, () => store.cards.put(id, () => [card(`card:${id}`)])));
    expect(sent.filter(({ sql }) => sql.includes('from "operations"'))).toHaveLength(2);
  });

  describe.runIf(engine === 'postgres')('where another process changes it', () => {
    const draw = (ids: readonly string[]) =>
      Promise.all(
        ids.map((id) =>
          rig().store.cards.put(id, ({ operation }) => [card(`card:${id}`, JSON.stringify(operation.endText))]),
        ),
      );
    const waitsAt = 'select % from "operations"%for update';

    test('show that change, once it is committed', async () => {
      const { store, database, make } = await open();
      const id = await make();
      const [drawn] = await besideTransaction(database.url, {
        before: (other) => other.run(`update operations set end_text = 'changed' where id = '${id}'`),
        work: () => draw([id]),
        waitsAt,
      });
      expect(drawn?.operation.endText).toBe('changed');
      expect(await store.messages.find(`card:${id}`)).toMatchObject({ view: '"changed"' });
    });

    test('wait for no change of another request', async () => {
      const { database, make } = await open();
      const [id, other] = [await make(), await make()];
      const client = await openConsole(database.url);
      onTestFinished(client.close);
      const [drawn] = await client.inTransaction(async () => {
        await client.run(`update operations set end_text = 'changed' where id = '${other}'`);
        return draw([id]);
      });
      expect(drawn).toMatchObject({ operation: { id }, isChanged: true });
    });

    test('are locked in the order of the requests, so that neither waits for the other for ever', async () => {
      const { store, database } = await open();
      for (const id of ['b', 'a']) await store.operations.insert(newOperation({ id }), []);
      const drawn = await besideTransaction(database.url, {
        before: (other) => other.run("select 1 from operations where id = 'a' for update"),
        work: () => draw(['b', 'a']),
        waitsAt,
        during: (other) => other.run("select 1 from operations where id = 'b' for update nowait"),
      });
      expect(drawn.map((one) => one?.isChanged)).toEqual([true, true]);
    });
  });
});
