import { createServer, type Server } from 'node:http';
import { listen } from './http.ts';

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
    await listen(probe, port, host);
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

/** Listens; where somebody else does already, it says which port would be free. */
export async function claimPort(server: Server, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw isTaken ? new PortTaken(port, await nextFree(port, host)) : error;
  }
}
