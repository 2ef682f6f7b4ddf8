import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../sandbox/free-port.ts';

/** The fate of connections: they work, their bytes vanish, or nobody listens. */
export type Wire = 'open' | 'silent' | 'refused';

export interface TcpProxy {
  readonly port: number;
  /** From now on bytes of the connections there are now vanish, as after a lost NAT state; new ones work. */
  readonly silenceOpen: () => number;
  /** From now on a connection on which the client sends this text falls silent with it; ends when the first one did. */
  readonly silenceAt: (text: string) => Promise<void>;
  /** The fate of new connections. */
  readonly set: (wire: Wire) => void;
  /** Ends every connection there is now. */
  readonly cut: () => number;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

/** A wire between a client and a server on this machine that can be made to fail as wires do. */
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
        // A side that hears nothing does not hear that the other has gone either.
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
