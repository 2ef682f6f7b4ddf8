import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createNameServers } from '../../src/name-servers/name-servers.ts';

/** Two resolvers that never answer, and the number of packets that they got. */
async function start(perMinute: number) {
  let packets = 0;
  const socket = createSocket('udp4').on('message', () => {
    packets += 1;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let now = 0;
  const nameServers = createNameServers({
    ...{ resolvers: ['127.0.0.1', '127.0.0.1'], allowsPrivate: true, port: socket.address().port, timeoutMs: 20 },
    ...{ perMinute, now: () => now },
  });
  onTestFinished(() => {
    nameServers.stop();
    socket.close();
  });
  const ask = (server: string) => nameServers.query(server, { name: 'example.com', type: 'SOA' });
  return { nameServers, ask, packets: () => packets, skip: (ms: number) => (now += ms) };
}

test('look-ups of the addresses of name servers, and packets that are sent again, count in the limit of a minute', async () => {
  const { nameServers, ask, packets } = await start(60);
  const asked = Array.from({ length: 20 }, (_, n) => (nameServers.admit(1) ? [ask(`ns${n}.evil.example`)] : []));
  await Promise.all(asked.flat());
  expect(asked.flat().length).toBeGreaterThan(10);
  expect(packets()).toBeGreaterThan(20);
  expect(packets()).toBeLessThanOrEqual(60);
});

test('a name server whose address was not found is looked up again after a minute', async () => {
  const { ask, packets, skip } = await start(1_000);
  expect(await ask('ns1.evil.example')).toEqual({ kind: 'none', why: 'its address was not found' });
  const first = packets();
  // Two types, two resolvers, two packets each.
  expect(first).toBe(8);
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
