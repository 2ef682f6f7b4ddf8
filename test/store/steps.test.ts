import { describe, expect, test } from 'vitest';
import type { StepState } from '../../src/core/operation.ts';
import { newStepRow, type StepPatch } from '../../src/store/steps.ts';
import { onEachEngine } from './conformance.ts';
import { newOperation, newStep } from './rows.ts';

// Each change of a step is one statement that changes this step alone, and only from the states that are named.

const empty = {
  ...{ attempt: null, receipt: null, job: null, note: null, watchOwner: null, watchUntil: 0, seenAway: 0 },
  ...{ startedAt: null, acceptedAt: null, endedAt: null, state: 'pending' },
};

test('a row of a step that is new is pending and empty, unless it says otherwise', () => {
  expect(newStepRow('op1', newStep(1))).toEqual({ operationId: 'op1', ...newStep(1), ...empty });
  const left = { ...newStep(1), state: 'skipped', note: 'not today' } as const;
  expect(newStepRow('op1', left)).toEqual({ operationId: 'op1', ...empty, ...left });
});

onEachEngine('steps', (rig) => {
  let count = 0;
  /** A request with two steps, beside another one. */
  async function make(command = 'restart'): Promise<string> {
    const id = `op-${count++}`;
    const steps = [newStep(1), newStep(0)];
    await rig().store.operations.insert(newOperation({ id, command, state: 'approved' }), steps);
    await rig().store.operations.insert(newOperation({ id: `${id}-other` }), [newStep(1)]);
    return id;
  }
  const read = async (id: string, n = 1) => (await rig().store.steps.list(id)).find((step) => step.n === n);
  /** The other step of the request, and that of the other request, are as they were. */
  async function expectOthersUntouched(id: string) {
    expect(await read(id, 0)).toEqual({ operationId: id, ...newStep(0), ...empty });
    expect(await read(`${id}-other`)).toEqual({ operationId: `${id}-other`, ...newStep(1), ...empty });
  }
  async function goTo(id: string, ...states: StepState[]) {
    for (const [at, to] of states.entries())
      expect(await rig().store.steps.move(id, 1, states[at - 1] ?? 'pending', to)).toBe(true);
  }

  test('they are listed in their order, of one request or of several', async () => {
    const { store, queries } = rig();
    const id = await make();
    expect((await store.steps.list(id)).map(({ n }) => n)).toEqual([0, 1]);
    expect(await store.steps.list('none')).toEqual([]);
    const all = await store.steps.listAll([`${id}-other`, id]);
    expect(all.map(({ operationId, n }) => [operationId, n])).toEqual([
      [id, 0],
      [id, 1],
      [`${id}-other`, 1],
    ]);
    queries.length = 0;
    expect(await store.steps.listAll([])).toEqual([]);
    expect(queries).toEqual([]);
  });

  describe('a step begins', () => {
    const patch = { attempt: 'a1', data: { changed: true } };

    test('once, and only that one', async () => {
      const { store, clock } = rig();
      const id = await make();
      expect(await store.steps.begin(id, 1, patch)).toBe(true);
      const begun = { state: 'running', startedAt: clock.at, ...patch };
      expect(await read(id)).toEqual({ operationId: id, ...newStep(1), ...empty, ...begun });
      await expectOthersUntouched(id);
      clock.at += 1;
      expect(await store.steps.begin(id, 1, { attempt: 'a2', data: {} })).toBe(false);
      expect(await read(id)).toMatchObject(begun);
    });

    test('not after somebody stopped its request', async () => {
      const { store, database } = rig();
      const id = await make();
      await database.run(`update operations set stop_by = 'U1' where id = '${id}-other'`);
      expect(await store.steps.begin(id, 0, patch)).toBe(true);
      await database.run(`update operations set stop_by = 'U1' where id = '${id}'`);
      expect(await store.steps.begin(id, 1, patch)).toBe(false);
      expect((await read(id))?.state).toBe('pending');
    });
  });

  describe('a step moves', () => {
    test('with the times of its states, of which that of its acceptance stays', async () => {
      const { store, clock } = rig();
      const id = await make();
      const times = async () => {
        const { startedAt, acceptedAt, endedAt } = (await read(id)) ?? empty;
        clock.at += 10;
        return [startedAt, acceptedAt, endedAt];
      };
      const at = clock.at;
      await goTo(id, 'running');
      expect(await times()).toEqual([at, null, null]);
      await store.steps.move(id, 1, 'running', 'accepted');
      expect(await times()).toEqual([at, at + 10, null]);
      await store.steps.move(id, 1, 'accepted', 'verifying');
      expect(await times()).toEqual([at, at + 10, null]);
      await store.steps.move(id, 1, 'verifying', 'done');
      expect(await times()).toEqual([at, at + 10, at + 30]);
      await expectOthersUntouched(id);
    });

    test('without a job, when it is read back at once, it is accepted then', async () => {
      const { clock } = rig();
      const id = await make();
      await goTo(id, 'running', 'reading');
      expect(await read(id)).toMatchObject({ acceptedAt: null, endedAt: null });
      await rig().store.steps.move(id, 1, 'reading', 'verifying');
      expect(await read(id)).toMatchObject({ acceptedAt: clock.at });
    });

    test('only from the states that are named, and only where one may follow the other', async () => {
      const { store } = rig();
      const id = await make();
      await goTo(id, 'running');
      expect(await store.steps.move(id, 1, 'accepted', 'verifying')).toBe(false);
      expect(await store.steps.move(id, 1, ['accepted', 'running'], 'failed')).toBe(true);
      expect((await read(id))?.state).toBe('failed');
      const wrong = 'a step never goes from pending to done';
      await expect(store.steps.move(id, 1, ['verifying', 'pending'], 'done')).rejects.toThrow(wrong);
      await expect(store.steps.move(id, 1, 'pending', 'done')).rejects.toThrow(wrong);
      await expectOthersUntouched(id);
    });

    test('for the process that sent it, and for no other', async () => {
      const { store } = rig();
      const id = await make();
      await store.steps.begin(id, 1, { attempt: 'a1', data: {} });
      expect(await store.steps.move(id, 1, 'running', 'failed', { note: 'no' }, 'a2')).toBe(false);
      expect(await read(id)).toMatchObject({ state: 'running', note: null });
      expect(await store.steps.move(id, 1, 'running', 'failed', { note: 'no' }, 'a1')).toBe(true);
      expect(await read(id)).toMatchObject({ state: 'failed', note: 'no' });
    });

    test('and is watched from then on, when it says so', async () => {
      const { store, clock } = rig();
      const id = await make();
      await goTo(id, 'running');
      await store.steps.move(id, 1, 'running', 'accepted', { watch: { owner: 'me', forMs: 500 } });
      expect(await read(id)).toMatchObject({ watchOwner: 'me', watchUntil: clock.at + 500 });
      await store.steps.move(id, 1, 'accepted', 'verifying');
      expect(await read(id)).toMatchObject({ watchOwner: 'me', watchUntil: clock.at + 500 });
    });

    test.each<[StepPatch]>([
      [{ data: { is: 'new' } }],
      [{ receipt: { text: 'job 8' } }],
      [{ receipt: null }],
      [{ job: { id: 8 } }],
      [{ job: null }],
      [{ note: 'a note', attempt: 'a3' }],
      [{ startedAt: 1, acceptedAt: 2, endedAt: 3 }],
    ])('with what is given: %j', async (patch) => {
      const id = await make();
      await goTo(id, 'running');
      const before = await read(id);
      await rig().store.steps.move(id, 1, 'running', 'reading', patch);
      expect(await read(id)).toEqual({ ...before, state: 'reading', ...patch });
    });
  });

  test('a target that was seen away is noted for its step', async () => {
    const { store } = rig();
    const id = await make();
    await store.steps.sawAway(id, 1);
    await store.steps.sawAway(id, 1);
    expect(await read(id)).toEqual({ operationId: id, ...newStep(1), ...empty, seenAway: 1 });
    await expectOthersUntouched(id);
  });

  test('a watch is claimed of one step, for so long', async () => {
    const { store, replica, clock } = rig();
    const id = await make();
    expect(await store.steps.claimWatch(id, 1, 'a', 50)).toBe(true);
    expect(await read(id)).toMatchObject({ watchOwner: 'a', watchUntil: clock.at + 50 });
    await expectOthersUntouched(id);
    expect(await replica.steps.claimWatch(id, 1, 'b', 50)).toBe(false);
    expect(await store.steps.claimWatch(id, 1, 'a', 60)).toBe(true);
    clock.at += 59;
    expect(await replica.steps.claimWatch(id, 1, 'b', 50)).toBe(false);
    clock.at += 1;
    expect(await replica.steps.claimWatch(id, 1, 'b', 50)).toBe(true);
    expect(await store.steps.claimWatch('none', 1, 'a', 50)).toBe(false);
  });
});

onEachEngine('steps that are under way', (rig) => {
  /** A request for each state; its only step began so many ms after the one before. */
  async function make(ids: readonly string[]) {
    const { store, clock } = rig();
    for (const id of ids) {
      const ways: Partial<Record<string, StepState[]>> = {
        ...{ running: ['running'], accepted: ['running', 'accepted'], reading: ['running', 'reading'] },
        ...{ verifying: ['running', 'verifying'], failed: ['running', 'failed'] },
      };
      const [state = ''] = id.split('-');
      await store.operations.insert(newOperation({ id, command: `run ${id}` }), [newStep(1)]);
      clock.at += 10;
      let from: StepState = 'pending';
      for (const to of ways[state] ?? []) {
        await store.steps.move(id, 1, from, to, to === 'accepted' ? { job: { id } } : {});
        from = to;
      }
    }
  }

  test('those are found that nobody watches, the longest running first', async () => {
    const { store, clock, database } = rig();
    await make(['pending-u', 'verifying-u', 'accepted-u', 'running-u', 'failed-u', 'reading-u']);
    const unwatched = async (limit = 99) => (await store.steps.unwatched(limit)).map(({ operationId }) => operationId);
    expect(await unwatched()).toEqual(['verifying-u', 'accepted-u', 'reading-u']);
    expect(await unwatched(2)).toEqual(['verifying-u', 'accepted-u']);
    expect((await store.steps.unwatched(2))[1]).toMatchObject({ data: { n: 1 }, job: { id: 'accepted-u' } });
    await store.steps.claimWatch('accepted-u', 1, 'a', 50);
    expect(await unwatched()).toEqual(['verifying-u', 'reading-u']);
    clock.at += 50;
    expect(await unwatched()).toHaveLength(3);
    // Two that began at the same moment have an order as well.
    await database.run("update steps set started_at = 7 where operation_id in ('verifying-u', 'reading-u')");
    expect(await unwatched()).toEqual(['reading-u', 'verifying-u', 'accepted-u']);
    await database.run("update operations set format = 99 where id = 'reading-u'");
    await database.run(`insert into presence (id, at, build) values ('build 99', ${clock.at}, 99)`);
    expect(await unwatched()).toEqual(['verifying-u', 'accepted-u']);
    await database.run("update operations set format = 1 where id = 'reading-u'");
    for (const id of ['verifying-u', 'accepted-u', 'reading-u']) await store.steps.claimWatch(id, 1, 'a', 1e9);
    // A watch without an owner is free.
    await database.run("update steps set watch_owner = null where operation_id = 'verifying-u'");
    expect(await unwatched()).toEqual(['verifying-u']);
  });

  test('those are found that touched a target since some moment', async () => {
    const { store, clock } = rig();
    const before = clock.at;
    await make(['pending-t', 'failed-t', 'failed-t2', 'reading-t']);
    const touched = async (at: number) =>
      (await store.steps.touchedSince(at)).filter(({ command }) => command.includes('-t'));
    const reading = { command: 'run reading-t', target: 'order:1', data: { n: 1 }, state: 'reading' };
    expect(await touched(before + 30)).toEqual([
      { ...reading, startedAt: before + 40, endedAt: null },
      { ...reading, command: 'run failed-t2', state: 'failed', startedAt: before + 30, endedAt: before + 30 },
    ]);
    expect(await touched(before + 31)).toHaveLength(1);
    expect(await touched(before)).toHaveLength(3);
  });

  test('those are found that follow a job, or followed one until some moment', async () => {
    const { store, clock, database } = rig();
    const before = clock.at;
    await make(['reading-j', 'accepted-j', 'accepted-j2', 'accepted-j3']);
    await store.steps.move('accepted-j2', 1, 'accepted', 'failed', { note: 'no' });
    await database.run("update steps set accepted_at = null where operation_id = 'accepted-j3'");
    const jobs = async (at: number) =>
      (await store.steps.jobsSince(at)).filter(({ operationId }) => operationId.includes('-j'));
    const job = { label: 'step 1', channel: 'C1', requester: 'U1' };
    const [underWay, ended] = await jobs(before + 40);
    expect(underWay).toEqual({
      ...{ ...job, operationId: 'accepted-j', job: { id: 'accepted-j' }, state: 'accepted', note: null },
      ...{ acceptedAt: before + 20, endedAt: null },
    });
    expect(ended).toEqual({
      ...{ ...job, operationId: 'accepted-j2', job: { id: 'accepted-j2' }, state: 'failed', note: 'no' },
      ...{ acceptedAt: before + 30, endedAt: before + 40 },
    });
    expect(await jobs(before + 41)).toHaveLength(1);
  });
});
