import { describe, expect, test } from 'vitest';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { asked, onceApproved, rules } from '../asked.ts';

// Between the decision and the first write: reasons that start, delay or hold a request.

const minute = 60_000;
const hour = 60 * minute;
const idOf = (name: string) => people[name] ?? '';
const by = [`group:${opsGroup}`];
const orders = 'GET /orders/';
const restarted = 'POST /vps/34-12345/restart/';

/** From the approval on Slack does not list the members of groups, until `areAway` is false. */
function groupsOnceApproved(bot: TestBot): { areAway: boolean } {
  const { groupMembers } = bot.directory;
  const groups = { areAway: false };
  Object.assign(bot.directory, {
    groupMembers: async (group: string) => {
      if (groups.areAway) throw new Error('ratelimited');
      return groupMembers(group);
    },
  });
  onceApproved(bot, () => {
    groups.areAway = true;
  });
  return groups;
}

describe('an approved request begins at once', () => {
  test('a request that was made hours ago begins when it is approved', async () => {
    const { bot } = await asked({ policy: rules({ approve: 1, by }) });
    bot.skip(5 * hour);
    await bot.press('lead', 'Approve');
    await bot.settle();
    expect(bot.story()).toContain('[done');
    expect(bot.writes()).toEqual([restarted]);
  });

  test('a request begins although its rule became less strict meanwhile', async () => {
    const { bot } = await asked({ isPaused: true, policy: rules('confirm') });
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    await bot.savePolicy(ops, rules('none'), 1);
    bot.pause(false);
    await bot.crash();
    await bot.press('operator', 'Continue');
    await bot.settle();
    expect(bot.writes()).toEqual([restarted]);
  });

  test('a request about its channel alone begins also in a paused bot', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite', isPaused: true });
    await bot.say('operator', 'freeze here "release under way"');
    await bot.settle();
    expect(await bot.store.freezes.active(bot.now())).toHaveLength(1);
  });

  test('a request that needs nothing of the provider begins while the provider does not respond', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
    bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
    bot.sim.clearRequests();
    await bot.say('operator', 'freeze here "the provider is down"');
    await bot.settle();
    expect(await bot.store.freezes.active(bot.now())).toHaveLength(1);
    expect(bot.sim.requests()).toEqual([]);
  });

  test('a request begins after the provider was offline for a moment, and its card says so only meanwhile', async () => {
    const { bot, row } = await asked();
    bot.sim.fault({ kind: 'answer', match: orders, status: 503, body: { detail: 'Maintenance.' } });
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('Checking it again before running'), 'the card to say so');
    expect(bot.story()).toContain('Maintenance.');
    expect((await row())?.state).toBe('approved');
    bot.sim.clearFaults();
    await bot.pass(10_000);
    await bot.settle();
    expect(bot.writes()).toEqual([restarted]);
    expect((await row())?.delayWhy).toBeNull();
    expect(bot.story()).not.toContain('Maintenance.');
  });

  test('a request begins after Slack did not say for a moment who may approve, and no vote is lost', async () => {
    const { bot, id } = await asked({ policy: rules({ approve: 1, by }) });
    const groups = groupsOnceApproved(bot);
    await bot.press('lead', 'Approve');
    await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
    expect((await bot.store.votes.list(id)).map(({ isVoid }) => isVoid)).toEqual([false]);
    expect(bot.writes()).toEqual([]);
    groups.areAway = false;
    await bot.pass(10_000);
    await bot.settle();
    expect(bot.writes()).toEqual([restarted]);
  });

  test('the start of a request is in the audit once, also when its turn failed before', async () => {
    const { bot, id } = await asked();
    const { operations } = bot.store;
    const { move } = operations;
    let hiccups = 0;
    operations.move = async (...given) => {
      if (given[2] === 'running' && hiccups++ === 0) throw new Error('a hiccup');
      return move(...given);
    };
    await bot.press('operator', 'Confirm');
    await bot.until(() => hiccups > 0, 'the hiccup');
    await bot.pass(10_000);
    await bot.settle();
    const [line, ...others] = await bot.store.audit.list({ operationId: id, kind: 'started', limit: 5 });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      actor: idOf('operator'),
      channel: ops,
      data: { text: 'Restart web-1', policyVersion: 1 },
    });
  });
});

describe('an approved request waits for Continue', () => {
  test('a request waits for Continue after Slack was offline for long, and its card says for how long, and why', async () => {
    const { bot, row } = await asked({ policy: rules({ approve: 1, by }) });
    const groups = groupsOnceApproved(bot);
    await bot.press('lead', 'Approve');
    await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
    // The bot was online all the time.
    for (let n = 0; n < 4; n += 1) {
      bot.skip(5 * minute);
      await bot.store.presence.note();
    }
    groups.areAway = false;
    await bot.pass(0);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    expect((await row())?.heldWhy).toMatch(
      /^It could not continue for 20 min( \d+ s)?\. Slack could not be asked who may decide this\.$/,
    );
    expect(bot.writes()).toEqual([]);
  });

  test('a request waits for Continue when it could not continue for long for an unknown reason', async () => {
    const { bot, id, row, wake } = await asked();
    await bot.store.votes.cast({ operationId: id, userId: idOf('operator'), vote: 'confirm' });
    await bot.store.operations.move(id, 'waiting', 'approved');
    for (let n = 0; n < 4; n += 1) {
      bot.skip(4 * minute);
      await bot.store.presence.note();
    }
    wake();
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    expect((await row())?.heldWhy).toMatch(/^It could not continue for 16 min( \d+ s)?\.$/);
  });

  test('a request waits for Continue when the machine slept and its clock was set back', async () => {
    const { bot, id, row, wake } = await asked();
    await bot.store.presence.note();
    bot.skip(minute);
    await bot.store.votes.cast({ operationId: id, userId: idOf('operator'), vote: 'confirm' });
    await bot.store.operations.move(id, 'waiting', 'approved');
    bot.skip(20 * minute);
    expect(await bot.store.presence.absentMs()).toBeGreaterThan(20 * minute);
    bot.skip(-hour);
    wake();
    await bot.until(async () => (await row())?.heldWhy !== null, 'the hold');
    expect((await row())?.heldWhy).toMatch(/^The bot was offline for 21 min/);
    expect(bot.writes()).toEqual([]);
  });

  test('a request waits for Continue in a paused bot, and its card says so', async () => {
    const { bot } = await asked({ isPaused: true });
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    expect(bot.story()).toContain('The bot is paused (HOSTLER_PAUSED) and begins nothing.');
    await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be released');
  });
});
