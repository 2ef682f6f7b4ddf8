import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Service } from '../../src/core/probe/services.ts';
import { freePort } from '../free-port.ts';
import { listen } from '../http.ts';
import { makeCertificate } from './certificate.ts';
import type { SimOrder, VpsPart } from './model.ts';
import { dayMs, numbers } from './numbers.ts';
import type { ProviderControl } from './sim.ts';

/**
 * Real listeners on loopback stand for the account's servers. Each server that is on answers SSH some seconds after its
 * boot, and HTTP and HTTPS too if a name of a zone points to it and it is not in rescue mode.
 */

const host = '127.0.0.1';
const ports = { ssh: 22, http: 80, https: 443 };

export interface Listeners {
  /** The place of a service; undefined if no server of the account has its address. */
  readonly at: (
    service: Pick<Service, 'address' | 'port'>,
  ) => { readonly host: string; readonly port: number } | undefined;
  /** The authority of the certificates. */
  readonly ca: string;
  close(): void;
}

export async function startListeners(sim: Pick<ProviderControl, 'state' | 'onChange' | 'now'>): Promise<Listeners> {
  let servers: ReadonlyMap<string, SimulatedServer> | undefined;
  const stopListening = sim.onChange(({ what }) => {
    if (what !== 'request') servers = undefined;
  });
  const valid = { from: new Date(Date.now() - dayMs), until: new Date(Date.now() + 3_650 * dayMs) };
  const issuer = makeCertificate({ names: ['authority.hosting.example'], ...valid });

  const ssh = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('SSH-2.0-simulated\r\n');
  });
  const http = createServer((_, response) => response.end());
  /** Each name in a zone of the account gets a certificate, wherever it points. */
  const https = createHttpsServer(
    {
      SNICallback: (name, done) => {
        const isOwn = sim.state().domains.some((zone) => `.${name}`.endsWith(`.${zone.name}`));
        done(
          null,
          createSecureContext(makeCertificate({ names: [isOwn ? name : 'hosting.example'], ...valid, issuer })),
        );
      },
    },
    (_, response) => response.end(),
  );
  const listeners = [ssh, http, https];
  for (const listener of listeners) listener.unref();
  const [sshPort, httpPort, httpsPort] = await Promise.all(listeners.map((listener) => listen(listener, 0, host)));
  const portOf = new Map([
    [ports.ssh, sshPort],
    [ports.http, httpPort],
    [ports.https, httpsPort],
  ]);
  /** Nothing listens here. */
  const closedPort = await freePort();

  return {
    at: ({ address, port }) => {
      servers ??= serversIn(sim.state());
      const server = servers.get(comparable(address));
      if (server === undefined) return undefined;
      const isOpen = openPorts(server, sim.now()).includes(port);
      return { host, port: (isOpen ? portOf.get(port) : undefined) ?? closedPort };
    },
    ca: issuer.cert,
    close: () => {
      stopListening();
      for (const listener of [http, https]) listener.closeAllConnections();
      for (const listener of listeners) listener.close();
    },
  };
}

interface SimulatedServer {
  readonly vps: VpsPart;
  /** True if a name of a zone points to it. */
  readonly isNamed: boolean;
}

function serversIn({ orders, domains }: Pick<ReturnType<ProviderControl['state']>, 'orders' | 'domains'>) {
  const entries = domains.flatMap((zone) => zone.entries).filter(({ type }) => type === 'A' || type === 'AAAA');
  const pointedTo = new Set(entries.map(({ value }) => comparable(value)));
  const addressesOf = (order: SimOrder) => [...(order.addresses ?? []), ...order.moreAddresses].map(comparable);
  return new Map(
    orders.flatMap((order) => {
      const { vps } = order;
      if (vps === null) return [];
      const addresses = addressesOf(order);
      const isNamed = addresses.some((address) => pointedTo.has(address));
      return addresses.map((address): [string, SimulatedServer] => [address, { vps, isNamed }]);
    }),
  );
}

/** The moment of the last boot from which a server answers from outside; never while it is off. */
export const answersFrom = ({ power, powerChangedAt, boot = 'usual' }: VpsPart): number =>
  power === 'on' ? powerChangedAt + numbers.bootMs[boot] : Number.POSITIVE_INFINITY;

function openPorts({ vps, isNamed }: SimulatedServer, now: number): readonly number[] {
  if (now < answersFrom(vps)) return [];
  return isNamed && !vps.isRescue ? Object.values(ports) : [ports.ssh];
}

/** One spelling for each IPv6 address. */
function comparable(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
