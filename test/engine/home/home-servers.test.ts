import { expect, it } from 'vitest';
import { answerTo, wordsOf } from '../told.ts';
import { openHomes } from './open-homes.ts';

const namesIn = (text: string, row: RegExp) => [...text.matchAll(row)].map(([, name = '']) => name);
const rowOfList = /^([a-z]+-\d) │/gm;
const rowOfHome = /^(?:🟢|🔴|🟡|⚪) ([a-z]+-\d) · /gmu;
const redOnHome = /^🔴 ([a-z]+-\d) · /gmu;

it('Home, the list, the summary, the orders and the menu agree about the same servers', async () => {
  const { bot, filter, open, text } = await openHomes({ engine: 'sqlite' });
  bot.sim.order({ order: '34-12345', status: 'blocked' });
  bot.sim.order({ order: '34-12360', cancel_mark: true });
  bot.sim.power({ order: '34-12399', state: 'off' });
  bot.sim.power({ order: '34-12380', state: 'unknown' });
  await bot.store.values.write('power', { '34-12422': { usual: 'off', seen: 'off' } }, bot.now());

  await expect.poll(() => open('operator'), { timeout: 10_000 }).not.toContain('not read');
  await filter('operator', 'all');
  await bot.until(() => text('operator').includes('[All servers ▾'), 'all servers');
  const home = text('operator');
  const order = namesIn(home, rowOfHome);
  expect(order).toEqual([
    ...['web-1', 'web-2', 'wiki-1', 'vpn-1', 'cache-1', 'staging-1', 'ci-1', 'mail-1'],
    ...['db-1', 'db-2', 'monitor-1', 'web-3'],
  ]);
  expect(namesIn(home, redOnHome)).toEqual(['web-1', 'web-2', 'wiki-1']);

  const list = await answerTo(bot, 'operator', 'list');
  expect(namesIn(list, rowOfList)).toEqual(order);
  expect(namesIn(list, /^([a-z]+-\d) │ 🔴/gmu)).toEqual(['web-1', 'web-2', 'wiki-1']);
  expect(list).toContain('staging-1 │ ⚪ off │');

  const summary = await answerTo(bot, 'operator', 'status');
  expect(namesIn(summary, /^([a-z]+-\d): /gm)).toEqual(order.slice(0, 8));
  for (const [, name = '', , words = ''] of home.matchAll(/^(?:🔴|🟡|⚪) ([a-z]+-\d) · (\S+) · (?:on · )?(.+)$/gmu))
    expect(summary.split('\n')).toContain(`${name}: ${words.replaceAll(' · ', ', ').replace(/^off, (?=6 days)/, '')}`);

  const orders = await answerTo(bot, 'operator', 'orders type:vps');
  expect(orders.indexOf('web-1 ')).toBeLessThan(orders.indexOf('mail-1 '));
  expect(orders).toMatch(/^web-1 · server │ 🔴 blocked │/m);

  bot.sim.power({ order: '34-12380', state: 'on' });
  bot.skip(20_000);
  await expect.poll(() => open('operator'), { timeout: 10_000 }).not.toContain('not read');
  await bot.say('operator', '');
  expect(wordsOf(bot, bot.posted.at(-1)?.view)).toMatch(/^#ops · 🔴 web-1, web-2 and wiki-1 are off · /);
});
