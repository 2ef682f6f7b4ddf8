import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { answerTo, readQuery } from '../../sandbox/provider/dns-answer.ts';
import { createNameServers } from '../../src/outside/name-servers.ts';

/** A resolver and name server that only finds the addresses of `found…`, and the number of packets that it got. */
async function start(perMinute: number, lookUpMs = 200) {
  let packets = 0;
  const socket = createSocket('udp4', (query, from) => {
    packets += 1;
    const { name } = readQuery(query);
    if (name.startsWith('found'))
      socket.send(answerTo(query, new Map(), { [name]: '127.0.0.1' }), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let now = 0;
  const { port } = socket.address();
  const resolver = new Resolver({ timeout: lookUpMs, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const nameServers = createNameServers({
    ...{ resolver, port, perMinute, allowsPrivate: true, timeoutMs: 20, now: () => now },
  });
  onTestFinished(() => {
    nameServers.stop();
    socket.close();
  });
  const ask = (server: string) => nameServers.query(server, { name: 'example.com', type: 'NS' });
  return { nameServers, ask, packets: () => packets, skip: (ms: number) => (now += ms) };
}

test('look-ups of the addresses of name servers, and packets that are sent again, count in the limit of a minute', async () => {
  const { nameServers, ask, packets } = await start(50, 500);
  const asked = Array.from({ length: 20 }, (_, n) => (nameServers.admit(1) ? [ask(`found${n}.evil.example`)] : []));
  await Promise.all(asked.flat());
  expect(asked.flat().length).toBeGreaterThan(10);
  expect(packets()).toBeGreaterThan(40);
  expect(packets()).toBeLessThanOrEqual(50);
});

test('a name server whose address was not found is looked up again after a minute', async () => {
  const { ask, packets, skip } = await start(1_000);
  expect(await ask('ns1.evil.example')).toEqual({ kind: 'none', why: 'its address was not found' });
  const first = packets();
  // Two types of addresses.
  expect(first).toBe(2);
  skip(59_000);
  await ask('ns1.evil.example');
  expect(packets()).toBe(first);
  skip(2_000);
  await ask('ns1.evil.example');
  expect(packets()).toBe(2 * first);
});

test('a look-up that the limit stops is not an address that was not found, and is tried again after a minute', async () => {
  const { nameServers, ask, skip } = await start(60);
  expect(nameServers.admit(60)).toBe(true);
  const why = 'the limit of questions in a minute was reached, and it is asked again later';
  expect(await ask('ns1.evil.example')).toEqual({ kind: 'none', why });
  skip(61_000);
  expect(await ask('ns1.evil.example')).toEqual({ kind: 'none', why: 'its address was not found' });
});
