import { expect, test } from 'vitest';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { cardOf, sayAndSettle } from '../told.ts';

// The details of a card end with the button that decides, which a form names in at most 24 characters.

test.each([
  ['restart web-1', 'Restart web-1', 'Restart web-1'],
  ['restart web-1 in 2h', 'Schedule for ', 'Schedule'],
  ['restart web-1 every mon 04:00 for 8 weeks', 'Allow 8 restarts until ', 'Allow 8 restarts'],
])('the button in the details of %j does as much as %j on the card says', async (line, onCard, inDetails) => {
  const bot = await startTestBot({ engine: 'sqlite' });
  await sayAndSettle(bot, 'operator', line);
  expect(cardOf(bot)).toContain(`[${onCard}`);
  expect(await bot.open('operator', { button: 'Details' })).toMatchObject({ title: 'Confirm', submit: inDetails });
});
