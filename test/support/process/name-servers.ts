import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../sandbox/free-port.ts';
import type { ServedZones } from '../../../sandbox/provider/dns-answer.ts';
import { answerTo, authoritative, emptyAnswerTo, readQuery } from '../../../sandbox/provider/dns-answer.ts';
import type { SimulatedProvider } from '../../../sandbox/provider/server.ts';

/**
 * Name servers on loopback, each with its own copy of the simulated provider's zones: a change appears at one only when
 * the test publishes it there. Each starts without zones. They also know the addresses of these names.
 */

export interface TestNameServer {
  readonly address: string;
  /** Takes over the provider's present zones. */
  readonly publish: () => void;
  /** `lame` answers without authority and without records; `truncated` sends whole answers over TCP only. */
  mode: 'answers' | 'silent' | 'refuses' | 'lame' | 'truncated';
  /** The questions that it received: `www.example.com 1`. */
  readonly asked: string[];
}

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
  let zones: ServedZones = new Map();
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
    const { name, type } = readQuery(query);
    server.asked.push(`${name} ${type}`);
    const { mode } = server;
    if (mode === 'silent') return undefined;
    if (mode === 'refuses') return emptyAnswerTo(query, 0x8005);
    if (mode === 'lame') return emptyAnswerTo(query, 0x8000);
    if (mode === 'truncated' && !isTcp) return emptyAnswerTo(query, authoritative | 0x0200);
    return answerTo(query, zones, names);
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
