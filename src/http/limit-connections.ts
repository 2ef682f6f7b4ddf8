import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from '../core/account/ip-address.ts';

/** The most connections of all clients together. */
const most = 1_000;
const betweenNoticesMs = 60_000;

interface Open {
  readonly client: string;
  hasSentHeaders: boolean;
}

/**
 * Prevents one client from locking out the others: at the limit, each new connection closes one of the client with the
 * most. Node's own `server.maxConnections` refuses the new connection instead. `onCrowded` is called with that client,
 * at most once a minute.
 */
export function limitConnections(server: Server, onCrowded: (client: string) => void): void {
  const open = new Map<Socket, Open>();
  let noticedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const [closed, client] = toClose(open);
      open.delete(closed);
      closed.destroy();
      if (performance.now() - noticedAt >= betweenNoticesMs) {
        noticedAt = performance.now();
        onCrowded(client);
      }
    }
    open.set(socket, { client: clientOf(socket.remoteAddress), hasSentHeaders: false });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }) => {
    const opened = open.get(socket);
    if (opened !== undefined) opened.hasSentHeaders = true;
  });
}

/**
 * The connection to close, of the client with the most: its oldest that has sent no headers, or else its oldest. A map
 * keeps the order of insertion.
 */
function toClose(open: ReadonlyMap<Socket, Open>): readonly [Socket, string] {
  const byClient = Map.groupBy(open, ([, { client }]) => client);
  const [first = [], ...others] = byClient.values();
  const largest = others.reduce((a, b) => (b.length > a.length ? b : a), first);
  const [socket, { client }] =
    largest.find(([, { hasSentHeaders }]) => !hasSentHeaders) ?? largest[0] ?? noConnection();
  return [socket, client];
}

function noConnection(): never {
  throw new Error('closing a connection: noConnection is open');
}
