import { Resolver } from 'node:dns/promises';
import { setBounded } from '../core/async/bounded-map.ts';
import { createSharedRuns } from '../core/async/shared-runs.ts';
import type { DnsAnswer, DnsQuestion, NameServers } from '../core/dns/asked.ts';
import { bare } from '../core/dns/record.ts';
import { askAt } from './ask.ts';
import { isPublicAddress } from './special-addresses.ts';
import { createTurnstile } from './turnstile.ts';

export interface NameServersOptions {
  /** Allows addresses that are not public: name servers of an internal network, and those of tests. */
  readonly allowsPrivate?: boolean;
  /** 53 but in tests. */
  readonly port?: number;
  /** Finds the addresses of name servers: the system's, but in tests. */
  readonly resolver?: Resolver;
  readonly timeoutMs?: number;
  readonly perMinute?: number;
  readonly now?: () => number;
}

/** Sixty changes at the usual three name servers, or one a second over five minutes. */
export const questionsPerMinute = 600;
const mostAtOnce = 16;
const usualTimeoutMs = 2_000;
/** Providers move their name servers rarely. */
const addressKeptMs = 5 * 60_000;
const failureKeptMs = 60_000;
const mostKept = 1_000;

type Found = { readonly address: string } | { readonly why: string };
const notFound = { why: 'its address was not found' };
const overLimit = { why: 'the limit of questions in a minute was reached, and it is asked again later' };

/** Asks name servers from outside, within limits: in memory, so each replica counts separately. */
export function createNameServers({
  allowsPrivate = false,
  port = 53,
  timeoutMs = usualTimeoutMs,
  resolver = new Resolver({ timeout: timeoutMs, tries: 2 }),
  perMinute = questionsPerMinute,
  now = () => performance.now(),
}: NameServersOptions = {}): NameServers & { readonly stop: () => void } {
  const stopped = new AbortController();
  const addresses = new Map<string, { readonly found: Found; readonly until: number }>();
  const atOnce = createTurnstile(mostAtOnce);
  let minute = Number.NEGATIVE_INFINITY;
  let used = 0;

  function admit(packets: number): boolean {
    if (now() - minute >= 60_000) {
      minute = now();
      used = 0;
    }
    if (used + packets > perMinute) return false;
    used += packets;
    return true;
  }

  async function askAddress(address: string, question: DnsQuestion): Promise<DnsAnswer> {
    // The system's resolver may know names of the operator's network: their addresses stay there.
    if (!allowsPrivate && !isPublicAddress(address)) return { kind: 'none', why: 'its address is not public' };
    const at = { address, port, timeoutMs, admit, signal: stopped.signal };
    const response = await atOnce(() => askAt(at, question));
    if (response.kind === 'none') return response;
    // A server without the zone may answer from a cache, or with an empty answer.
    if (!response.isAuthoritative) return { kind: 'none', why: 'it does not serve the zone' };
    return { kind: 'records', records: response.records };
  }

  async function lookUp(server: string): Promise<Found> {
    const kept = addresses.get(server);
    if (kept !== undefined && now() < kept.until) return kept.found;
    for (const family of [4, 6]) {
      if (!admit(1)) return overLimit;
      // An error says that there is no such address, or that nobody answered.
      const candidates = await atOnce(() =>
        family === 4 ? resolver.resolve4(server) : resolver.resolve6(server),
      ).catch(() => []);
      const address = candidates.find((candidate) => allowsPrivate || isPublicAddress(candidate)) ?? candidates[0];
      if (address !== undefined) return keep(server, { address }, addressKeptMs);
    }
    return keep(server, notFound, failureKeptMs);
  }
  function keep(server: string, lookedUp: Found, ms: number): Found {
    setBounded(addresses, server, { found: lookedUp, until: now() + ms }, mostKept);
    return lookedUp;
  }
  const addressOf = createSharedRuns(lookUp);

  return {
    admit,
    query: async (server, question) => {
      const host = await addressOf(bare(server));
      return 'why' in host ? { kind: 'none', why: host.why } : askAddress(host.address, question);
    },
    stop: () => {
      stopped.abort();
      resolver.cancel();
    },
  };
}
