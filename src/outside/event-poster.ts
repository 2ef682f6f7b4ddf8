import { type LookupAddress, lookup } from 'node:dns';
import { type RequestOptions, request as requestPlain } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { EventPoster } from '../core/command/event-poster.ts';
import { isPublicAddress } from './special-addresses.ts';

const timeoutMs = 10_000;

/**
 * Posts to public addresses over HTTPS, and with `allowsPrivate` to any. The address is checked when the connection is
 * made, so that no name leads elsewhere in between; redirects are not followed, and the body of an answer is not read.
 */
export function createEventPoster({ allowsPrivate = false }: { readonly allowsPrivate?: boolean } = {}): EventPoster {
  function whyNot(text: string): string | undefined {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return 'It is no web address.';
    if (url.username !== '' || url.password !== '') return 'It has a user or a password in it.';
    if (allowsPrivate) return undefined;
    if (url.protocol === 'http:') return 'It is not an https address.';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    return isIP(host) !== 0 && !isPublicAddress(host) ? 'Its address is not public.' : undefined;
  }

  /** Resolves a name to its public addresses only. */
  const lookupPublic: RequestOptions['lookup'] = (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, addresses: readonly LookupAddress[] = []) => {
      const open = addresses.filter(({ address }) => allowsPrivate || isPublicAddress(address));
      const [first] = open;
      if (error !== null || first === undefined) {
        done(error ?? Object.assign(new Error('its address is not public'), { code: 'EACCES' }), '');
      } else if (options.all === true) done(null, open);
      else done(null, first.address, first.family);
    });

  return {
    whyNot,
    post: (url, headers, body) =>
      new Promise((resolve, reject) => {
        const why = whyNot(url);
        if (why !== undefined) return reject(new Error(why));
        const signal = AbortSignal.timeout(timeoutMs);
        const all = { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'Hostler' };
        const options = { method: 'POST', headers: all, lookup: lookupPublic, agent: false, signal } as const;
        const sending = (url.startsWith('https:') ? request : requestPlain)(url, options, (response) => {
          response.destroy();
          resolve(response.statusCode ?? 0);
        });
        sending.on('error', reject);
        sending.end(body);
      }),
  };
}

/** For a bot that posts no events. */
export const noEvents: EventPoster = {
  whyNot: () => 'HOSTLER_EVENTS is off.',
  post: () => Promise.reject(new Error('HOSTLER_EVENTS is off')),
};
