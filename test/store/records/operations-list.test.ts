import { expect } from 'vitest';
import type { OperationFilter } from '../../../src/core/command/bot-port.ts';
import type { OperationState } from '../../../src/core/plan/operation.ts';
import type { NewOperation } from '../../../src/store/records/operation-row.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { anew, onEachEngine } from '../conformance.ts';
import { newOperation } from '../rows.ts';

// Each read of requests finds the matching ones and no other, in its order.

const test = anew();

onEachEngine('requests are found', (rig) => {
  const states = ['waiting', 'approved', 'running', 'reading', 'done', 'failed'] as const;
  /** One of each state, each made a moment after the one before. */
  async function make(prefix: string, more: Partial<NewOperation> = {}) {
    const { store, clock } = rig();
    for (const state of states) {
      clock.at += 10;
      await store.operations.insert(newOperation({ id: `${prefix}-${state}`, state, ...more }), []);
    }
  }

  test('by each field of the filter, newest first', async ({ store }) => {
    await make('a', { requester: 'U7', channel: 'C7', command: 'rename' });
    await make('b');
    const found = async (filter: Omit<OperationFilter, 'limit'>) =>
      (await store.operations.list({ limit: 99, ...filter })).map(({ id }) => id);
    const newestFirst = (prefix: string, ...some: readonly OperationState[]) =>
      (some.length > 0 ? some : states).map((state) => `${prefix}-${state}`).toReversed();
    expect(await found({})).toEqual([...newestFirst('b'), ...newestFirst('a')]);
    expect(await found({ requester: 'U7' })).toEqual(newestFirst('a'));
    expect(await found({ channel: 'C7' })).toEqual(newestFirst('a'));
    expect(await found({ commands: ['rename', 'stop'] })).toEqual(newestFirst('a'));
    expect(await found({ commands: ['rename', 'restart'] })).toHaveLength(12);
    const a = { channel: 'C7' };
    expect(await found({ ...a, states: ['running'] })).toEqual(['a-running']);
    expect(await found({ ...a, states: ['done'] })).toEqual(['a-done']);
    expect(await found({ ...a, states: ['running', 'done'] })).toEqual(newestFirst('a', 'running', 'done'));
    expect(await found({ ...a, states: ['running', 'reading'] })).toEqual(newestFirst('a', 'running', 'reading'));
    expect(await found({ ...a, states: ['running', 'done'], open: true })).toEqual(['a-running']);
    expect(await found({ ...a, states: ['running', 'done'], open: false })).toEqual(['a-done']);
    expect(await found({ ...a, open: true })).toEqual(newestFirst('a', ...states.slice(0, 4)));
    expect(await found({ ...a, open: false })).toEqual(newestFirst('a', 'done', 'failed'));
  });

  test('in the index of open requests, when the filter has open states only', async ({ store, sent }) => {
    const asksForOpen = async (filter: Omit<OperationFilter, 'limit'>) => {
      await store.operations.list({ limit: 1, ...filter });
      return sent
        .at(-1)
        ?.sql.includes(`"state" in ('waiting', 'approved', 'scheduled', 'cooling', 'standing', 'running', 'reading')`);
    };
    expect(await asksForOpen({ states: ['waiting'] })).toBe(true);
    expect(await asksForOpen({ states: ['waiting', 'running'] })).toBe(true);
    expect(await asksForOpen({ open: true })).toBe(true);
    expect(await asksForOpen({ states: ['done'] })).toBe(false);
    expect(await asksForOpen({ states: ['waiting', 'done'] })).toBe(false);
    expect(await asksForOpen({})).toBe(false);
  });

  test('page by page, also where two were made at the same moment', async ({ store, clock }) => {
    for (const id of ['p1', 'p3', 'p2']) await store.operations.insert(newOperation({ id, requester: 'U8' }), []);
    const page = async (before?: { createdAt: number; id: string }) =>
      (await store.operations.list({ requester: 'U8', limit: 2, ...(before && { before }) })).map(({ id }) => id);
    expect(await page()).toEqual(['p3', 'p2']);
    expect(await page({ createdAt: clock.at, id: 'p2' })).toEqual(['p1']);
  });

  test('together, by their ids, and unknown ids are left out', async ({ store, sent }) => {
    const found = await Promise.all(['b-done', 'none', 'a-done', 'b-done'].map((id) => store.operations.find(id)));
    expect(found.map((row) => row?.id)).toEqual(['b-done', undefined, 'a-done', 'b-done']);
    expect(sent).toHaveLength(1);
  });

  test('of these commands that have not begun, for an hour or for none', async ({ store, database }) => {
    for (const [id, startsAt, state] of [
      ['c-hour', 7_200_000, 'scheduled'],
      ['c-later', 7_260_000, 'waiting'],
      ['c-ready', null, 'cooling'],
    ] as const)
      await store.operations.insert(newOperation({ id, command: 'at', startsAt, state }), []);
    const at = async (startsAt: number | null) =>
      (await store.operations.notBegun(['at'], startsAt)).map(({ id }) => id);
    expect(await Promise.all([at(7_200_000), at(7_199_000), at(7_205_000), at(null), at(0)])).toEqual([
      ['c-hour'],
      ['c-hour'],
      ['c-later', 'c-hour'],
      ['c-ready'],
      [],
    ]);
    await database.run("delete from operations where command = 'at'");
    const waiting = async (...commands: string[]) =>
      (await store.operations.notBegun(commands, null)).map(({ id }) => id).filter((id) => !id.startsWith('p'));
    const asked = [waiting('rename'), waiting('restart', 'rename'), waiting('stop'), waiting('rename')];
    const both = ['b-waiting', 'a-waiting'];
    expect(await Promise.all(asked)).toEqual([['a-waiting'], both, [], ['a-waiting']]);
  });

  test('that have not ended, the oldest first, and are counted', async ({ store, database }) => {
    await database.run('delete from operations');
    await make('c');
    const { createdAt = 0 } = (await store.operations.find('c-reading')) ?? {};
    for (const id of ['c-2', 'c-1'])
      await store.operations.insert(newOperation({ id, state: 'reading', createdAt }), []);
    const none = { scheduled: 0, cooling: 0, standing: 0 };
    const open = ['c-waiting', 'c-approved', 'c-running', 'c-1', 'c-2', 'c-reading'];
    expect((await openOperations(store)).map(({ id }) => id)).toEqual(open);
    expect((await openOperations(store))[0]).toMatchObject(newOperation({ id: 'c-waiting' }));
    expect(await store.operations.countByState()).toEqual({ ...none, waiting: 1, approved: 1, running: 1, reading: 3 });
    await database.run("delete from operations where state = 'reading'");
    expect(await store.operations.countByState()).toEqual({ ...none, waiting: 1, approved: 1, running: 1, reading: 0 });
  });
});
