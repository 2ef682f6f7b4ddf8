import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { canonicalAddress } from '../core/account/ip-address.ts';

/** Connections of all clients together. */
const most = 1_000;
const betweenNoticesMs = 60_000;

interface Open {
  readonly client: string;
  hasSentHeaders: boolean;
}

/**
 * One client cannot keep the others out: when too many connections are open, one of the client that has the most is
 * closed for a new one. Node refuses the new one (`server.maxConnections`), whoever it is of. `onCrowded` is called once
 * a minute at most, with that client.
 */
export function limitConnections(server: Server, onCrowded: (client: string) => void): void {
  const open = new Map<Socket, Open>();
  let noticedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const [victim, client] = toClose(open);
      open.delete(victim);
      victim.destroy();
      if (performance.now() - noticedAt >= betweenNoticesMs) {
        noticedAt = performance.now();
        onCrowded(client);
      }
    }
    open.set(socket, { client: clientOf(socket.remoteAddress), hasSentHeaders: false });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }) => {
    const known = open.get(socket);
    if (known !== undefined) known.hasSentHeaders = true;
  });
}

/** The oldest without headers of the client that has the most, or else its oldest: a map keeps the order of its keys. */
function toClose(open: ReadonlyMap<Socket, Open>): readonly [Socket, string] {
  const byClient = Map.groupBy(open, ([, { client }]) => client);
  const [first = [], ...others] = byClient.values();
  const largest = others.reduce((a, b) => (b.length > a.length ? b : a), first);
  const [socket, { client }] = largest.find(([, { hasSentHeaders }]) => !hasSentHeaders) ?? largest[0] ?? none();
  return [socket, client];
}

function none(): never {
  throw new Error('closing a connection: none is open');
}

/** An IPv6 network hands whole /64 networks to one client. */
export function clientOf(address = ''): string {
  const canonical = canonicalAddress(address.split('%')[0] ?? '') ?? address;
  if (!isIPv6(canonical)) return canonical;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return `${all.slice(0, 4).join(':')}::/64`;
}
