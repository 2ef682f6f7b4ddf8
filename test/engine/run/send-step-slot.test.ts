import { test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops } from '../../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { beforeTheWrite } from '../asked.ts';

// After the last check the write waits for its slot at the provider, and meanwhile everything may change.

const minute = 60_000;

/** Makes something happen after the last check, while the write waits for its slot at the provider. */
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

test.concurrent('a freeze that is announced while a write waits for its slot prevents the write', async ({
  expect,
  onTestFinished,
}) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', atEnd: onTestFinished });
  await betweenCheckAndWrite(bot, async () => {
    await bot.say('lead', 'freeze here "key leaked"');
    await bot.until(() => bot.story().includes('Frozen: key leaked'), 'the freeze');
    bot.skip(minute / 2);
  });
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('Not run: this channel is frozen: key leaked. Nothing was done.');
});

test.concurrent('a write that waited for half a minute is not sent for a person who has lost the right meanwhile', async ({
  expect,
  onTestFinished,
}) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', atEnd: onTestFinished });
  await betweenCheckAndWrite(bot, async () => {
    bot.skip(minute / 2);
    await bot.savePolicy(ops, policySchema.parse({ grants: [] }), 1);
  });
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('[not run]');
});

test.concurrent('a write that waited for half a minute while nothing changed is sent', async ({
  expect,
  onTestFinished,
}) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', atEnd: onTestFinished });
  await betweenCheckAndWrite(bot, () => bot.skip(minute / 2));
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
});
