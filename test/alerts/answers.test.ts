import { expect, test } from 'vitest';
import { sayAndPress } from '../engine/told.ts';
import { serversOutside } from '../support/bot/servers-outside.ts';
import { confirmed, minutes, openWatch, turn } from './support.ts';

const db1 = '192.0.2.20';
const onDb1 = { on: ['order:34-12346'] };

async function watch(rules: Parameters<typeof openWatch>[0]) {
  const servers = serversOutside(['ssh']);
  const bot = await openWatch(rules, { process: { prober: servers.prober } });
  return { bot, ...servers };
}

const said = (bot: Awaited<ReturnType<typeof openWatch>>) => bot.alerts().map(({ view }) => view.summary);

test('a server that is on and answers nothing twice in a row raises an alert, and ends it when it answers', async () => {
  const { bot, silent } = await watch({ answers: onDb1 });
  await minutes(bot, 2);
  silent.add(db1);
  await minutes(bot, 1);
  expect(said(bot)).toEqual([]);
  await minutes(bot, 1);
  expect(said(bot)).toEqual(['🔴 db-1 is on and answers nothing']);
  expect(bot.story()).toContain('Before, ssh answered');
  silent.delete(db1);
  await minutes(bot, 1);
  expect(said(bot)[0]).toMatch(/^✅ db-1 answers again/);
});

test('neither a server that never answered, nor one that is off, nor one that a request restarts raises an alert', async () => {
  const servers = serversOutside(['ssh']);
  const options = { process: { prober: servers.prober }, provider: { jobMs: 3_600_000 } };
  const bot = await openWatch({ answers: { on: ['tag:web', 'order:34-12346', 'order:34-12360'] } }, options);
  servers.silent.add('192.0.2.10');
  await minutes(bot, 2);
  await sayAndPress(bot, 'operator', 'restart web-2');
  await bot.until(() => bot.writes().length > 0);
  servers.silent.add(db1).add('192.0.2.11').add('203.0.113.25').add('2001:db8:25::25');
  await turn(bot, 'off', { n: 3 });
  expect(said(bot)).toEqual(['🔴 mail-1 is on and answers nothing']);
});

test('the alert of a server that is off ends when it is on, and says when it answers', async () => {
  const { bot, silent } = await watch({ power: onDb1, answers: onDb1 });
  await minutes(bot, 6);
  silent.add(db1);
  await turn(bot, 'off');
  expect(said(bot)).toEqual(['🔴 db-1 is off']);
  await turn(bot, 'on');
  expect(said(bot)[0]).toMatch(/^✅ db-1 is on again/);
  silent.delete(db1);
  await bot.until(() => /db-1 is on again, answers after \d+ (s|min)/.test(bot.transcript()), 'the answer');
});

test('all alerts at once leave out the rule about answers, which is turned on by its name', async () => {
  const { bot } = await watch({});
  await confirmed(bot, 'alerts on all');
  const rules = async () => Object.keys((await bot.store.values.get('subscription', 'C0OPS'))?.rules ?? {});
  expect(await rules()).toContain('power');
  expect(await rules()).not.toContain('answers');
  await confirmed(bot, 'alerts on answers on=tag:web');
  expect(await rules()).toContain('answers');
});
