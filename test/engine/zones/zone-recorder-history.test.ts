import { expect } from 'vitest';
import { subscribe } from '../../alerts/support.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { zoneHistory } from '../../stories/zone-history.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { killAfterWrite } from '../../support/bot/kill-after-write.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { decide } from '../asked.ts';
import { answerTo, confirm, pressAndSettle, requested } from '../told.ts';

/** The history of zones and the restoring of records from it, through the whole engine. */

tellEach(zoneHistory);

const zoneOf = (bot: TestBot, name = 'example.org') =>
  bot.sim.state().domains.find((domain) => domain.name === name)?.entries ?? [];
const addByHand = (bot: TestBot, ...hosts: string[]) =>
  bot.sim.records({
    domain: 'example.org',
    add: hosts.map((host) => ({ host, type: 'A' as const, value: '192.0.2.66' })),
  });
const versions = async (bot: TestBot, zone = 'example.org') => (await bot.store.zoneVersions.list(zone)).toReversed();

test('a restore whose process is killed between two records continues, sends each once, and is one row of the history', async () => {
  const bot = await requested('dns list example.org');
  const [first] = await versions(bot);
  expect(first).toMatchObject({ n: 1, since: null, operations: [], changes: null });
  addByHand(bot, 'one', 'two', 'three');
  await bot.say('operator', 'dns restore example.org v1');
  // The process dies once the second record is under way.
  const mortal = killAfterWrite(2, /^begin /);
  await bot.crash(mortal);
  mortal.begin();
  await bot.press('lead', 'Approve').catch(() => undefined);
  await mortal.died;
  await bot.crash();
  await bot.takeUp();
  await bot.until(async () => (await bot.store.operations.list({ limit: 1 }))[0]?.endedAt !== null, 'the end');
  await bot.settle();
  const removals = bot.writes().filter((write) => write.startsWith('DELETE'));
  expect(new Set(removals).size).toBe(removals.length);
  await bot.say('operator', 'dns history example.org');
  const [id] = (await bot.store.operations.list({ limit: 1 })).map((row) => row.id);
  const own = (await versions(bot)).filter(({ operations }) => operations.includes(id ?? ''));
  expect(own.length).toBeGreaterThan(0);
  expect(bot.transcript().match(new RegExp(`· ${id}`, 'g'))).toHaveLength(1);
});

test('two replicas that read the same change store it once, and each names the request that made it', async () => {
  const bot = await startTestBot({ replicas: 2, engine: 'postgres' });
  for (const replica of [0, 1]) await bot.say('operator', 'dns list example.org', { replica });
  addByHand(bot, 'evil');
  await Promise.all([0, 1].map((replica) => bot.say('operator', 'dns list example.org', { replica })));
  await bot.say('operator', 'dns add example.org mine A 192.0.2.9', { replica: 1 });
  await pressAndSettle(bot, 'operator', 'Confirm', { replica: 0 });
  for (const replica of [0, 1]) await bot.say('operator', 'dns list example.org', { replica });
  const found = await versions(bot);
  expect(found.map(({ n, since, operations }) => [n, since !== null, operations.length])).toEqual([
    [1, false, 0],
    [2, true, 0],
    [3, false, 1],
  ]);
});

test('zones are read every five minutes without alerts, and none before a person has read one', async ({ bot }) => {
  await bot.replicas[0]?.sweepAlerts();
  expect(await versions(bot)).toHaveLength(0);
  await bot.say('operator', 'dns list example.org');
  addByHand(bot, 'evil');
  bot.skip(6 * 60_000);
  await bot.replicas[0]?.sweepAlerts();
  expect(await versions(bot)).toHaveLength(2);
});

test('a zone of more than 5,000 records has no history, and the answer says so', async ({ bot }) => {
  const add = Array.from({ length: 5_001 }, (_, n) => ({ host: `h${n}`, type: 'A' as const, value: '192.0.2.66' }));
  bot.sim.records({ domain: 'example.org', add });
  await bot.say('operator', 'dns list example.org');
  expect(await versions(bot)).toHaveLength(0);
  await bot.say('operator', 'dns history example.org');
  expect(bot.transcript()).toContain(
    'example.org has 5,013 records. The bot keeps versions of zones with at most 5,000 records.',
  );
});

test('a reading that fails, and one that ends after a later one has stored its version, store nothing', async () => {
  const bot = await requested('dns list example.org');
  addByHand(bot, 'evil');
  bot.sim.fault({ kind: 'answer', match: 'GET /dns/domain/{name}/entry_set/', status: 500, times: 20 });
  await bot.say('operator', 'dns list example.org');
  expect(await versions(bot)).toHaveLength(1);
});

test('only people who may read a domain learn of its history, by no word of an answer', async () => {
  const policy = granting({ [`group:${opsGroup}`]: 'read dns on domain:example.com' });
  const bot = await startTestBot({ policy });
  await subscribe(bot, { expiring: {} });
  await bot.replicas[0]?.sweepAlerts();
  addByHand(bot, 'secret-name');
  bot.skip(6 * 60_000);
  await bot.replicas[0]?.sweepAlerts();
  expect((await versions(bot)).length).toBe(2);
  for (const line of [
    'dns history example.org',
    'dns history never.example',
    'dns diff example.org v1',
    'dns zone example.org at=v1',
    'dns restore example.org v1',
    'dns restore never.example v1',
  ])
    expect(await answerTo(bot, 'operator', line), line).not.toMatch(/secret-name|first reading|v2/);
});

test('a removed domain keeps its history, comes back with its records, and is a file where it cannot be added', async () => {
  const policy = granting({ everyone: 'read dns destroy' }, { dangerous: 'confirm', destructive: 'confirm' });
  const bot = await requested('dns list example.org', { policy });
  const before = zoneOf(bot).map(({ host, type, value }) => `${host} ${type} ${value}`);
  await confirm(bot, 'operator', 'dns domain-remove example.org');
  await bot.say('operator', 'dns restore example.org v1');
  expect(bot.hasButton('Add it again and restore v1')).toBe(true);
  await bot.press('operator', 'Cancel');
  bot.skip(60_000);
  await bot.say('operator', 'dns domains');
  expect(await answerTo(bot, 'operator', 'dns history example.org')).toContain('the domain was removed');
  await bot.say('operator', 'dns zone example.org at=v1');
  expect(bot.transcript()).toContain('Zone file of example.org as in v1, read');
  await decide(bot, 'dns restore example.org v1', 'operator', 'Add it again and restore v1');
  const after = zoneOf(bot).map(({ host, type, value }) => `${host} ${type} ${value}`);
  expect(after).toEqual(expect.arrayContaining(before.filter((line) => !line.includes(' NS '))));
  expect(bot.transcript()).toContain('example.org added again, with ');
});
