import { Resolver } from 'node:dns/promises';
import { expect, onTestFinished } from 'vitest';
import { createNameServers, type NameServersOptions } from '../../../src/outside/name-servers.ts';
import { minute } from '../../alerts/support.ts';
import { startTestBot, type TestBot, type TestBotOptions, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { startTestNameServers } from '../../support/process/name-servers.ts';
import { decide, newest } from '../asked.ts';
import { pressAndSettle } from '../told.ts';

// After the end of a DNS change its card tells what the name servers of the zone answer.

const second = 1_000;
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const names = Object.fromEntries(addresses.map((address, n) => [`ns${n + 1}.hosting.example`, address]));
const addressOfResolver = '127.0.0.8';

async function startWorld(options: TestBotOptions = {}, more: NameServersOptions = {}) {
  const servers = await startTestNameServers(() => bot.provider, { ...names, resolver: addressOfResolver });
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`${addressOfResolver}:${servers.port}`]);
  const nameServers = createNameServers({
    ...{ resolver, allowsPrivate: true, timeoutMs: 150, port: servers.port, perMinute: 1_000_000 },
    ...more,
  });
  onTestFinished(() => nameServers.stop());
  const bot = await startTestBot({ process: { nameServers }, ...options });
  const publish = (...some: string[]) => {
    for (const address of some) servers.at(address).publish();
  };
  publish(...addresses);
  return { bot, at: servers.at, publish };
}

const cardOf = (bot: TestBot, id: string) => JSON.stringify(bot.posted.find(({ key }) => key === `card:${id}`)?.view);

async function verdict(bot: TestBot, id: string): Promise<string | undefined> {
  const outside = (await bot.store.operations.find(id))?.outside;
  return typeof outside === 'object' && outside !== null && 'verdict' in outside ? String(outside.verdict) : undefined;
}

/** Waits until the card has the words, waking the look that is due later. */
async function until(bot: TestBot, id: string, words: string): Promise<void> {
  await bot.until(() => {
    for (const { wake } of bot.replicas) wake(id);
    return cardOf(bot, id).includes(words);
  }, words);
}

const replies = (bot: TestBot, id: string) => bot.posted.filter(({ key }) => key === `outside:${id}`);

const set = 'dns set example.com www A 192.0.2.77 ttl=300';

/** Changes records as an operator, and returns the id of the request once it has ended. */
async function change(bot: TestBot, line = set): Promise<string> {
  await decide(bot, line);
  return (await newest(bot)).id;
}

/** Waits until a name server has answered something else. */
const untilOther = (bot: TestBot, id: string, words = '"other"') =>
  bot.until(async () => JSON.stringify((await bot.store.operations.find(id))?.outside).includes(words), words);

test.each(engines)('a card tells when all name servers answer a change (%s)', async (engine) => {
  const { bot, publish } = await startWorld({ engine });
  const id = await change(bot);
  const before = cardOf(bot, id);
  expect(before).not.toContain('name server');
  publish('127.0.0.2', '127.0.0.3');
  bot.skip(12 * second);
  await untilOther(bot, id);
  expect(cardOf(bot, id)).toBe(before);
  publish('127.0.0.4');
  await until(bot, id, 'All 3 name servers answer it, ');
  const [, seconds] = /answer it, (\d+) s after the change\./.exec(cardOf(bot, id)) ?? [];
  // Real seconds of the test come on top.
  expect(Number(seconds)).toBeGreaterThanOrEqual(12);
  expect(await verdict(bot, id)).toBe('seen');
  expect(replies(bot, id)).toEqual([]);
  await bot.until(async () => (await bot.store.operations.find(id))?.nextTurnAt === null);
});

test('a name server that never has the change is named after ten minutes, in the thread too, with a ticket', async () => {
  const { bot, at, publish } = await startWorld();
  const id = await change(bot);
  publish('127.0.0.2');
  at('127.0.0.4').mode = 'refuses';
  await untilOther(bot, id);
  bot.skip(10 * minute);
  await until(bot, id, 'Not every name server answers it');
  expect(cardOf(bot, id)).toContain(
    'Not every name server answers it, 10 minutes after the change. ns2.hosting.example still answers something else. ns3.hosting.example gave no answer: it refused. ns1.hosting.example answers it.',
  );
  expect(cardOf(bot, id)).toContain('Open a ticket…');
  await bot.until(() => replies(bot, id).length === 1, 'the reply');
});

test('no answer at all is not called wrong: the card says so, and nothing is posted', async () => {
  const { bot, at } = await startWorld({}, { timeoutMs: 20 });
  for (const address of ['127.0.0.2', '127.0.0.3']) at(address).mode = 'silent';
  at('127.0.0.4').mode = 'lame';
  const id = await change(bot);
  await bot.until(() => at('127.0.0.4').asked.length > 0);
  bot.skip(10 * minute);
  await until(bot, id, 'No name server answered within 10 minutes, so it is not known whether they have the change: ');
  expect(cardOf(bot, id)).toContain('ns3.hosting.example gave no answer: it does not serve the zone.');
  expect(cardOf(bot, id)).not.toContain('Open a ticket');
  await bot.settle();
  expect(replies(bot, id)).toEqual([]);
});

test.each(engines)('a bot that is killed in between continues, and says it once (%s)', async (engine) => {
  const { bot, at, publish } = await startWorld({ engine, replicas: 1 });
  const id = await change(bot);
  await bot.until(() => at('127.0.0.3').asked.length > 0);
  await (engine === 'sqlite' ? bot.crash() : bot.restart());
  publish('127.0.0.2', '127.0.0.4');
  bot.skip(11 * minute);
  await until(bot, id, 'Not every name server answers it');
  await bot.until(() => replies(bot, id).length > 0);
  await (engine === 'sqlite' ? bot.crash() : bot.restart());
  // The state after a kill between the last answer and the end of its turn.
  await bot.database.run(`update operations set next_turn_at = 0 where id = '${id}'`);
  await bot.until(async () => (await bot.store.operations.find(id))?.nextTurnAt === null);
  expect(replies(bot, id)).toHaveLength(1);
});

test.each([
  ['a removal is seen when the record is absent', 'dns remove example.com www A', 'lead', 'Approve', 'without it, '],
  ['a change of the TTL is seen by the answer', 'dns edit example.com www A ttl=600', 'operator', 'Confirm', 'it, '],
])('%s, also in a long answer over TCP', async (_, line, by, label, words) => {
  const { bot, at, publish } = await startWorld();
  at('127.0.0.3').mode = 'truncated';
  await decide(bot, line, by, label);
  const { id } = await newest(bot);
  await untilOther(bot, id);
  publish(...addresses);
  await until(bot, id, `All 3 name servers answer ${words}`);
});

test('records that were changed again meanwhile are not called late', async () => {
  const { bot } = await startWorld();
  const first = await change(bot);
  await untilOther(bot, first);
  await change(bot, 'dns set example.com www A 192.0.2.78 ttl=300');
  bot.skip(10 * minute);
  await until(bot, first, 'These records were changed again');
  expect(replies(bot, first)).toEqual([]);
});

test('a change that was undone is not followed', async () => {
  const { bot } = await startWorld();
  const id = await change(bot);
  await untilOther(bot, id);
  await bot.press('operator', 'Undo');
  await pressAndSettle(bot, 'operator', 'Confirm');
  bot.skip(10 * minute);
  await bot.until(async () => {
    for (const { wake } of bot.replicas) wake(id);
    return (await bot.store.operations.find(id))?.nextTurnAt === null;
  }, 'no further turn');
  expect(await verdict(bot, id)).toBe('following');
  expect(replies(bot, id)).toEqual([]);
});

test('without name servers to ask, a change ends as ever and nothing is kept', async ({ bot }) => {
  const id = await change(bot);
  expect(await bot.store.operations.find(id)).toMatchObject({ outside: null, outsideSince: null, nextTurnAt: null });
});

test('many changes at once stay within the questions of a minute, and say that they were not asked', async () => {
  const { bot, at } = await startWorld({}, { perMinute: 7 });
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await change(bot, `dns add example.com flood${n} A 192.0.2.${n + 1}`));
  await bot.until(() => at('127.0.0.2').asked.length > 0);
  bot.skip(10 * minute);
  await bot.until(async () => {
    for (const id of ids) for (const { wake } of bot.replicas) wake(id);
    const verdicts = await Promise.all(ids.map((id) => verdict(bot, id)));
    return verdicts.every((one) => one !== 'following');
  });
  const cards = () => ids.map((id) => cardOf(bot, id)).join();
  // The card is drawn after its row.
  await bot.until(() => cards().includes('could not be asked'), 'a card that says so');
  const questions = addresses.flatMap((address) => at(address).asked);
  // The limit counts by the clock of the process, on which less than a minute has passed.
  expect(questions.length).toBeLessThanOrEqual(7);
  expect(cards()).toContain('could not be asked within 10 min');
});

test('an address that is not public is never asked', async () => {
  const { bot, at } = await startWorld({}, { allowsPrivate: false });
  const id = await change(bot);
  await untilOther(bot, id, 'its address is not public');
  expect(addresses.flatMap((address) => at(address).asked)).toEqual([]);
});
