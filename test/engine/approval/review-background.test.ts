import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { day, minute, openWatch, tidy, type Watch } from '../../alerts/support.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import type { TestBotOptions } from '../../support/bot/test-bot.ts';
import { readView } from '../../support/bot/view-text.ts';
import { decide } from '../asked.ts';
import { cardOf, pressAndSettle, requested, sayAndSettle } from '../told.ts';

// Under Details the people who decide read the earlier changes of the target and the names of the other approvers.

const noEnd = 'Last 24 hours: No request ended.';

/** db-1 was turned off by hand, a Start of it failed, and a hard reset of it waits. */
async function afterFailedStart(options: TestBotOptions = {}) {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } }, options);
  await bot.sweep();
  bot.sim.power({ order: '34-12346', state: 'off' });
  for (let passed = 0; passed < 6; passed++) await bot.later(minute);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 });
  await bot.press('operator', 'Start');
  await pressAndSettle(bot, 'operator', 'Confirm');
  await sayAndSettle(bot, 'operator', 'hard-reset db-1');
  return bot;
}

async function detailsFor(bot: Watch, who: string): Promise<string> {
  const opened = await bot.open(who, { button: 'Details' });
  const parts = 'id' in opened ? (opened.about ?? []) : opened.parts;
  return tidy(readView({ summary: '', parts }, bot.nameOf));
}

test('Details shows requests about the target that ended in the last day, its open alerts, and who else can decide', async () => {
  const bot = await afterFailedStart();
  const shown = await detailsFor(bot, 'lead');
  expect(shown).toContain('Last 24 hours: 🔴 Start db-1 · failed · @operator · ‹date›');
  expect(shown).toContain('Open alerts: 🔴 db-1 is off · since ‹date›');
  expect(shown).toContain('Can decide, too: @admin');
});

test('Details leaves out what is more than a day old, and people who have voted', async () => {
  const by = [`group:${opsGroup}`, `user:${people.reader}`];
  const grants = [{ to: by, can: ['read', 'operate'] }];
  const policy = policySchema.parse({ grants, rules: { dangerous: { approve: 2, by } } });
  const bot = await afterFailedStart({ policy });
  await bot.press('operator', 'Withdraw');
  await bot.pass(day + minute);
  await decide(bot, 'hard-reset db-1', 'lead', 'Approve');
  const shown = await detailsFor(bot, 'reader');
  expect(shown).toContain(noEnd);
  expect(shown).toContain('Can decide, too: @admin');
});

test('Details shows an approver without the right to read the target nothing of its requests and alerts', async () => {
  const rules = { dangerous: { approve: 1, by: [`user:${people.reader}`] } };
  const policy = granting({ [`group:${opsGroup}`]: 'read operate' }, rules);
  const bot = await afterFailedStart({ policy });
  const shown = await detailsFor(bot, 'reader');
  expect(shown).toContain(noEnd);
  expect(shown).toContain('Open alerts: None');
});

// The details of a card end with the button that decides, which a form names in at most 24 characters.

test.each([
  ['restart web-1', 'Restart web-1', 'Restart web-1'],
  ['restart web-1 in 2h', 'Schedule for ', 'Schedule'],
  ['restart web-1 every mon 04:00 for 8 weeks', 'Allow 8 restarts until ', 'Allow 8 restarts'],
])('the button in the details of %j does as much as %j on the card says', async (line, onCard, inDetails) => {
  const bot = await requested(line);
  expect(cardOf(bot)).toContain(`[${onCard}`);
  expect(await bot.open('operator', { button: 'Details' })).toMatchObject({ title: 'Confirm', submit: inDetails });
});
