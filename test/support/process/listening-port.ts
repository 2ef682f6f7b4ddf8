import type { Server } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../../../sandbox/http.ts';

/** The port of this machine on which the server listens until the test ends. */
export async function listeningPort(server: Server | TcpServer): Promise<number> {
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return port;
}
