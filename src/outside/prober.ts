import { Resolver } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { canonicalAddress } from '../core/account/ip-address.ts';
import type { Probed, Prober, Service } from '../core/probe/services.ts';
import { isPublicAddress } from './special-addresses.ts';
import { createTurnstile } from './turnstile.ts';

/**
 * Tries services from outside: one connection for each, to the address that was checked, so that no name leads elsewhere
 * in between. Reads at most 1 kB of an answer and shows none of it.
 */

export interface ProberOptions {
  /** The only places of services, for the sandbox and tests: nothing on the internet is opened. */
  readonly at?: (service: Service) => { readonly host: string; readonly port: number } | undefined;
  /** The authority that is trusted instead of the usual ones, for the same. */
  readonly ca?: string;
  readonly resolver?: Readonly<Record<'resolve4' | 'resolve6', (name: string) => Promise<string[]>>>;
  readonly timeoutMs?: number;
  /** The addresses of this machine: those of its interfaces, but in tests. */
  readonly ownAddresses?: () => readonly string[];
}

const mostAtOnce = 16;
const mostBytes = 1_024;
const mostAddresses = 4;
const usualTimeoutMs = 1_000;

type Outcome = Omit<Probed, keyof Service | 'ms'>;

export function createProber({
  at,
  ca,
  timeoutMs = usualTimeoutMs,
  resolver = new Resolver({ timeout: timeoutMs, tries: 2 }),
  ownAddresses = interfaceAddresses,
}: ProberOptions = {}): Prober {
  const atOnce = createTurnstile(mostAtOnce);

  function placeOf(service: Service): Place | string {
    const own = at?.(service);
    if (own !== undefined) return own;
    const place = publicPlace(service, ownAddresses());
    return at === undefined || typeof place === 'string' ? place : 'no server here has this address';
  }

  async function probeOne(service: Service): Promise<Probed> {
    const place = placeOf(service);
    if (typeof place === 'string') return { ...service, ms: 0, why: place, isUnopened: true };
    let startedAt = 0;
    const outcome = await atOnce(() => {
      startedAt = performance.now();
      return service.name === undefined ? tryPort(place, service.port) : tryHttps(place, service.name);
    });
    return { ...service, ms: Math.round(performance.now() - startedAt), ...outcome };
  }

  /** SSH speaks first. For any other port, an accepted connection is the answer. */
  function tryPort(place: Place, port: number): Promise<Outcome> {
    const socket = connect(place);
    return outcomeOf(socket, 'connect', (text) => {
      if (port !== 22) return {};
      // Other lines may come first (RFC 4253).
      if (/^SSH-/m.test(text)) return {};
      return text.length < mostBytes ? undefined : { why: 'it speaks no SSH' };
    });
  }

  function tryHttps(place: Place, name: string): Promise<Outcome> {
    const trust = ca === undefined ? {} : { ca };
    // No secret is sent, so a wrong certificate is reported and no reason to end.
    const tls = { ...place, servername: name, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], ...trust };
    const socket = connectTls(tls);
    socket.once('secureConnect', () =>
      socket.write(
        `GET / HTTP/1.1\r\nHost: ${name}\r\nUser-Agent: Hostler\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
      ),
    );
    return outcomeOf(socket, 'secureConnect', (text) => {
      const [, status] = /^HTTP\/1\.[01] (\d{3})\b/.exec(text) ?? [];
      if (status === undefined) return text.length < 'HTTP/1.1 200 '.length ? undefined : { why: 'it speaks no HTTP' };
      return Number(status) < 500 ? certificateOf(socket) : { why: `it answers with status ${status}` };
    });
  }

  function outcomeOf(socket: Socket, ready: string, judge: (text: string) => Outcome | undefined): Promise<Outcome> {
    return new Promise((resolve) => {
      let text = '';
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(outcome);
      };
      const timer = setTimeout(() => end({ why: 'it did not answer in time' }), timeoutMs);
      const heard = (more = '') => {
        text = (text + more).slice(0, mostBytes);
        const outcome = judge(text);
        if (outcome !== undefined) end(outcome);
      };
      socket.once(ready, () => heard());
      socket.on('data', (bytes: Buffer) => heard(bytes.toString('latin1', 0, mostBytes)));
      socket.once('end', () => end({ why: 'it closed the connection' }));
      socket.once('error', ({ code }: NodeJS.ErrnoException) =>
        end({ why: errorWords[code ?? ''] ?? 'no connection' }),
      );
    });
  }

  return {
    probe: (services) => Promise.all(services.map(probeOne)),
    resolve: async (name) => {
      const families = [resolver.resolve4(name), resolver.resolve6(name)];
      // An error says that there is no such address, or that nobody answered.
      const answers = await Promise.all(families.map((family) => family.catch(() => [])));
      return answers.flat().slice(0, mostAddresses);
    },
  };
}

type Place = { readonly host: string; readonly port: number };

const errorWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
};

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((some = []) => some.map(({ address }) => address));
}

/** The place of a service on the internet, or why no connection is opened to it. */
function publicPlace({ address, port }: Service, own: readonly string[]): Place | string {
  const host = canonicalAddress(address);
  if (host === undefined || !isPublicAddress(host)) return 'its address is not public, so it is not opened';
  if (own.some((each) => canonicalAddress(each) === host)) return 'its address is the one of the bot itself';
  return { host, port };
}

const certificateWords: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

function certificateOf({ authorized, authorizationError }: TLSSocket): Outcome {
  if (authorized) return {};
  return { certificate: certificateWords[String(authorizationError)] ?? 'its certificate is not trusted' };
}
