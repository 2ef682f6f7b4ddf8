import { expect, test } from 'vitest';
import { opsGroup } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';

// "done" needs evidence of a change: an ended job, a transition, a value read back.

const minute = 60_000;
const hour = 60 * minute;
const loose = { ...usualPolicy(opsGroup), rules: { dangerous: 'confirm', destructive: 'confirm' } } as const;

async function startedWith(line: string, route: string): Promise<TestBot> {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy: loose });
  bot.sim.fault({ kind: 'nextJob', match: route, end: 'hang', times: 1 });
  await bot.say('operator', line);
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  return bot;
}

test.each([
  ['restart web-1', 'POST /vps/{order_id}/restart/'],
  ['hard-reset web-1', 'POST /vps/{order_id}/hard_reset/'],
  ['rescue on web-1', 'POST /vps/{order_id}/rescue_mode/'],
])('%s is not verified when its job never ends, with any power status', async (line, route) => {
  const bot = await startedWith(line, route);
  bot.skip(2 * hour + minute);
  await bot.settle();
  expect(bot.story()).toContain('[not verified]');
  expect(bot.transcript()).toMatch(/the provider's job has not ended in 2 h( 1 min)?( \d+ s)?; the power is on\./);
});

test('a job that could not be read for two hours is not verified', async () => {
  const bot = await startedWith('restart web-1', 'POST /vps/{order_id}/restart/');
  const job = 'GET /vps/{order_id}/log_details/{log_id}/';
  bot.sim.fault({ kind: 'answer', match: job, status: 404, body: { detail: 'Not found.' } });
  bot.skip(2 * hour + minute);
  await bot.settle();
  expect(bot.transcript()).toContain("the provider's job could not be seen to end");
  expect(bot.story()).toContain('[not verified]');
});

test('a process knows that an earlier process saw the server going down', async () => {
  const route = 'POST /vps/{order_id}/reinstall/reinstall/';
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy: loose, jobMs: hour });
  await bot.say('operator', 'reinstall web-1 template="Debian 13"');
  await bot.press('operator', 'Confirm');
  const step = async () => {
    const [row] = await bot.store.operations.list({ limit: 1 });
    const [first] = await bot.store.steps.list(row?.id ?? '');
    return first;
  };
  await bot.until(async () => (await step())?.seenAway === 1, 'the server to be seen away');
  await bot.crash();
  bot.sim.advance(hour);
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
  expect(bot.sim.requests().filter((request) => request.route === route)).toHaveLength(1);
  expect(bot.story()).toContain('it went away and came back; which system is on it cannot be read');
  expect(bot.story()).toContain('[not verified]');
});

test('a request with a lost response and a refusal ends as unknown, and the end counts both', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const match = 'POST /vps/{order_id}/restart/';
  bot.sim.fault({ kind: 'answer', match, only: '34-12345', status: 409, body: { detail: 'Busy.' } });
  bot.sim.fault({ kind: 'drop', match, only: '34-12399' });
  await bot.say('operator', 'restart web-1 web-2 db-1 --parallel 2');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect(row?.state).toBe('unknown');
  expect(row?.endText).toContain('0 of 3 done, 1 failed, 1 result unknown; not started: db-1.');
});

test('the end of a request that cannot be verified names the servers that were not started', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await bot.say('operator', 'restart web-1 web-2 db-1');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('· accepted'));
  bot.skip(2 * hour + minute);
  await bot.settle();
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect(row?.endText).toContain('0 of 3 done, 1 not verified; not started: web-2 and db-1.');
});
