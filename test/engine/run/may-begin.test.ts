import { expect } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { asked, failing, moveRow, onceApproved, rules, test, waitsOf, withoutGroups } from '../asked.ts';
import { passAndSettle, pressAndSettle, sayAndSettle } from '../told.ts';

// Between the decision and the first write: reasons that start, delay or hold a request.

const by = [`group:${opsGroup}`];
const orders = 'GET /orders/';
const restarted = 'POST /vps/34-12345/restart/';
const unavailable = 'Slack could not be asked who may decide this.';

/** Approves it, and from then on Slack does not list the members of groups, until the returned function is called. */
async function approveWithoutSlack(bot: TestBot): Promise<() => void> {
  let comeBack: () => unknown = () => {};
  onceApproved(bot, () => {
    comeBack = withoutGroups(bot);
  });
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.story().includes(unavailable), 'the card to say so');
  return () => void comeBack();
}

/** Minutes pass, and the bot is online all the time. */
async function stay(bot: TestBot, minutes: number): Promise<void> {
  for (let n = 0; n < 4; n += 1) {
    bot.skip((minutes / 4) * minute);
    await bot.store.presence.note();
  }
}

test('a request that was made hours ago begins when it is approved', async () => {
  const { bot } = await asked({ policy: rules({ approve: 1, by }) });
  bot.skip(5 * hour);
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.story()).toContain('[done');
  expect(bot.writes()).toEqual([restarted]);
});

test('a request begins although its rule became less strict meanwhile', async () => {
  const { bot } = await asked({ config: { isPaused: true }, policy: rules('confirm') });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  await bot.savePolicy(ops, rules('none'), 1);
  bot.pause(false);
  await bot.crash();
  await pressAndSettle(bot, 'operator', 'Continue');
  expect(bot.writes()).toEqual([restarted]);
});

test('a request about its channel alone begins also in a paused bot, while the provider does not respond', async () => {
  const bot = await startTestBot({ config: { isPaused: true } });
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance.' } });
  bot.sim.clearRequests();
  await sayAndSettle(bot, 'operator', 'freeze here "release under way"');
  expect(await bot.store.freezes.active(bot.now())).toHaveLength(1);
  expect(bot.sim.requests()).toEqual([]);
});

test('while the provider is offline a request has a turn every ten seconds, and its card is drawn once for one reason', async () => {
  const { bot, id, row, wake } = await asked();
  const waits = waitsOf(bot, id);
  const reasons: unknown[] = [];
  const { patch } = bot.store.operations;
  bot.store.operations.patch = async (request, fields) => {
    reasons.push(fields.delayWhy);
    return patch(request, fields);
  };
  bot.sim.fault({ kind: 'answer', match: orders, status: 503, body: { detail: 'Maintenance.' } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('Checking it again before running'), 'the card to say so');
  await bot.until(() => waits.length === 1, 'the turn');
  wake();
  await bot.until(() => waits.length === 2, 'another turn');
  expect(waits).toEqual([10_000, 10_000]);
  expect(reasons).toEqual([expect.stringContaining('Maintenance.')]);
  expect((await row())?.state).toBe('approved');
  bot.sim.clearFaults();
  await passAndSettle(bot, 10_000);
  expect(bot.writes()).toEqual([restarted]);
  expect((await row())?.delayWhy).toBeNull();
  expect(bot.story()).not.toContain('Maintenance.');
});

test('a request begins after Slack did not say for a moment who may approve, and no vote is lost', async () => {
  const { bot, id } = await asked({ policy: rules({ approve: 1, by }) });
  const comeBack = await approveWithoutSlack(bot);
  expect((await bot.store.votes.list(id)).map(({ isVoid }) => isVoid)).toEqual([false]);
  expect(bot.writes()).toEqual([]);
  comeBack();
  await passAndSettle(bot, 10_000);
  expect(bot.writes()).toEqual([restarted]);
});

test('the start of a request is in the audit once, also when its turn failed before', async ({ bot, id }) => {
  const starts = failing(bot.store.operations, 'move', (...given) => given[2] === 'running');
  await bot.press('operator', 'Confirm');
  await bot.until(() => starts() > 0, 'the hiccup');
  await passAndSettle(bot, 10_000);
  const [line, ...others] = await bot.store.audit.list({ operationId: id, kind: 'started', limit: 5 });
  expect(others).toEqual([]);
  const data = { text: 'Restart web-1', policyVersion: 1 };
  expect(line).toMatchObject({ actor: people.operator, channel: ops, data });
});

test('a request waits for Continue after Slack was offline for long, and its card says for how long, and why', async () => {
  const { bot, row } = await asked({ policy: rules({ approve: 1, by }) });
  const comeBack = await approveWithoutSlack(bot);
  await stay(bot, 20);
  comeBack();
  await bot.pass(0);
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  expect((await row())?.heldWhy).toMatch(
    /^It could not continue for 20 min( \d+ s)?\. Slack could not be asked who may decide this\.$/,
  );
  expect(bot.writes()).toEqual([]);
});

test('a request that is stuck for an unknown reason waits for Continue', async ({ bot, id, row, wake }) => {
  await moveRow(bot, id, 'approved');
  await stay(bot, 16);
  wake();
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  expect((await row())?.heldWhy).toMatch(/^It could not continue for 16 min( \d+ s)?\.$/);
});
