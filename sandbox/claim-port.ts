import { createServer, type Server } from 'node:http';
import { listen } from './http.ts';

/** The error for an unusable option, with a message for the person at the terminal. */
export class OptionError extends Error {
  override name = 'OptionError';
}

const mostTried = 100;

/** Reasons for a failed listen, apart from a port in use. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use that port; give one above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no address has that name',
  EAI_AGAIN: 'no address has that name',
};

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
  for (let port = after + 1; port <= Math.min(after + mostTried, 65_535); port += 1) {
    if (await isFree(port, host)) return port;
  }
  return undefined;
}

async function sayTaken(port: number, host: string): Promise<string> {
  const free = await nextFree(port, host);
  const advice = free === undefined ? 'give another with --port N' : `the next free one is ${free}: --port ${free}`;
  return `Port ${port} is in use; ${advice}`;
}

/** Listens. If that fails, the error has the reason and, for a port in use, a free port. */
export async function claimPort(server: Server, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EADDRINUSE') throw new OptionError(await sayTaken(port, host));
    const reason = reasons[code];
    throw reason === undefined ? error : new OptionError(`Cannot listen on ${host}, port ${port}: ${reason}.`);
  }
}

/** Reads a typed port; 0 means any free port. */
export function readPort(typed: string): number {
  if (/^\d{1,5}$/.test(typed) && Number(typed) <= 65_535) return Number(typed);
  throw new OptionError(`--port ${typed} is not a port; give a number from 0 to 65535.`);
}
