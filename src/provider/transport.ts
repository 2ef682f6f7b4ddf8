import { setTimeout as waitMs } from 'node:timers/promises';
import { Pool } from 'undici';
import { isInBackground } from '../core/async/background.ts';
import { withoutEnd } from '../core/text/words.ts';
import { ProviderError, type ProviderErrorKind } from '../core/view/errors.ts';
import type { Effect, EndpointRoute } from './endpoint.ts';
import { type Exchange, exchange, type Limits, type ProviderCall, type ProviderRequest } from './exchange.ts';
import { retryDelay } from './retry.ts';
import { createSlots } from './slots.ts';
import { type AnswerVerdict, judge } from './verdict.ts';

/** One attempt on the wire, for metrics. */
export interface CallReport {
  readonly endpoint: EndpointRoute;
  readonly effect: Effect;
  readonly status: number | undefined;
  /** The kind of the error; undefined on success. */
  readonly kind: ProviderErrorKind | undefined;
  readonly ms: number;
}

export interface TransportOptions extends Partial<Limits> {
  /** `https://host/api`, with or without the last slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly maxUnderWay?: number;
  /** The wait before the second try; the wait before the third is double. Jitter takes off up to half. */
  readonly retryDelayMs?: number;
  readonly onCall?: (report: CallReport) => void;
  /** Replaces the network; the simulation passes its own. */
  readonly exchange?: (call: ProviderCall, limits: Limits) => Promise<Exchange>;
  /** Rejects when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type Transport = ReturnType<typeof createTransport>;

const usualLimits: Limits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 15_000,
  maxBodyBytes: 8 * 1024 * 1024,
};

export function createTransport(options: TransportOptions) {
  const { apiKey, onCall, maxUnderWay = 8, retryDelayMs = 250 } = options;
  const { sleep = (ms, signal) => waitMs(ms, undefined, { signal }) } = options;
  const limits = { ...usualLimits, ...options };
  const base = readBaseUrl(options.baseUrl);
  const baseUrl = base.origin + withoutEnd(base.pathname, '/');
  const prefix = baseUrl.slice(base.origin.length);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('the provider API key holds characters a header cannot carry');
  const redact = createRedaction(apiKey);

  // No HTTP/2, which has own rules to refuse and repeat requests: one request per connection is easier to reason about.
  const connection = { connectTimeout: limits.connectTimeoutMs, allowH2: false };
  // Each write gets a new connection, which is closed afterward. If the provider closed an idle kept connection at that
  // moment, the response would count as lost, and the bot would have to check a write that was never sent.
  const pools = {
    read: new Pool(base.origin, { ...connection, connections: maxUnderWay }),
    write: new Pool(base.origin, connection),
  };
  const overTheWire = (call: ProviderCall): Promise<Exchange> =>
    options.exchange?.(call, limits) ?? exchange(pools[call.effect], call, limits);
  const closing = new AbortController();
  const acquireSlot = createSlots(maxUnderWay, closing.signal);
  let closed: Promise<unknown> | undefined;

  async function attempt(request: ProviderRequest): Promise<AnswerVerdict> {
    let release: () => void;
    try {
      const lane = request.isPage === true ? 'page' : laneOf(request.effect);
      release = request.hasSlot === true ? () => {} : await acquireSlot(lane, request.signal);
    } catch {
      const words = `not sent: ${closing.signal.aborted ? 'the bot is stopping' : 'the caller gave up waiting'}`;
      throw new ProviderError('unavailable', request.endpoint, { words });
    }
    const startedAt = performance.now();
    try {
      const { body, type } = await encode(request);
      const headers = {
        authorization: `Api-Key ${apiKey}`,
        accept: request.answers === 'text' ? 'text/plain, */*;q=0.5' : 'application/json',
        'user-agent': 'Hostler',
        ...(type !== undefined && { 'content-type': type }),
      };
      const result = await overTheWire({ ...request, path: prefix + request.path, headers, body });
      if (result.end === 'answered') request.onBytes?.(result.text.length);
      const verdict = judge(request, result, redact);
      report(request, verdict, performance.now() - startedAt);
      return verdict;
    } finally {
      release();
    }
  }

  function report({ endpoint, effect }: ProviderRequest, verdict: AnswerVerdict, ms: number) {
    const { status, kind } = 'error' in verdict ? verdict.error : { status: verdict.status, kind: undefined };
    try {
      onCall?.({ endpoint, effect, status, kind, ms });
    } catch {
      // An error in the listener must not change the outcome of the call.
    }
  }

  return {
    /** The base URL without a slash at the end. */
    baseUrl,

    /** Resolves with the parsed response. A read has three tries, a write one. Rejects with a ProviderError. */
    async send(request: ProviderRequest): Promise<unknown> {
      const stop = request.signal === undefined ? closing.signal : AbortSignal.any([request.signal, closing.signal]);
      for (let tries = 1; ; tries += 1) {
        const verdict = await attempt(request);
        if ('value' in verdict) return verdict.value;
        const { error, mayRetry } = verdict;
        const ms = mayRetry && !stop.aborted ? retryDelay(request.effect, tries, error, retryDelayMs) : undefined;
        if (ms === undefined) throw error;
        await sleep(ms, stop).catch(() => {
          throw error;
        });
      }
    },

    /** Resolves when a write may be sent at once, with the function that releases the slot. Rejects after `close`. */
    takeWriteSlot: () => acquireSlot(laneOf('write')),

    /** Rejects waiting calls, and resolves when the running ones have ended. */
    async close(): Promise<void> {
      closing.abort();
      closed ??= Promise.all([pools.read.close(), pools.write.close()]);
      await closed;
    },
  };
}

function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username + url.password + url.search + url.hash !== ''
  ) {
    throw new TypeError('the provider base URL must look like https://host/api, without a user, a query or a fragment');
  }
  return url;
}

/** Removes the API key and its secret half, which the provider may quote in an error. */
function createRedaction(apiKey: string): (text: string) => string {
  const half = apiKey.slice(apiKey.indexOf('.') + 1);
  const secrets = [apiKey, half].filter((secret) => secret.length >= 8);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text);
}

async function encode({ body }: ProviderRequest): Promise<{ body?: Uint8Array | string; type?: string }> {
  if (body === undefined) return {};
  if ('json' in body) return { body: JSON.stringify(body.json), type: 'application/json' };
  const form = new FormData();
  for (const [field, { name, type, bytes }] of Object.entries(body.form)) {
    form.set(field, new Blob([new Uint8Array(bytes)], { type }), name);
  }
  // Response encodes multipart bodies, with the boundary in its content type.
  const encoded = new Response(form);
  return { body: await encoded.bytes(), type: encoded.headers.get('content-type') ?? 'multipart/form-data' };
}

function laneOf<E extends Effect>(effect: E): E | `later ${E}` {
  return isInBackground() ? `later ${effect}` : effect;
}
