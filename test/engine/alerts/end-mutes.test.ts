import { expect, test } from 'vitest';
import { hour, minute, minutes, openWatch, subscribe, turn, type Watch } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { killAfterWrite } from '../../support/bot/kill-after-write.ts';
import { answerTo } from '../told.ts';

/** A mute holds back what is posted about a server, and ends with one line. */

const db = '34-12346';
const lines = (bot: Watch) =>
  bot.posted.filter(({ key }) => key.startsWith('mute:')).map(({ view }) => String(view.summary));
const posted = (bot: Watch) => bot.alerts().map(({ view }) => view.summary);

/** db-1 was on, is muted by this line, and goes off. */
async function mutedOff(line: string, options: Parameters<typeof openWatch>[1] = {}) {
  const bot = await openWatch({ power: { on: ['all'] } }, options);
  await minutes(bot, 2);
  const answer = await answerTo(bot, 'operator', line);
  bot.sim.power({ order: db, state: 'off' });
  await minutes(bot, 7);
  return { bot, answer };
}

test('a mute holds the alerts of its server back, and one line says which when it is over', async () => {
  const { bot, answer } = await mutedOff('mute db-1 20m because kernel work');
  expect(answer).toMatch(
    /## ✅ Mute db-1.*\nuntil \S+ \S+ UTC\n.* held back; reason: kernel work\.\n· Asked by @operator/,
  );
  await turn(bot, 'off', { order: '34-12345' });
  expect(posted(bot)).toEqual(['🔴 web-1 is off']);
  expect(await answerTo(bot, 'reader', 'freeze list')).toMatch(/db-1 muted │ kernel work │ @operator until /);
  expect(await answerTo(bot, 'reader', 'shift')).toMatch(/\ndb-1 muted until \S+ \S+ UTC · kernel work\n/);
  bot.sim.power({ order: db, state: 'on' });
  await minutes(bot, 15);
  expect(lines(bot)).toEqual([expect.stringMatching(/^Mute of db-1 ended\. Held back: off for \d+ min, on again\.$/)]);
  expect(posted(bot)).toEqual(['🔴 web-1 is off']);
});

test('an alert that still holds at the end of a mute opens then, once, also with a process killed in between', async () => {
  const { bot } = await mutedOff('mute db-1 20m');
  // Killed once the message is stored, before the end of the mute is.
  const killer = killAfterWrite(1, /"mute:/);
  await bot.crash(killer);
  killer.begin();
  await bot.pass(15 * minute);
  await bot.replicas[0]?.sweepAlerts().catch(() => {});
  expect([killer.isDead(), lines(bot), posted(bot)]).toEqual([true, [], []]);
  await bot.crash();
  await minutes(bot, 4);
  expect(lines(bot)).toEqual([expect.stringMatching(/^Mute of db-1 ended\. Held back: off for \d+ min, not over\.$/)]);
  expect(posted(bot)).toEqual(['🔴 db-1 is off']);
  expect(await bot.replicas[0]?.store.freezes.mutes()).toEqual([]);
});

test('without a time a mute lasts two hours, and unmute ends it at once', async () => {
  const { bot, answer } = await mutedOff('mute db-1');
  expect(answer).toMatch(/until \S+ \S+ UTC, the usual 2 hours\n/);
  expect(await answerTo(bot, 'lead', 'mute db-1')).toContain('db-1 is muted already.');
  expect(await answerTo(bot, 'lead', 'unmute db-1')).toContain('Mute of db-1 ended. Held back: off for ');
  await bot.delivered();
  expect(posted(bot)).toEqual(['🔴 db-1 is off']);
  expect(await answerTo(bot, 'lead', 'unmute db-1')).toContain('db-1 is not muted here.');
  expect(lines(bot)).toHaveLength(1);
});

test('a mute is for its channel, stays with a server that is renamed, and holds back no alert about its order', async () => {
  const { bot } = await mutedOff('mute db-1 3h');
  const rules = { power: { on: ['all'] }, 'order-status': { on: ['all'] } };
  for (const channel of [ops, 'C0OTHER']) await subscribe(bot, rules, { channel });
  bot.sim.order({ order: db, name: 'db-main' });
  await minutes(bot, 7);
  expect(bot.alerts()).toMatchObject([{ channel: 'C0OTHER', view: { summary: '🔴 db-main is off' } }]);
  bot.sim.order({ order: db, status: 'blocked' });
  await minutes(bot, 7);
  expect(posted(bot).slice(1)).toEqual(['🔴 db-main is blocked', '🔴 db-main is blocked']);
  await bot.later(3 * hour);
  expect(lines(bot)).toEqual([expect.stringMatching(/^Mute of db-main ended\. Held back: off for \d/)]);
});

test('of two replicas that end a mute at once, one says so', async () => {
  const { bot } = await mutedOff('mute db-1 20m', { replicas: 2, engine: 'postgres' });
  await bot.pass(15 * minute);
  await Promise.all(bot.replicas.map((replica) => replica.sweepAlerts()));
  await bot.delivered();
  expect(lines(bot)).toHaveLength(1);
});
