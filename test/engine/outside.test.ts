import { expect, onTestFinished, test } from 'vitest';
import { createNameServers, type NameServersOptions } from '../../src/name-servers/name-servers.ts';
import { minute } from '../alerts/support.ts';
import { startTestNameServers, type TestNameServer } from '../support/name-servers.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/test-bot.ts';

// After the end of a DNS change its card tells what the name servers of the zone answer, and later two resolvers.

const second = 1_000;
const names = {
  'ns1.hosting.example': '127.0.0.2',
  'ns2.hosting.example': '127.0.0.3',
  'ns3.hosting.example': '127.0.0.4',
  resolver: '127.0.0.8',
  'second-resolver': '127.0.0.9',
};
const resolvers = ['127.0.0.8', '127.0.0.9'];

interface World {
  readonly bot: TestBot;
  readonly at: (address: string) => TestNameServer;
  readonly publish: (...addresses: string[]) => void;
}

const engines = ['sqlite', 'postgres'] as const;

async function startWorld(options: TestBotOptions = {}, more: Partial<NameServersOptions> = {}): Promise<World> {
  const servers = await startTestNameServers(() => bot.provider, names);
  const nameServers = createNameServers({
    ...{ resolvers, allowsPrivate: true, timeoutMs: 150, port: servers.port },
    ...more,
  });
  onTestFinished(() => nameServers.stop());
  const bot = await startTestBot({ nameServers, ...options });
  const publish = (...addresses: string[]) => {
    for (const address of addresses) servers.at(address).publish();
  };
  publish(...Object.values(names));
  return { bot, at: servers.at, publish };
}

async function idOf(bot: TestBot): Promise<string> {
  const [row] = await bot.store.operations.list({ limit: 1 });
  return row?.id ?? '';
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

test.each(engines)(
  'a card tells when all name servers answer a change, and later that the resolvers do (%s)',
  async (engine) => {
    const { bot, publish } = await startWorld({ engine });
    await bot.say('operator', 'dns set example.com www A 192.0.2.77 ttl=300');
    await bot.press('operator', 'Confirm');
    await bot.settle();
    const id = await idOf(bot);
    const before = cardOf(bot, id);
    expect(before).not.toContain('name server');
    publish('127.0.0.2', '127.0.0.3');
    bot.skip(12 * second);
    await bot.until(async () => JSON.stringify((await bot.store.operations.find(id))?.outside).includes('"other"'));
    expect(cardOf(bot, id)).toBe(before);
    publish('127.0.0.4');
    await until(bot, id, 'All 3 name servers answer it, ');
    expect(cardOf(bot, id)).toMatch(/answer it, 1\d s after the change\./);
    publish('127.0.0.8', '127.0.0.9');
    bot.skip(7_200 * second);
    await until(bot, id, 'The resolvers 127.0.0.8 and 127.0.0.9 do, too.');
    expect(await verdict(bot, id)).toBe('seen');
    expect(replies(bot, id)).toEqual([]);
    await bot.until(async () => (await bot.store.operations.find(id))?.nextTurnAt === null);
  },
);

test('a name server that never has the change is named after ten minutes, in the thread too, with a ticket', async () => {
  const { bot, at, publish } = await startWorld();
  await bot.say('operator', 'dns set example.com www A 192.0.2.77 ttl=300');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const id = await idOf(bot);
  publish('127.0.0.2');
  at('127.0.0.4').mode = 'refuses';
  await bot.until(async () => JSON.stringify((await bot.store.operations.find(id))?.outside).includes('"other"'));
  bot.skip(10 * minute);
  await until(bot, id, 'Not every name server answers it');
  expect(cardOf(bot, id)).toContain(
    'Not every name server answers it, 10 minutes after the change. ns2.hosting.example still answers something else. ns3.hosting.example gave no answer: it refused. ns1.hosting.example answers it.',
  );
  expect(cardOf(bot, id)).toContain('Open a ticket…');
  await bot.until(() => replies(bot, id).length === 1);
  expect(replies(bot, id)).toHaveLength(1);
});
