import { expect, it } from 'vitest';
import { answerTo, confirm } from '../../engine/told.ts';
import { startTestBot } from '../../support/test-bot.ts';

it('dns undo without an argument lists what can be undone, newest first, and each button undoes its change', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const undo = (user = 'operator') => answerTo(bot, user, 'dns undo');
  expect(await undo()).toContain('There is nothing to undo');
  await confirm(bot, 'operator', 'dns add example.com beta A 192.0.2.10', 'dns add example.com gamma A 192.0.2.10');
  const list = await undo();
  expect(list).toContain('Which change should be undone?');
  expect(list).toContain('[Undo: Add A gamma.example.com] [Undo: Add A beta.example.com]');
  await bot.press('operator', 'Undo: Add A beta.example.com');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const rest = await undo();
  expect(rest).toContain('[Redo: Add A beta.example.com] [Undo: Add A gamma');
  expect(rest).not.toContain('[Undo: Add A beta');
  expect(await undo('reader')).not.toContain('Which change');
});
