import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { freePort } from '../free-port.ts';
import { answerTo, type ServedZones } from './dns-answer.ts';
import { nameservers } from './nameservers.ts';
import type { ProviderControl } from './sim.ts';

const address = '127.0.0.1';
/** The time after which the name servers have a change. */
const publishAfterMs = 4_000;

export interface SimulatedNameServers {
  readonly port: number;
  /** Finds the addresses of these name servers. */
  readonly resolver: Resolver;
  close(): void;
}

/** The provider's name servers at one address: they answer a change some seconds after it was made. */
export async function startNameServers(
  sim: Pick<ProviderControl, 'state' | 'onChange'>,
): Promise<SimulatedNameServers> {
  const zonesNow = (): ServedZones => new Map(sim.state().domains.map(({ name, entries }) => [name, entries]));
  let zones = zonesNow();
  let timer: NodeJS.Timeout | undefined;
  const stopListening = sim.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      zones = zonesNow();
    }, publishAfterMs).unref();
  });
  const addresses = Object.fromEntries(nameservers.map((name) => [name, address]));
  const port = await freePort();
  const socket = createSocket('udp4', (query, from) => {
    try {
      socket.send(answerTo(query, zones, addresses), from.port, from.address);
    } catch (error) {
      // Bytes that are no query get no answer.
      if (!(error instanceof RangeError)) throw error;
    }
  });
  await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(port, address, resolve));
  socket.unref();
  const resolver = new Resolver();
  resolver.setServers([`${address}:${port}`]);
  return {
    port,
    resolver,
    close: () => {
      stopListening();
      clearTimeout(timer);
      socket.close();
    },
  };
}
