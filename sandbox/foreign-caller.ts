import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** False for a foreign host name, whose DNS points here in a DNS rebinding attack. `own` is the server's address. */
export function isOurHost(host: string | undefined, own: string): boolean {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return name === own || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0;
}

/**
 * The reason why a simulation refuses a request on any route; undefined for programs on this machine. Pages in a
 * browser are recognized by the headers that browsers add; an address that a person types is not from a page.
 */
export function refuseForeign({ headers }: Pick<IncomingMessage, 'headers'>, own: string): string | undefined {
  if (!isOurHost(headers.host, own)) return `the Host must be an address, localhost or ${own}`;
  const site = headers['sec-fetch-site'] ?? 'none';
  return headers.origin === undefined && site === 'none' ? undefined : 'it does not answer pages in browsers';
}
