import { expect, test } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import { wasInterrupted } from '../../../src/engine/operation/ends.ts';
import { people } from '../../support/bot/fake-slack.ts';
import type { TestBot, TestBotOptions } from '../../support/bot/test-bot.ts';
import { asked, failing, moveRow, underWay, waitsOf } from '../asked.ts';

// A turn on a request that runs begins from the rows, which any process may have written.

const minute = 60_000;
const always = { times: Number.POSITIVE_INFINITY };
const never = { times: 0 };
const both = 'restart web-1 web-2';
const first = 'POST /vps/34-12345/restart/';
const second = 'POST /vps/34-12399/restart/';

/** Steps of a killed process, each after these states; no turn is requested. */
async function left(line: string, steps: readonly (readonly StepState[])[], options: TestBotOptions = {}) {
  const all = await asked(options, line);
  const { bot, id } = all;
  for (const [n, path] of steps.entries()) {
    let from: StepState = 'pending';
    for (const to of path) {
      await bot.store.steps.move(id, n, from, to);
      from = to;
    }
  }
  await moveRow(bot, id, 'approved', 'running');
  return all;
}

const lostLines = (bot: TestBot, id: string) => bot.store.audit.list({ operationId: id, kind: 'lost', limit: 9 });

test('a call that a killed process left under way is reported as lost, and its result is read', async () => {
  const { bot, id, wake, row } = await left('restart web-1', [['running']]);
  wake();
  await bot.until(async () => (await row())?.state === 'reading', 'the request');
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  expect((await lostLines(bot, id)).map(({ data }) => data)).toEqual([
    { text: `Restart web-1: The response was lost (${wasInterrupted}).`, step: 0 },
  ]);
  expect(bot.transcript()).toContain(
    'The bot was interrupted before it stored the response: “Restart web-1” may have begun. Not retried; checking until ',
  );
  expect(bot.writes()).toEqual([]);
});

test('a response that was recorded as lost and not reported is reported once by the next turn', async () => {
  const { bot, id, wake, row } = await left('restart web-1', [['running', 'reading']]);
  wake();
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  wake();
  await bot.until(async () => (await row())?.state === 'reading', 'the request');
  expect(await lostLines(bot, id)).toHaveLength(1);
});

test('a request stays in the state reading while one of two responses is lost', async () => {
  const { bot, id, wake, row } = await left(`${both} --parallel 2`, [
    ['running', 'reading'],
    ['running', 'accepted'],
  ]);
  // No poll is due, so that neither step ends meanwhile.
  await bot.database.run('update steps set next_look_at = 9e15');
  const waits = waitsOf(bot, id);
  wake();
  await bot.until(async () => (await row())?.state === 'reading' && waits.length > 0, 'the first turn');
  const backToRunning = failing(bot.store.operations, 'move', (...given) => given[2] === 'running', never);
  const turns = waits.length;
  wake();
  await bot.until(() => waits.length > turns, 'the next turn');
  expect(backToRunning()).toBe(0);
  expect(await lostLines(bot, id)).toHaveLength(1);
});

test('when a process is killed while the database stored no response, the call is soon reported as lost', async () => {
  const { bot, id, row } = await asked({ provider: { jobMs: minute } });
  const failures = failing(bot.store.steps, 'move', (...given) => given[3] === 'accepted', always);
  const looks = failing(bot.store.steps, 'looked', () => true, never);
  await bot.press('operator', 'Confirm');
  await bot.until(() => failures() > 1, 'the answer');
  await bot.until(async () => (await row())?.turnOwner === null, 'the turn');
  // No poll is possible before the answer is stored.
  expect(looks()).toBe(0);
  await bot.crash();
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  expect(bot.writes()).toEqual([first]);
});

test('while a response is not stored its request has a turn every second, also when another step waits for a job', async () => {
  const { bot, id } = await asked({ provider: { jobMs: minute } }, `${both} --parallel 2`);
  const isSecond = (...given: readonly unknown[]) => given[3] === 'accepted' && given[1] === 1;
  const failures = failing(bot.store.steps, 'move', isSecond, always);
  const waits = waitsOf(bot, id);
  await bot.press('operator', 'Confirm');
  await bot.until(() => failures() > 1 && waits.length > 0, 'the answer');
  expect(waits.at(-1)).toBeLessThanOrEqual(1_000);
});

test('a poll that changed nothing draws no card, and what another process changed without drawing is drawn', async () => {
  const { bot, id, wake } = await underWay({ provider: { jobMs: 60 * minute } });
  const waits = waitsOf(bot, id);
  const drawings = failing(bot.store.cards, 'put', () => true, never);
  const poll = async () => {
    const turns = waits.length;
    await bot.database.run('update steps set next_look_at = 0');
    wake();
    await bot.until(() => waits.length > turns, 'the turn');
  };
  await poll();
  const drawn = drawings();
  const looks = async () => (await bot.store.steps.list(id))[0]?.looks ?? 0;
  const before = await looks();
  await poll();
  await poll();
  expect(await looks()).toBeGreaterThanOrEqual(before + 2);
  expect(drawings()).toBe(drawn);
  await bot.store.operations.stop(id, people.operator ?? '');
  await poll();
  await bot.until(() => drawings() === drawn + 1, 'the drawing');
  await bot.until(() => bot.story().includes('stops it'), 'the card');
});

test('after a kill the first poll draws the card again', async () => {
  const { bot, id, row } = await underWay({ provider: { jobMs: 60 * minute } });
  await bot.until(async () => (await row())?.turnOwner === null, 'the turn');
  await bot.database.run(`update messages set view = replace(view, 'Restart', 'Reboot') where key = 'card:${id}'`);
  const isOther = async () => JSON.stringify(await bot.store.messages.find(`card:${id}`)).includes('Reboot');
  expect(await isOther()).toBe(true);
  await bot.crash();
  await bot.database.run('update steps set next_look_at = 0');
  await bot.database.run('update operations set next_turn_at = 0');
  await bot.until(async () => !(await isOther()), 'the card');
});

test('the card says that one server is done before the response for the next one arrives', async () => {
  const { bot, id } = await underWay();
  bot.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/restart/', ms: 1_500, times: 1 });
  bot.sim.advance(minute);
  await bot.until(() => /web-1.*done/.test(bot.story().split('Asked')[0] ?? ''), 'the card');
  expect((await bot.store.steps.list(id)).map(({ state }) => state)).not.toContain('accepted');
  await bot.until(() => bot.writes().length === 2, 'the second restart');
});

const broken = (bot: TestBot, n: number) => bot.database.run(`update steps set data = '7' where n = ${n}`);
const wentWrong = (bot: TestBot) => bot.log.some((line) => line.includes('a turn of an operation failed'));

test('a running step that this version cannot read stops its turn with an error', async () => {
  const { bot, wake } = await left(both, [['running', 'accepted']]);
  await broken(bot, 0);
  wake();
  await bot.until(() => wentWrong(bot), 'the log');
  expect(bot.writes()).toEqual([]);
});

test('an ended step that this version cannot read does not stop the next step', async () => {
  const { bot, wake } = await left(both, [['running', 'verifying', 'done']]);
  await broken(bot, 0);
  wake();
  await bot.until(() => bot.writes().length === 1, 'the second restart');
  expect(bot.writes()).toEqual([second]);
  expect(wentWrong(bot)).toBe(false);
});

test('a request whose command this version does not have does not run, and the log names the command', async () => {
  const { bot, wake } = await left('restart web-1', []);
  await bot.database.run(`update operations set command = 'teleport'`);
  bot.skip(11 * minute);
  wake();
  await bot.until(() => bot.log.some((line) => line.includes('this version has no action teleport')), 'the log');
  expect(bot.writes()).toEqual([]);
});

test('of steps two at a time the third begins when one has ended, while the other is under way', async () => {
  const { bot, id, wake } = await underWay({ provider: { jobMs: 60 * minute } }, `${both} db-1 --parallel 2`);
  await bot.until(async () => (await bot.store.steps.list(id))[1]?.state === 'accepted', 'the second one');
  await bot.store.steps.move(id, 1, 'accepted', 'verifying');
  await bot.store.steps.move(id, 1, 'verifying', 'done');
  wake();
  await bot.until(() => bot.writes().length === 3, 'the third restart');
  expect((await bot.store.steps.list(id))[0]?.state).toBe('accepted');
});
