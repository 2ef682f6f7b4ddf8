import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';

/** Says which port is in use and which is not. */
export class PortTaken extends Error {
  override name = 'PortTaken';

  constructor(port: number, free: number | undefined) {
    const way = free === undefined ? 'give another with --port N' : `the next free one is ${free}: --port ${free}`;
    super(`Port ${port} is in use; ${way}`);
  }
}

const looked = 100;

async function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

async function nextFree(after: number, host: string): Promise<number | undefined> {
  for (let port = after + 1; port <= Math.min(after + looked, 65_535); port += 1) {
    if (await isFree(port, host)) return port;
  }
  return undefined;
}

/** Listens, and answers the port. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new PortTaken(port, await nextFree(port, host)) : error;
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
