import { expect, test } from 'vitest';
import { isWithin } from '../../../src/core/text/day-hours.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { confirmed, hour, minute, minutes, openWatch, subscribe, type Watch } from '../../alerts/support.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { pressAndSettle, wordsOf } from '../told.ts';

// People and groups are mentioned where a critical alert is posted.

const atNight = { quiet: { from: '00:00', to: '00:00' } };

async function off(bot: Watch, order: string): Promise<void> {
  bot.sim.power({ order, state: 'off' });
  await minutes(bot, 6);
}

async function watching(line: string, settings: object = {}): Promise<Watch> {
  const bot = await openWatch({ balance: {} }, { settings });
  await confirmed(bot, line);
  await minutes(bot, 6);
  return bot;
}

const mentioned = (bot: Watch) => bot.alerts().map(({ view }) => mentionsIn(view.parts));

test('the group that a channel named is mentioned when a server goes off, and no longer once somebody is on the alert', async () => {
  const bot = await watching('alerts on power ping=@ops');
  expect(bot.story()).toContain('+ power: all · mentions @ops when it is critical, not in quiet hours');
  await off(bot, '34-12345');
  expect(wordsOf(bot, bot.alerts()[0]?.view)).toMatch(/^## 🔴 web-1 is off {2}\[nobody here turned it off\]\n@ops\n/);
  expect(mentioned(bot)).toEqual([[opsGroup]]);
  await pressAndSettle(bot, 'operator', "I'm on it");
  expect(bot.alerts()[0]?.view.parts.some((part) => mentionsIn(part).includes(opsGroup))).toBe(false);
});

test('in quiet hours an alert mentions the group only with --always; an alert that is not critical mentions nobody', async () => {
  const quiet = await watching('alerts on power ping=@ops', atNight);
  await off(quiet, '34-12345');
  expect(mentioned(quiet)).toEqual([[]]);
  const always = await watching('alerts on power ping=@ops --always', atNight);
  await off(always, '34-12345');
  expect(mentioned(always)).toEqual([[opsGroup]]);
  const warning = await watching('alerts on power ping=@ops');
  warning.sim.power({ order: '34-12422', state: 'on' });
  await minutes(warning, 6);
  expect(warning.alerts()[0]?.view.summary).toBe('🟡 staging-1 is on');
  expect(mentioned(warning)).toEqual([[]]);
});

test('an alert that gets worse mentions the group in its thread', async () => {
  const bot = await openWatch({ balance: {} });
  await subscribe(bot, { expiring: { on: ['order:34-12399'], at: [7, 1], ping: pingOps } });
  const days = (n: number) => new Date(bot.now() + n * 24 * 60 * minute).toISOString();
  bot.sim.balance({ balance: 0, unpaid: [] });
  bot.sim.order({ order: '34-12399', expiration_date: days(5.5) });
  await bot.later(61 * minute);
  bot.sim.order({ order: '34-12399', expiration_date: days(0.9) });
  await bot.later(61 * minute);
  const replies = bot.alerts().filter(({ threadTs }) => threadTs !== null);
  expect(replies.map(({ view }) => mentionsIn(view.parts))).toEqual([[opsGroup]]);
});

test('pinging everyone is refused, and so is a name that nobody has', async () => {
  const bot = await openWatch({ balance: {} });
  await bot.say('operator', 'alerts on power ping=everyone');
  expect(bot.story()).toContain('Only people and user groups can be mentioned, not everyone.');
  await bot.say('operator', 'alerts on power ping=@nobody');
  expect(bot.story()).toContain('No person or user group is called @nobody.');
});

const pingOps = { to: [{ subject: `group:${opsGroup}`, name: '@ops' }], always: false };

test.each([
  ['the person on it has run out of time', { acknowledgeMs: 2 * hour }, ':over:', 'Still open: web-2 is blocked'],
  ['it is time to remind of it', { remindMs: 2 * hour }, ':again:', 'Still open after'],
])('%s: the alert says so once, although the database fails before and after it', async (_, settings, part, said) => {
  const rules = { 'order-status': { on: ['order:34-12399'] } };
  const bot = await openWatch(rules, { settings });
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  await bot.sweep();
  if (part === ':over:') await bot.press('reader', "I'm on it");
  await bot.delivered();
  const { messages, alerts } = bot.store;
  const { put } = messages;
  const { change } = alerts;
  const faults: string[] = [];
  const failOnce = (what: string) => {
    if (faults.includes(what)) return;
    faults.push(what);
    throw new StoreUnavailable('no answer');
  };
  messages.put = async (message) => {
    if (message.key.includes(part)) failOnce('right before');
    return put(message);
  };
  alerts.change = async (...given) => {
    if ('remindedAt' in given[2]) failOnce('right after');
    return change(...given);
  };
  bot.skip(2 * hour);
  await minutes(bot, 5);
  expect(faults).toEqual(['right before', 'right after']);
  expect(bot.story().split(said)).toHaveLength(2);
});

test('quiet hours follow their time zone, over midnight and through a change to summer time', () => {
  const night = { from: '22:00', to: '07:00' };
  const at = (iso: string, timeZone = 'Europe/Amsterdam', quiet = night) => isWithin(quiet, timeZone, Date.parse(iso));
  // In winter, in summer, and in the night the clocks go forward.
  for (const iso of ['2026-01-10T21:00Z', '2026-01-11T05:59Z', '2026-07-10T20:00Z', '2026-03-29T04:59Z'])
    expect(at(iso), iso).toBe(true);
  for (const iso of ['2026-01-10T20:59Z', '2026-01-11T06:00Z', '2026-07-10T19:59Z', '2026-03-29T05:00Z'])
    expect(at(iso), iso).toBe(false);
  expect(at('2026-07-10T20:00Z', 'UTC')).toBe(false);
  const noon = { from: '12:00', to: '13:00' };
  expect([at('2026-01-01T12:30Z', 'UTC', noon), at('2026-01-01T13:00Z', 'UTC', noon)]).toEqual([true, false]);
});
