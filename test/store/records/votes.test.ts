import { expect } from 'vitest';
import { onEachEngine, race, test } from '../conformance.ts';
import { newOperation } from '../rows.ts';

onEachEngine('votes', (rig) => {
  const cast = { operationId: 'op1', userId: 'U1', vote: 'approve' } as const;

  test('a vote is stored with its time, and counts once', async ({ store, clock }) => {
    await store.operations.insert(newOperation({ id: 'op1' }), []);
    await store.operations.insert(newOperation({ id: 'op2' }), []);
    expect(await store.votes.cast({ ...cast, at: clock.at + 1 })).toBe(true);
    const first = { ...cast, at: clock.at + 1, isVoid: false, why: null };
    expect(await store.votes.list('op1')).toEqual([first]);
    expect(await store.votes.cast({ ...cast, vote: 'confirm' })).toBe(false);
    expect(await store.votes.list('op1')).toEqual([first]);
    expect(await store.votes.cast({ ...cast, operationId: 'op2' })).toBe(true);
    expect(await race(rig(), 20, ({ votes }) => votes.cast({ ...cast, userId: 'U2' }))).toBe(1);
    expect(await store.votes.list('op2')).toEqual([
      { ...cast, operationId: 'op2', at: clock.at, isVoid: false, why: null },
    ]);
  });

  test('votes are listed in the order in which they were cast', async ({ store, clock }) => {
    await store.votes.cast({ ...cast, userId: 'U3' });
    await store.votes.cast({ ...cast, userId: 'U0' });
    expect((await store.votes.list('op1')).map(({ userId }) => userId)).toEqual(['U0', 'U2', 'U3', 'U1']);
    expect(await store.votes.list('none')).toEqual([]);
    expect((await store.votes.list('op1')).map(({ at }) => at - clock.at)).toEqual([0, 0, 0, 1]);
  });

  test('a vote becomes void alone, once, and may be cast again', async ({ store, clock }) => {
    expect(await store.votes.void('op1', 'U1', 'left the group')).toBe(true);
    expect(await store.votes.void('op1', 'U1', 'again')).toBe(false);
    const of = async (id: string) =>
      (await store.votes.list(id)).map(({ userId, why, isVoid }) => [userId, why, isVoid]);
    expect(await of('op1')).toEqual([
      ['U0', null, false],
      ['U2', null, false],
      ['U3', null, false],
      ['U1', 'left the group', true],
    ]);
    expect(await of('op2')).toEqual([['U1', null, false]]);
    expect(await store.votes.cast({ ...cast, vote: 'confirm', at: clock.at + 9 })).toBe(true);
    const seen = (await store.votes.list('op1')).at(-1);
    expect(seen).toEqual({ ...{ ...cast, vote: 'confirm' }, ...{ at: clock.at + 9, isVoid: false, why: null } });
    expect(await store.votes.void('op1', 'nobody', 'no')).toBe(false);
  });
});
