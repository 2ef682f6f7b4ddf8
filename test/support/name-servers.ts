import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import type { SimulatedProvider } from '../../sandbox/provider/server.ts';

/**
 * Name servers on loopback, each with its own copy of the simulated provider's zones: a change appears at one only when
 * the test publishes it there, and at first none has a zone. They also answer as resolvers do.
 */

export interface TestNameServer {
  readonly address: string;
  /** Takes over the provider's present zones. */
  readonly publish: () => void;
  /** `lame` answers without authority that there is nothing; `truncated` sends whole answers over TCP only. */
  mode: 'answers' | 'silent' | 'refuses' | 'lame' | 'truncated';
  /** The questions that it received: `www.example.com 1`. */
  readonly asked: string[];
}

type Entry = { host: string; type: string; value: string; prio: number | null; ttl: number | null };

const numbers: Readonly<Record<string, number>> = {
  ...{ A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 },
};

export async function startTestNameServers(
  provider: () => Pick<SimulatedProvider, 'snapshot'>,
  names: Readonly<Record<string, string>>,
): Promise<{ port: number; at: (address: string) => TestNameServer }> {
  const port = await freePort();
  const servers = new Map<string, TestNameServer>();
  for (const address of Object.values(names)) servers.set(address, await startOne(provider, names, { address, port }));
  return {
    port,
    at: (address) => {
      const found = servers.get(address);
      if (found === undefined) throw new Error(`there is no name server at ${address}`);
      return found;
    },
  };
}

async function startOne(
  provider: () => Pick<SimulatedProvider, 'snapshot'>,
  names: Readonly<Record<string, string>>,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<TestNameServer> {
  let zones = new Map<string, Entry[]>();
  const server: TestNameServer = {
    address,
    mode: 'answers',
    asked: [],
    publish: () => {
      zones = new Map(
        provider()
          .snapshot()
          .domains.map(({ name, entries }) => [name, entries]),
      );
    },
  };
  const respond = (query: Buffer, isTcp: boolean): Buffer | undefined => {
    const { name, type, end } = questionOf(query);
    server.asked.push(`${name} ${type}`);
    const { mode } = server;
    if (mode === 'silent') return undefined;
    const question = query.subarray(12, end);
    if (mode === 'refuses') return Buffer.concat([header(query, 0x8005, 0), question]);
    if (mode === 'lame') return Buffer.concat([header(query, 0x8000, 0), question]);
    if (mode === 'truncated' && !isTcp) return Buffer.concat([header(query, 0x8600, 0), question]);
    const records = recordsAt(zones, names, name, type);
    const answers = records.map(({ ttl, data }) => {
      const fixed = Buffer.alloc(10);
      fixed.writeUInt16BE(type, 0);
      fixed.writeUInt16BE(1, 2);
      fixed.writeUInt32BE(ttl, 4);
      fixed.writeUInt16BE(data.length, 8);
      return Buffer.concat([Buffer.of(0xc0, 12), fixed, data]);
    });
    return Buffer.concat([header(query, 0x8400, answers.length), question, ...answers]);
  };
  const udp = createSocket('udp4', (query, from) => {
    const response = respond(query, false);
    if (response !== undefined) udp.send(response, from.port, from.address);
  });
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const response = respond(bytes.subarray(2), true);
      if (response === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(response.length);
      socket.write(Buffer.concat([length, response]));
    });
  });
  await new Promise<void>((resolve) => udp.bind(port, address, resolve));
  await new Promise<void>((resolve) => tcp.listen(port, address, resolve));
  onTestFinished(() => {
    udp.close();
    tcp.close();
  });
  return server;
}

function header(query: Buffer, flags: number, answers: number): Buffer {
  const bytes = Buffer.alloc(12);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordsAt(
  zones: ReadonlyMap<string, readonly Entry[]>,
  names: Readonly<Record<string, string>>,
  name: string,
  type: number,
): { ttl: number; data: Buffer }[] {
  const address = names[name];
  if (address !== undefined) return type === 1 ? [{ ttl: 60, data: dataOf('A', address, null) }] : [];
  const zone = [...zones.keys()].find((one) => name === one || name.endsWith(`.${one}`));
  if (zone === undefined) return [];
  if (type === numbers.SOA) return [{ ttl: 3600, data: soaData(zone) }];
  const entries = zones.get(zone) ?? [];
  const host = name === zone ? '' : name.slice(0, -zone.length - 1);
  const isThere = entries.some((entry) => entry.host === host || entry.host.endsWith(`.${host}`));
  const owner = isThere || host === '' ? host : '*';
  return entries
    .filter((entry) => entry.host === owner && numbers[entry.type] === type)
    .map((entry) => ({ ttl: entry.ttl ?? 3600, data: dataOf(entry.type, entry.value, entry.prio) }));
}

function soaData(zone: string): Buffer {
  const figures = Buffer.alloc(20);
  figures.writeUInt32BE(300, 16);
  return Buffer.concat([wireName(`ns1.${zone}`), wireName(`hostmaster.${zone}`), figures]);
}

function wireName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);
}

function dataOf(type: string, value: string, prio: number | null): Buffer {
  const number = (n: number) => Buffer.of(n >> 8, n & 255);
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'CNAME' || type === 'NS') return wireName(value);
  if (type === 'MX') return Buffer.concat([number(prio ?? 0), wireName(value)]);
  if (type === 'TXT') return Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  throw new Error(`the test name server has no ${type} records`);
}
