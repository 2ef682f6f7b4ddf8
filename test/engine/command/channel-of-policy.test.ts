import { expect, test } from 'vitest';
import { startTestBot } from '../../support/test-bot.ts';

test('a command about a channel is refused in a direct message', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const place = { channel: 'D0OPERATOR', kind: 'dm' } as const;
  await bot.say('operator', 'freeze here "lunch"', { place });
  await bot.say('admin', 'access solo --on', { place });
  expect(bot.transcript('D0OPERATOR')).toContain('freeze is about a channel. Type it in the channel that you mean.');
  expect(bot.transcript('D0OPERATOR')).toContain('access solo is about a channel.');
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});
