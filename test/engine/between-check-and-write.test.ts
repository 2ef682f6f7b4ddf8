import { test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { ops } from '../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';
import { beforeTheWrite } from './asked.ts';

// Everything was looked at, and the write waits for its turn at the provider: that is another moment in which everything may change.

const minute = 60_000;

/** Something happens once everything was looked at, and before the write: it waits for its turn at the provider. */
async function betweenCheckAndWrite(bot: TestBot, happens: () => unknown): Promise<void> {
  beforeTheWrite(bot, happens);
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
}

test.concurrent('a request waits for Continue when the machine sleeps between the check and the write', async ({
  expect,
  onTestFinished,
}) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', atEnd: onTestFinished });
  await betweenCheckAndWrite(bot, () => bot.skip(20 * minute));
  await bot.until(() => bot.story().includes('Continue'), 'the card to say so');
  expect(bot.writes()).toEqual([]);
});

test.concurrent('a request is checked again and not sent when the right is taken away while its write waits for two minutes', async ({
  expect,
  onTestFinished,
}) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', atEnd: onTestFinished });
  await betweenCheckAndWrite(bot, async () => {
    bot.skip(2 * minute);
    await bot.savePolicy(ops, policySchema.parse({ grants: [] }), 1);
  });
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('[not run]');
});
