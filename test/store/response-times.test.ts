import { expect } from 'vitest';
import { countUnseen, medianWaitMs } from '../../src/core/plan/answers.ts';
import { day, minute } from '../../src/core/text/words.ts';
import type { NewOperation } from '../../src/store/records/operation-row.ts';
import { onEachEngine, test } from './conformance.ts';
import { newOperation } from './rows.ts';

// The answers to requests for approval: how long people waited for them, and which requests nobody answered.

onEachEngine('answers are counted', (rig) => {
  const rule = { rule: { approve: 1, by: [], typed: false }, isSolo: false };
  async function ask(id: string, more: Partial<NewOperation> = {}) {
    await rig().store.operations.insert(newOperation({ id, rule, ...more }), []);
  }

  test('from requests of thirty days that need an approval, in one channel or in all', async ({ store, clock }) => {
    const asked = clock.at;
    await ask('old', { state: 'done', decidedAt: asked + 1 });
    clock.at += 31 * day;
    const now = clock.at;
    for (const [id, waited] of Object.entries({ a: 1, b: 5, c: 30 }))
      await ask(id, { state: 'done', decidedAt: now + waited * minute });
    await ask('declined', { state: 'declined', decidedAt: now + 7 * minute });
    await ask('elsewhere', { state: 'done', decidedAt: now + 90 * minute, channel: 'C2' });
    await ask('confirmed', { state: 'done', decidedAt: now + 2 * minute, rule: { rule: 'confirm', isSolo: false } });
    await ask('run', { state: 'done', decidedAt: now - day });
    await ask('unseen', { state: 'expired' });
    await ask('ended', { state: 'expired', decidedAt: now + 5 * minute });
    await ask('seen', { state: 'expired' });
    await store.votes.cast({ operationId: 'seen', userId: 'U2', vote: 'approve' });
    await ask('waiting');
    await ask('glass', { state: 'waiting' });
    await store.glass.break({ id: 'glass', channel: 'C1', from: null }, { by: 'U1' });
    const here = await store.responseTimes.listIn('C1');
    expect(here).toHaveLength(8);
    expect(here[0]).toMatchObject({ requester: 'U1', plan: { title: 'x' } });
    expect(medianWaitMs(here)).toBe(5 * minute);
    expect(countUnseen(here)).toBe(1);
    const all = await store.responseTimes.list();
    expect(all).toHaveLength(9);
    expect(medianWaitMs(all)).toBe(6 * minute);
    expect(countUnseen(all)).toBe(1);
    expect(medianWaitMs(await store.responseTimes.listIn('C3'))).toBeUndefined();
  });
});
