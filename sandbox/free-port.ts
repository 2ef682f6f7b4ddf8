import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds an unused port below 32768. The system gives higher ports to outgoing connections, which could use the port
 * before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('a hundred ports were in use');
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
