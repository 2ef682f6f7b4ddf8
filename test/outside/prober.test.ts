import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { listen } from '../../sandbox/http.ts';
import { makeCertificate } from '../../sandbox/provider/certificate.ts';
import { answerTo, readQuery } from '../../sandbox/provider/dns-answer.ts';
import type { Probed } from '../../src/core/probe/services.ts';
import { createProber, type ProberOptions } from '../../src/outside/prober.ts';
import { patienceMs } from '../support/suite/patience.ts';

/** Real sockets on loopback, which stand for an address of the documentation. */

const address = '192.0.2.1';
const name = 'www.example.com';
const day = 24 * 3_600_000;
const inDays = (from: number, until: number) => ({
  from: new Date(Date.now() + from * day),
  until: new Date(Date.now() + until * day),
});
const authority = makeCertificate({ names: ['authority.example'], ...inDays(-1, 1) });
const valid = makeCertificate({ names: ['*.example.com'], ...inDays(-1, 1), issuer: authority });
const inTime = 'it did not answer in time';
/** Each answer contains it, and no result. */
const marker = 'what-the-server-said';
const waits = { timeoutMs: patienceMs };
const hurries = { timeoutMs: 300 };

/** Listens on loopback, and keeps the connections. */
async function open(server: Server, event: 'connection' | 'secureConnection' = 'connection') {
  const heard: Socket[] = [];
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  server.on(event, (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    heard.push(socket);
  });
  const port = await listen(server, 0, '0.0.0.0');
  onTestFinished(() => {
    for (const socket of heard) socket.destroy();
    server.close();
  });
  return { port, heard };
}

const openTcp = (speak: (socket: Socket) => void = () => {}) => open(createServer(speak));

/** A server that answers each request with this text, and the requests. */
async function openHttps(answer: string, certificate = valid) {
  const requests: string[] = [];
  const server = createTlsServer(certificate, (socket) => {
    socket.on('data', (bytes) => {
      requests.push(String(bytes));
      socket.write(answer);
    });
  });
  return { requests, ...(await open(server, 'secureConnection')) };
}

async function look(at: number, service: { port: number; name?: string }, options: ProberOptions = waits) {
  const prober = createProber({ at: () => ({ host: '127.0.0.1', port: at }), ca: authority.cert, ...options });
  const [looked] = await prober.probe([{ address, ...service }]);
  expect(JSON.stringify(looked)).not.toContain(marker);
  expect(looked).toMatchObject({ address, ...service });
  return looked as Probed;
}

const lookHttps = (at: number, options?: ProberOptions) => look(at, { port: 443, name }, options);

test('ssh answers with its banner, and another port with an accepted connection', async () => {
  const { port, heard } = await openTcp((socket) => socket.write(`SSH-2.0-${marker}\r\n`));
  expect(await look(port, { port: 22 })).toEqual({ address, port: 22, ms: expect.any(Number) });
  expect(await look(port, { port: 5_432 })).toEqual({ address, port: 5_432, ms: expect.any(Number) });
  await expect.poll(() => heard.filter(({ closed }) => !closed)).toEqual([]);
});

test('a banner that arrives a byte at a time is read', async () => {
  const { port } = await openTcp(async (socket) => {
    for (const letter of `SSH-2.0-${marker}\r\n`) {
      socket.write(letter);
      await sleep(5);
    }
  });
  expect((await look(port, { port: 22 })).why).toBeUndefined();
});

test.each([
  ['ssh', { port: 22 }],
  ['https', { port: 443, name }],
])('a server that accepts and never speaks does not answer %s, and is given up in time', async (_, service) => {
  const { port } = await openTcp();
  const { why, ms } = await look(port, service, hurries);
  expect(why).toBe(inTime);
  expect(ms).toBeGreaterThan(250);
});

test('a server that says a byte from time to time is given up in time', async () => {
  const drip = async (socket: Socket) => {
    while (!socket.destroyed) {
      socket.write('S');
      await sleep(200);
    }
  };
  const { port } = await openTcp(drip);
  expect((await look(port, { port: 22 }, hurries)).why).toBe(inTime);
});

test('an answer of another protocol, a closed connection and a refused one are no answers', async () => {
  const other = await openTcp((socket) => socket.write(`220 ${marker} ESMTP\r\n`));
  expect((await look(other.port, { port: 22 }, hurries)).why).toBe(inTime);
  const talkative = await openTcp((socket) => socket.write(`${marker}\r\n`.repeat(200)));
  expect((await look(talkative.port, { port: 22 })).why).toBe('it speaks no SSH');
  const polite = await openTcp((socket) => socket.write(`${marker}\r\nSSH-2.0-other\r\n`));
  expect((await look(polite.port, { port: 22 })).why).toBeUndefined();
  expect((await lookHttps(other.port)).why).toBe('no connection');
  const closing = await openTcp((socket) => socket.end());
  expect((await look(closing.port, { port: 22 })).why).toBe('it closed the connection');
  expect((await lookHttps(closing.port)).why).toBe('it closed the connection');
  const resetting = await openTcp((socket) => socket.resetAndDestroy());
  expect((await look(resetting.port, { port: 22 })).why).toBe('it closed the connection');
  const closed = await freePort();
  for (const service of [{ port: 22 }, { port: 443, name }])
    expect((await look(closed, service)).why).toBe('it refuses connections');
  const noHttp = await openHttps(`${marker} ${marker}`);
  expect((await lookHttps(noHttp.port)).why).toBe('it speaks no HTTP');
});

test.each([
  ['200 OK', undefined],
  ['404 Not Found', undefined],
  ['401 Unauthorized', undefined],
  ['500 Internal Server Error', 'it answers with status 500'],
  [`503 ${marker}`, 'it answers with status 503'],
])('https with status %s', async (status, why) => {
  const { port, requests } = await openHttps(`HTTP/1.1 ${status}\r\nServer: ${marker}\r\n\r\n${marker}`);
  const looked = await lookHttps(port);
  expect(looked).toEqual({ address, port: 443, name, ms: expect.any(Number), ...(why === undefined ? {} : { why }) });
  expect(requests).toEqual([expect.stringMatching(/^GET \/ HTTP\/1\.1\r\nHost: www\.example\.com\r\n/)]);
});

test('a redirect is an answer and is not followed', async () => {
  const elsewhere = await openTcp();
  const to = `https://127.0.0.1:${elsewhere.port}/${marker}`;
  const { port, requests } = await openHttps(`HTTP/1.1 301 Moved Permanently\r\nLocation: ${to}\r\n\r\n`);
  expect((await lookHttps(port)).why).toBeUndefined();
  expect(requests).toHaveLength(1);
  expect(elsewhere.heard).toEqual([]);
});

const head = `HTTP/1.1 200 OK\r\nX-Long: ${marker}`;

test.each([
  ['a header', head, undefined],
  ['a body', `${head}\r\n\r\n`, undefined],
  ['something else', '', 'it speaks no HTTP'],
])('%s without an end over https is not read to its end', async (_, begin, why) => {
  const { port, heard } = await openHttps(begin + marker.repeat(500));
  const { ms, ...looked } = await lookHttps(port);
  expect(looked.why).toBe(why);
  expect(ms).toBeLessThan(patienceMs);
  await expect.poll(() => heard.map(({ closed }) => closed)).toEqual([true]);
});

test.each([
  ['SSH-2.0-', undefined],
  ['', 'it speaks no SSH'],
])('a server that speaks without an end after "%s" is cut off', async (begin, why) => {
  let sent = 0;
  const { port, heard } = await openTcp((socket) => {
    socket.write(begin);
    const speak = () => {
      while (!socket.destroyed && socket.write(marker.repeat(500))) sent += 1;
    };
    socket.on('drain', speak);
    speak();
  });
  const { ms, ...looked } = await look(port, { port: 22 });
  expect(looked.why).toBe(why);
  expect(ms).toBeLessThan(patienceMs);
  await expect.poll(() => heard.map(({ closed }) => closed)).toEqual([true]);
  expect(sent).toBeGreaterThan(0);
});

const names = ['*.example.com'];

test.each([
  ['of a trusted authority', valid, undefined],
  ['that has expired', makeCertificate({ names, ...inDays(-3, -1), issuer: authority }), 'its certificate has expired'],
  [
    'for another name',
    makeCertificate({ names: ['example.com', '*.example.net'], ...inDays(-1, 1), issuer: authority }),
    'its certificate is for another name',
  ],
  ['that is self-signed', makeCertificate({ names, ...inDays(-1, 1) }), 'its certificate is self-signed'],
  [
    'that is not valid yet',
    makeCertificate({ names, ...inDays(1, 3), issuer: authority }),
    'its certificate is not trusted',
  ],
  [
    'of another authority',
    makeCertificate({ names, ...inDays(-1, 1), issuer: makeCertificate({ names, ...inDays(-1, 1) }) }),
    'its certificate is not trusted',
  ],
])('a certificate %s', async (_, certificate, words) => {
  const { port } = await openHttps('HTTP/1.1 200 OK\r\n\r\n', certificate);
  expect(await lookHttps(port)).toEqual({
    address,
    port: 443,
    name,
    ms: expect.any(Number),
    ...(words === undefined ? {} : { certificate: words }),
  });
});

test('of forty services, sixteen are tried at once', async () => {
  const { port, heard } = await openTcp();
  const prober = createProber({ at: () => ({ host: '127.0.0.1', port }), ...waits });
  const looks = prober.probe(Array.from({ length: 40 }, () => ({ address, port: 22 })));
  for (let answered = 0; answered < 40; answered += 1) {
    const most = Math.min(40, answered + 16);
    await expect.poll(() => heard.length).toBe(most);
    if (answered < 3) await sleep(50);
    expect(heard).toHaveLength(most);
    heard[answered]?.write('SSH-2.0-\r\n');
  }
  expect((await looks).filter(({ why }) => why === undefined)).toHaveLength(40);
});

const ownAddresses = Object.values(networkInterfaces()).flatMap((some = []) => some.map((each) => each.address));

test.each([
  ...['127.0.0.1', '127.1', '10.0.0.1', '169.254.169.254', '0.0.0.0', '100.64.0.1', '2130706433'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', 'fe80::1', 'fe80::1%lo', 'localhost', ''],
  ...ownAddresses,
])('a private address is not opened: %s', async (closed) => {
  const { port, heard } = await openTcp();
  const prober = createProber(waits);
  const looked = await prober.probe([
    { address: closed, port },
    { address: closed, port, name },
  ]);
  for (const each of looked) expect(each).toMatchObject({ ms: 0, why: expect.stringMatching(/^its address is /) });
  // A connection that was opened before would be heard before.
  await look(port, { port: 80 });
  await expect.poll(() => heard.length).toBe(1);
});

test('a public address of this machine itself is not opened, in any spelling', async () => {
  const prober = createProber({ ...waits, ownAddresses: () => ['8.8.8.8', '2001:4860:4860::8888'] });
  const looked = await prober.probe([
    { address: '8.8.8.8', port: 22 },
    { address: '::ffff:8.8.8.8', port: 22 },
    { address: '2001:4860:4860:0:0::8888', port: 443, name },
  ]);
  for (const each of looked) expect(each).toMatchObject({ why: 'its address is the one of the bot itself', ms: 0 });
});

/** A name server that gives each question for an IPv4 address the next of these addresses; the last stay. */
async function openResolver(...answers: readonly (readonly string[])[]) {
  const rest = [...answers];
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, from) => {
    const question = readQuery(query);
    asked.push(`${question.name} ${question.type}`);
    const [values = []] = question.type === 1 && rest.length > 1 ? rest.splice(0, 1) : rest;
    const records = values.map((value) => ({ host: '', type: 'A' as const, value, prio: null, ttl: 60 }));
    socket.send(answerTo(query, new Map([[question.name, records]]), {}), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver({ timeout: patienceMs, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, asked };
}

test('a name whose address changes after the check leads to the address that was checked', async () => {
  const server = await openHttps('HTTP/1.1 200 OK\r\n\r\n');
  const inside = await openTcp();
  const { resolver, asked } = await openResolver([address], ['127.0.0.1']);
  const prober = createProber({
    ...{ ...waits, resolver, ca: authority.cert },
    at: (service) => (service.address === address ? { host: '127.0.0.1', port: server.port } : undefined),
  });
  const first = await prober.resolve(name);
  expect(first).toEqual([address]);
  const servicesAt = (addresses: readonly string[], port: number) =>
    addresses.map((each) => ({ address: each, port, name }));
  expect(await prober.probe(servicesAt(first, inside.port))).toEqual([
    { address, port: inside.port, name, ms: expect.any(Number) },
  ]);
  expect(server.requests).toHaveLength(1);
  // One question for each family, and none by the look.
  expect(asked.toSorted()).toEqual([`${name} 1`, `${name} 28`]);
  const second = await prober.resolve(name);
  expect(second).toEqual(['127.0.0.1']);
  const [refused] = await prober.probe(servicesAt(second, inside.port));
  expect(refused?.why).toBe('its address is not public, so it is not opened');
  expect(inside.heard).toEqual([]);
});

test('a name without an address has none, and of many addresses four are taken', async () => {
  const many = Array.from({ length: 9 }, (_, n) => `192.0.2.${n}`);
  const { resolver } = await openResolver([], many);
  const prober = createProber({ resolver });
  expect(await prober.resolve(name)).toEqual([]);
  expect(await prober.resolve(name)).toEqual(many.slice(0, 4));
});

test('a prober of the sandbox opens nothing on the internet', async () => {
  const prober = createProber({ at: () => undefined });
  expect(await prober.probe([{ address: '198.41.0.4', port: 53 }])).toMatchObject([
    { ms: 0, why: 'no server here has this address' },
  ]);
});
