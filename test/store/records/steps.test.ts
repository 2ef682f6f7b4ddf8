import { describe, expect } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import { newStepRow, type StepPatch } from '../../../src/store/records/steps.ts';
import { onEachEngine, race, test } from '../conformance.ts';
import { newOperation, newStep } from '../rows.ts';

// Each change of a step is one statement that changes this step alone, and only from the states that are named.

const empty = {
  ...{
    attempt: null,
    command: null,
    part: 0,
    receipt: null,
    job: null,
    note: null,
    looks: 0,
    lookedAt: null,
    nextLookAt: 0,
    seenAway: 0,
    comeback: null,
  },
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
    await rig().database.run(`update operations set turn_owner = 'me' where id = '${id}'`);
    return id;
  }
  const read = async (id: string, n = 1) => (await rig().store.steps.list(id)).find((step) => step.n === n);
  /** The other step of the request, and the step of the other request, did not change. */
  async function expectOthersUntouched(id: string) {
    expect(await read(id, 0)).toEqual({ operationId: id, ...newStep(0), ...empty });
    expect(await read(`${id}-other`)).toEqual({ operationId: `${id}-other`, ...newStep(1), ...empty });
  }
  async function goTo(id: string, ...states: StepState[]) {
    for (const [at, to] of states.entries())
      expect(await rig().store.steps.move(id, 1, states[at - 1] ?? 'pending', to)).toBe(true);
  }

  test('are listed in their order, of one request or of several', async ({ store, queries }) => {
    const id = await make();
    expect((await store.steps.list(id)).map(({ n }) => n)).toEqual([0, 1]);
    expect(await store.steps.list('none')).toEqual([]);
    const all = async (limit?: number) =>
      (await store.steps.listAll([`${id}-other`, id], limit)).map(({ operationId, n }) => `${operationId} ${n}`);
    expect(await all()).toEqual([`${id} 0`, `${id} 1`, `${id}-other 1`]);
    expect(await all(1)).toEqual([`${id} 0`]);
    queries.length = 0;
    expect(await store.steps.listAll([])).toEqual([]);
    expect(queries).toEqual([]);
  });

  describe('a step begins', () => {
    const patch = { attempt: 'a1', data: { changed: true } };
    const mine = { ...patch, owner: 'me' };

    test('once, and only that one', async ({ store, clock }) => {
      const id = await make();
      expect(await store.steps.begin(id, 1, mine)).toBe(true);
      const begun = { state: 'running', startedAt: clock.at, ...patch };
      expect(await read(id)).toEqual({ operationId: id, ...newStep(1), ...empty, ...begun });
      await expectOthersUntouched(id);
      clock.at += 1;
      expect(await store.steps.begin(id, 1, { ...mine, attempt: 'a2' })).toBe(false);
      expect(await read(id)).toMatchObject(begun);
      expect(await race(rig(), 20, ({ steps }, n) => steps.begin(id, 0, { ...mine, attempt: `a${n}` }))).toBe(1);
    });

    const cases = ["stop_by = 'U1'", 'held_at = 1', "turn_owner = 'another'", 'turn_owner = null'];
    test.each(cases)('not after %s was stored for its request', async (change) => {
      const { store, database } = rig();
      const id = await make();
      await database.run(`update operations set ${change} where id = '${id}-other'`);
      expect(await store.steps.begin(id, 0, mine)).toBe(true);
      await database.run(`update operations set ${change} where id = '${id}'`);
      expect(await store.steps.begin(id, 1, mine)).toBe(false);
      expect((await read(id))?.state).toBe('pending');
    });
  });

  describe('a step moves', () => {
    test('with the times of its states, and keeps the time of its acceptance', async ({ store, clock }) => {
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

    test('and counts as accepted when it is read back without a job', async ({ clock }) => {
      const id = await make();
      await goTo(id, 'running', 'reading');
      expect(await read(id)).toMatchObject({ acceptedAt: null, endedAt: null });
      await rig().store.steps.move(id, 1, 'reading', 'verifying');
      expect(await read(id)).toMatchObject({ acceptedAt: clock.at });
    });

    test('only from the states that are named, and only where one may follow the other', async ({ store }) => {
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

    test('for the process that sent it, and for no other', async ({ store }) => {
      const id = await make();
      await store.steps.begin(id, 1, { attempt: 'a1', data: {}, owner: 'me' });
      expect(await store.steps.move(id, 1, 'running', 'failed', { note: 'no' }, 'a2')).toBe(false);
      expect(await read(id)).toMatchObject({ state: 'running', note: null });
      expect(await store.steps.move(id, 1, 'running', 'failed', { note: 'no' }, 'a1')).toBe(true);
      expect(await read(id)).toMatchObject({ state: 'failed', note: 'no' });
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

  test('count their polls, and store when the next one is due, until the state changes', async ({ store, clock }) => {
    const id = await make();
    await goTo(id, 'running');
    await store.steps.move(id, 1, 'running', 'accepted');
    await store.steps.looked(id, 1, 'accepted', 500, false);
    expect(await read(id)).toMatchObject({ looks: 1, lookedAt: clock.at, nextLookAt: clock.at + 500, seenAway: 0 });
    await store.steps.looked(id, 1, 'accepted', 700, true);
    expect(await read(id)).toMatchObject({ looks: 2, nextLookAt: clock.at + 700, seenAway: 1 });
    await store.steps.looked(id, 1, 'verifying', 900, false);
    expect(await read(id)).toMatchObject({ looks: 2, nextLookAt: clock.at + 700 });
    await store.steps.move(id, 1, 'accepted', 'verifying');
    expect(await read(id)).toMatchObject({ looks: 0, nextLookAt: 0, seenAway: 1 });
    await expectOthersUntouched(id);
  });
});

onEachEngine('steps that are under way', (rig) => {
  /** A request for each state; its only step began 10 ms after the one before. */
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

  test('are found when they touched a target since a given moment', async ({ store, clock }) => {
    const before = clock.at;
    await make(['pending-t', 'failed-t', 'failed-t2', 'reading-t']);
    const touched = async (at: number) =>
      (await store.steps.touchedSince(at)).filter(({ command }) => command.includes('-t'));
    const reading = { command: 'run reading-t', target: 'order:1', data: { n: 1 }, state: 'reading', requester: 'U1' };
    const failed = { ...reading, command: 'run failed-t2', state: 'failed' };
    expect(await touched(before + 30)).toEqual([
      { ...reading, operation: 'reading-t', startedAt: before + 40, endedAt: null },
      { ...failed, operation: 'failed-t2', startedAt: before + 30, endedAt: before + 30 },
    ]);
    expect(await touched(before + 31)).toHaveLength(1);
    expect(await touched(before)).toHaveLength(3);
  });

  test('are found when they follow a job, or followed one since a given moment', async ({ store, clock, database }) => {
    const before = clock.at;
    await make(['reading-j', 'accepted-j', 'accepted-j2', 'accepted-j3']);
    await store.steps.move('accepted-j2', 1, 'accepted', 'failed', { note: 'no' });
    await database.run("update steps set accepted_at = null where operation_id = 'accepted-j3'");
    const jobs = async (at: number) =>
      (await store.steps.jobsSince(at)).filter(({ operationId }) => operationId.includes('-j'));
    const job = { label: 'step 1', channel: 'C1' };
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
