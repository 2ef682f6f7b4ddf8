import { expect, test } from 'vitest';
import { opsGroup } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot } from '../../support/test-bot.ts';

// "done" needs evidence of a change: an ended job, a transition, a value read back.

const minute = 60_000;
const hour = 60 * minute;
const oneReplica = { replicas: 1, engine: 'sqlite' } as const;
const loose = { ...usualPolicy(opsGroup), rules: { destructive: 'confirm' } } as const;

test('a restart is not verified when its job never ends, although the power is on', async () => {
  const bot = await startTestBot(oneReplica);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  bot.skip(2 * hour + minute);
  await bot.settle();
  expect(bot.story()).toContain('[not verified]');
  expect(bot.transcript()).toMatch(/the provider's job has not ended in 2 h( 1 min)?( \d+ s)?; the power is on\./);
});

test('a process knows that an earlier process saw the server going down', async () => {
  const route = 'POST /vps/{order_id}/reinstall/reinstall/';
  const bot = await startTestBot({ ...oneReplica, policy: loose, provider: { jobMs: hour } });
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
