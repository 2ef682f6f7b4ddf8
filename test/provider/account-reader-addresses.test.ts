import { expect } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { answerTo, requested, suggested } from '../engine/told.ts';
import { startTestBot, test } from '../support/bot/test-bot.ts';

// A server is found by each of its addresses, also those in the address list only.

test('a server is shown and requested by each of its addresses', async ({ bot }) => {
  for (const [address, name] of [
    ['203.0.113.41', 'monitor-1'],
    ['203.0.113.25', 'mail-1'],
    ['2001:DB8:25:0:0:0::25', 'mail-1'],
    ['[2001:db8:25::25]', 'mail-1'],
  ]) {
    expect(await answerTo(bot, 'operator', `status ${address}`)).toContain(`## ${name}  [`);
    expect(await answerTo(bot, 'operator', `restart ${address}`)).toContain(`## ⏳ Restart ${name}`);
    await bot.press('operator', 'Withdraw');
  }
});

test('the search as you type finds an address in another notation', async () => {
  const bot = await requested('list');
  const form = await bot.open('operator', { line: 'restart' });
  const found = await suggested(bot, 'operator', form, 'servers', '2001:DB8:25:0::25');
  expect(found.map(({ label }) => label)).toEqual([expect.stringContaining('mail-1')]);
});

test('an address shows no server name to a person who may not read the server', async () => {
  const policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read', 'operate'], on: ['order:web-*'] }] });
  const bot = await startTestBot({ policy });
  for (const line of ['status 203.0.113.41', 'restart 2001:DB8:25:0::25', 'why restart 203.0.113.41'])
    await bot.say('reader', line);
  expect(bot.transcript()).not.toMatch(/monitor-1|mail-1/);
  expect(await answerTo(bot, 'reader', 'status 192.0.2.10')).toContain('## web-1  [');
});

test('without the address list, servers are found by the addresses of their orders', async ({ bot }) => {
  bot.sim.fault({ kind: 'answer', match: 'GET /network/ip-address/', status: 403, body: { detail: 'No.' } });
  expect(await answerTo(bot, 'operator', 'status 203.0.113.25')).toContain('## mail-1  [');
  expect(await answerTo(bot, 'operator', 'order 34-12360')).toContain('Reverse DNS: Unknown: it could not be read.');
});

test('reading one server again does not read the addresses of all servers again', async () => {
  const bot = await requested('status mail-1');
  const before = bot.sim.requests().length;
  await bot.say('operator', 'status mail-1');
  const routes = bot.sim
    .requests()
    .slice(before)
    .map(({ route }) => route);
  expect(routes).not.toEqual([]);
  expect(routes.filter((route) => route?.includes('ip-address'))).toEqual([]);
});
