import { Resolver } from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { freePort } from '../../sandbox/free-port.ts';
import { createNameServers } from '../../src/outside/name-servers.ts';
import { readerOf } from '../../src/provider/client.ts';
import { minute } from '../alerts/support.ts';
import { openProvider } from '../provider/open.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';
import { run } from '../support/process/run.ts';
import { areThere, folder, start } from './debian.ts';

/** Debian's Knot serves the zone of the simulated provider from three addresses; the bot follows its changes there. */

const domain = 'example.com';
const addresses = { ns1: '127.0.0.12', ns2: '127.0.0.13', ns3: '127.0.0.14' };
/** The zone with the addresses of the name servers. */
const hosting = [
  '$ORIGIN hosting.example.',
  '$TTL 300',
  '@ SOA ns1.hosting.example. hostmaster.hosting.example. 1 10800 3600 604800 300',
  '@ NS ns1.hosting.example.',
  ...Object.entries(addresses).map(([name, address]) => `${name} A ${address}`),
  '',
].join('\n');
const binaries = { knotd: '/usr/sbin/knotd', knotc: '/usr/sbin/knotc' };
const missing = 'Knot is not installed (Debian: apt-get install knot): the tests with it are skipped';

/** One Knot, which loads a zone anew when it is published. BIND listens at addresses of interfaces only. */
async function startKnot(address: string, port: number, zoneOf: () => Promise<string>) {
  const dir = await folder();
  await writeFile(join(dir, 'zone'), await zoneOf());
  await writeFile(join(dir, 'hosting'), hosting);
  const file = join(dir, 'knot.conf');
  const config = {
    server: { rundir: dir, listen: `${address}@${port}` },
    control: { listen: join(dir, 'control') },
    database: { storage: dir },
    log: [{ target: 'stderr', any: 'error' }],
    zone: [
      { domain, storage: dir, file: 'zone' },
      { domain: 'hosting.example', storage: dir, file: 'hosting' },
    ],
  };
  await writeFile(file, stringify(config));
  const command = (...words: string[]) => run(binaries.knotc, ['-b', '-c', file, ...words]);
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`${address}:${port}`]);
  await start(binaries.knotd, port, ['-c', file], {
    isReady: () =>
      Promise.all([resolver.resolveSoa(domain), resolver.resolveSoa('hosting.example')]).then(
        () => true,
        () => false,
      ),
  });
  let serial = 2_100_000_000;
  return {
    publish: async () => {
      serial += 1;
      // The provider's file has the second as its serial, which two changes may share.
      const zone = (await zoneOf()).replace(/(SOA\t\S+ \S+) \d+/, `$1 ${serial}`);
      await writeFile(join(dir, 'zone'), zone);
      await command('zone-reload', domain);
    },
  };
}

async function startWorld() {
  const port = await freePort();
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`${addresses.ns1}:${port}`]);
  const nameServers = createNameServers({ resolver, allowsPrivate: true, port, perMinute: 1_000_000 });
  onTestFinished(() => nameServers.stop());
  const bot = await startTestBot({ process: { nameServers } });
  const reader = readerOf(openProvider(bot.provider.url, { apiKey: bot.provider.key }).provider);
  const zoneOf = () => reader.dns.zoneFile({ name: domain });
  const [ns1, ns2, ns3] = await Promise.all(
    Object.values(addresses).map((address) => startKnot(address, port, zoneOf)),
  );
  if (ns1 === undefined || ns2 === undefined || ns3 === undefined) throw new Error('no Knot');
  return { bot, ns1, ns2, ns3 };
}

async function changed(bot: TestBot, line: string, decision = 'Confirm', who = 'operator'): Promise<string> {
  await bot.say('operator', line);
  await bot.press(who, decision);
  await bot.settle();
  const [row] = await bot.store.operations.list({ limit: 1 });
  return row?.id ?? '';
}

const cardOf = (bot: TestBot, id: string) => JSON.stringify(bot.posted.find(({ key }) => key === `card:${id}`)?.view);

async function until(bot: TestBot, id: string, words: string): Promise<void> {
  await bot.until(() => {
    for (const { wake } of bot.replicas) wake(id);
    return cardOf(bot, id).includes(words);
  }, words);
}

const outsideSchema = z.object({
  servers: z.array(z.object({ name: z.string(), heard: z.string().nullable() })),
});

/** Waits until the three name servers were heard as `same same other`. */
async function untilHeard(bot: TestBot, id: string, wanted: string): Promise<void> {
  await bot.until(async () => {
    const outside = outsideSchema.safeParse((await bot.store.operations.find(id))?.outside).data;
    return outside?.servers.map(({ heard }) => heard).join(' ') === wanted;
  }, wanted);
}

describe.skipIf(!areThere(Object.values(binaries), missing))('changed records at a real Knot', () => {
  test('a change is reported when the last name server answers it, or with those that do not answer it in time', async () => {
    const { bot, ns1, ns2, ns3 } = await startWorld();
    const id = await changed(bot, 'dns set example.com www A 192.0.2.77 ttl=300');
    await untilHeard(bot, id, 'other other other');
    await ns1.publish();
    await ns2.publish();
    await untilHeard(bot, id, 'same same other');
    expect(cardOf(bot, id)).not.toContain('name server');
    await ns3.publish();
    await until(bot, id, 'All 3 name servers answer it, ');

    // Long texts come over TCP.
    const text = 'k=rsa; p='.padEnd(900, 'A');
    const long = await changed(bot, `dns add example.com key._domainkey TXT "${text}" ttl=300`);
    for (const one of [ns1, ns2, ns3]) await one.publish();
    await until(bot, long, 'All 3 name servers answer it, ');
    const gone = await changed(bot, 'dns remove example.com key._domainkey TXT', 'Approve', 'lead');
    for (const one of [ns1, ns2, ns3]) await one.publish();
    await until(bot, gone, 'All 3 name servers answer without it, ');

    // A change that appears on one server only, or never, is reported with the servers that lack it.
    const one = await changed(bot, 'dns set example.com www A 192.0.2.79 ttl=300');
    await ns1.publish();
    await untilHeard(bot, one, 'same other other');
    bot.skip(10 * minute);
    const [ns1Name, ns2Name, ns3Name] = Object.keys(addresses).map((name) => `${name}.hosting.example`);
    await until(bot, one, `${ns2Name} and ${ns3Name} still answer something else. ${ns1Name} answers it.`);
    const never = await changed(bot, 'dns add example.com never A 192.0.2.78 ttl=300');
    await untilHeard(bot, never, 'other other other');
    bot.skip(10 * minute);
    await until(bot, never, `${ns1Name}, ${ns2Name} and ${ns3Name} still answer something else.`);
  });
});
