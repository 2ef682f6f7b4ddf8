import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** A foreign host name whose DNS points here is an attack by DNS rebinding. `own` is where the server listens. */
export function isOurHost(host: string | undefined, own: string): boolean {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return name === own || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0;
}

/**
 * Why a simulation refuses a request on whichever route; undefined for a program that knows its address. A page in a
 * browser is known by the headers that browsers add; what a person types into the address bar comes from no page.
 */
export function refuseForeign({ headers }: Pick<IncomingMessage, 'headers'>, own: string): string | undefined {
  if (!isOurHost(headers.host, own)) return `the Host must be an address, localhost or ${own}`;
  const site = headers['sec-fetch-site'] ?? 'none';
  return headers.origin === undefined && site === 'none' ? undefined : 'it does not answer pages in browsers';
}
