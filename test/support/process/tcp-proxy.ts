import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../../sandbox/free-port.ts';

/** The behavior of connections: they work, lose their bytes, or are refused. */
export type Wire = 'open' | 'silent' | 'refused';

export interface TcpProxy {
  readonly port: number;
  /** Loses the bytes of the present connections from now on, as after a lost NAT state; new ones work. */
  readonly silenceOpen: () => number;
  /** Silences each connection on which the client sends this text; resolves with the first one. */
  readonly silenceAt: (text: string) => Promise<void>;
  /** The behavior of new connections. */
  readonly set: (wire: Wire) => void;
  /** Ends all present connections. */
  readonly cut: () => number;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

/** A connection between a client and a server on this machine that can fail like a network. */
export async function openProxy(toPort: number): Promise<TcpProxy> {
  let wire: Wire = 'open';
  let silencing: { readonly text: string; readonly seen: () => void } | undefined;
  const pairs = new Set<{ isSilent: boolean; sockets: readonly Socket[] }>();
  const server = createServer((client) => {
    if (wire === 'refused') return client.destroy();
    const upstream = connect(toPort, '127.0.0.1');
    const pair = { isSilent: wire === 'silent', sockets: [client, upstream] };
    pairs.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        if (from === client && silencing !== undefined && bytes.includes(silencing.text)) {
          pair.isSilent = true;
          silencing.seen();
        }
        if (!pair.isSilent) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        // A silent side does not learn that the other has ended either.
        if (!pair.isSilent) to.destroy();
      });
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = () => {
    const all = [...pairs];
    for (const { sockets } of all) for (const socket of sockets) socket.destroy();
    pairs.clear();
    return all.length;
  };
  return {
    port,
    silenceOpen: () => {
      for (const pair of pairs) pair.isSilent = true;
      return pairs.size;
    },
    silenceAt: (text) =>
      new Promise((seen) => {
        silencing = { text, seen };
      }),
    set: (next) => {
      wire = next;
    },
    cut,
    open: () => pairs.size,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
