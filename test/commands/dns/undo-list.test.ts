import { expect, it } from 'vitest';
import { startTestBot } from '../../support/test-bot.ts';

it('dns undo without an argument lists what can be undone, newest first, and each button undoes its change', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.say('operator', 'dns undo');
  await bot.until(() => bot.transcript().includes('There is nothing to undo'), 'the answer');
  for (const line of ['dns add example.com beta A 192.0.2.10', 'dns add example.com gamma A 192.0.2.10']) {
    await bot.say('operator', line);
    await bot.press('operator', 'Confirm');
    await bot.settle();
  }
  await bot.say('operator', 'dns undo');
  await bot.until(() => bot.transcript().includes('Which change should be undone?'), 'the list');
  expect(bot.transcript()).toContain('[Undo: Add A gamma.example.com] [Undo: Add A beta.example.com]');
  await bot.press('operator', 'Undo: Add A beta.example.com');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.say('operator', 'dns undo');
  await bot.until(() => bot.transcript().includes('[Redo: Add A beta.example.com] [Undo: Add A gamma'), 'the rest');
  expect(bot.transcript().split('Which change').at(-1)).not.toContain('[Undo: Add A beta');
  await bot.say('reader', 'dns undo');
  expect(bot.transcript().split('Which change')).toHaveLength(3);
});
