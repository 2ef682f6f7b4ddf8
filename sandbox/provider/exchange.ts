import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BodyTooLong, readBody } from '../http.ts';
import { detail, htmlNotFound, type ProviderAnswer, ProviderApiError } from './answer.ts';
import { mayCall } from './api-keys.ts';
import { type ProviderRequestCall, parseForm, type RawBody, readData, requireForm } from './call.ts';
import { answerControl } from './control.ts';
import type { LiveFault } from './faults.ts';
import { answerMedia } from './media.ts';
import { numbers } from './numbers.ts';
import { createRouter, type Match } from './router.ts';
import { routes } from './routes/all.ts';
import type { ProviderControl } from './sim.ts';
import type { ProviderState } from './types.ts';

const prefix = '/api';

/** Answers every HTTP request: the API under /api, logos under /media, and the control API under /_sim. */
export function createExchange(provider: ProviderState, sim: ProviderControl, key: string) {
  const router = createRouter(routes);

  return async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = `http://${request.headers.host ?? 'localhost'}`;
    const target = request.url ?? '/';
    if (!URL.canParse(target, origin)) return send(response, request, { status: 400 });
    const url = new URL(target, origin);
    const bytes = await readBody(request, numbers.bodyMaxBytes).catch((error: unknown) => {
      if (error instanceof BodyTooLong) return undefined;
      throw error;
    });
    if (!bytes) return send(response, request, { status: 413, headers: { connection: 'close' } });
    const body = { bytes, contentType: request.headers['content-type'] ?? '' };
    if (url.pathname.startsWith('/_sim/'))
      return send(response, request, await answerControl(sim, request, url.pathname, body));
    if (url.pathname.startsWith('/media/')) return send(response, request, answerMedia(provider, url.pathname));
    if (!url.pathname.startsWith(`${prefix}/`)) return send(response, request, htmlNotFound);
    await answerApi(request, response, url, origin, body);
  };

  async function answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    origin: string,
    body: RawBody,
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const match = router.match(url.pathname.slice(prefix.length));
    const route = routeOf(match, method);
    const logged = provider.log.begin({
      time: new Date(provider.clock.now()).toISOString(),
      method,
      path: withoutKey(`${url.pathname}${url.search}`),
      route: route?.route ?? null,
      body: legible(body),
    });
    provider.changed('request', logged.id);
    const finish = (status: number | null) => {
      provider.log.finish(logged, status);
      provider.changed('request', logged.id);
    };

    const { delayMs, fault } = route
      ? provider.faults.strike(route.route, url.pathname)
      : { delayMs: 0, fault: undefined };
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: provider.closing.signal }).catch(() => undefined);
    if (fault?.kind === 'drop') {
      request.socket.destroy();
      return finish(null);
    }
    const instead = answerInstead(fault);
    const answer = instead ?? (await answerMatch(match, method, request, url, origin, body));
    logged.isApplied = instead === undefined && answer.status < 300;
    if (logged.isApplied) logged.job = jobIn(answer);
    if (fault?.kind === 'lose') {
      request.socket.destroy();
      return finish(null);
    }
    const spoilt = spoil(answer, fault);
    // Logged before it is sent, so that a client with the response finds the request finished.
    finish(spoilt.status);
    send(response, request, spoilt);
  }

  async function answerMatch(
    match: Match,
    method: string,
    request: IncomingMessage,
    url: URL,
    origin: string,
    body: RawBody,
  ): Promise<ProviderAnswer> {
    if (match.kind === 'none') return htmlNotFound;
    if (match.kind === 'redirect') {
      const headers = { location: `${prefix}${match.path}${url.search}` };
      return { status: 301, contentType: 'text/html; charset=utf-8', headers };
    }
    try {
      const form = await parseForm(body);
      const data = () => readData(body, form);
      if (
        !mayCall({ route: routeOf(match, method)?.route, authorization: request.headers.authorization, url, data }, key)
      ) {
        throw detail(401, 'Authentication credentials were not provided.', { 'www-authenticate': 'Api-Key' });
      }
      const route = routeOf(match, method);
      if (!route) {
        const allow = [...match.methods.keys(), 'OPTIONS'].join(', ');
        throw detail(405, `Method "${method}" not allowed.`, { allow });
      }
      if (route.feature && !provider.settings.features[route.feature]) {
        throw detail(403, 'You do not have permission to perform this action.');
      }
      const call: ProviderRequestCall = {
        provider,
        route: route.route,
        params: match.params,
        query: url.searchParams,
        origin,
        path: url.pathname,
        data,
        form: async () => requireForm(body, form),
      };
      return await route.handle(call);
    } catch (error) {
      if (error instanceof ProviderApiError) return error.answer;
      throw error;
    }
  }
}

function jobIn({ body }: ProviderAnswer): number | null {
  if (typeof body !== 'object' || body === null || !('pk' in body)) return null;
  return typeof body.pk === 'number' ? body.pk : null;
}

const routeOf = (match: Match, method: string) =>
  match.kind === 'found' ? match.methods.get(method === 'HEAD' ? 'GET' : method) : undefined;

function answerInstead(fault: LiveFault | undefined): ProviderAnswer | undefined {
  if (fault?.kind === 'answer') {
    const isText = typeof fault.body === 'string';
    return {
      status: fault.status,
      body: fault.body,
      headers: fault.headers ?? {},
      ...(isText ? { contentType: 'text/html; charset=utf-8' } : {}),
    };
  }
  if (fault?.kind !== 'throttle') return undefined;
  const seconds = fault.retryAfterSec ?? numbers.throttledForSec;
  const text = `Request was throttled. Expected available in ${seconds} seconds.`;
  return { status: 429, body: { detail: text }, headers: { 'retry-after': String(seconds) } };
}

function spoil(answer: ProviderAnswer, fault: LiveFault | undefined): ProviderAnswer {
  if (fault?.kind === 'malformed') {
    const whole = answer.body === undefined ? '{"detail": ' : JSON.stringify(answer.body);
    const half = whole.slice(0, Math.max(1, Math.floor(whole.length / 2)));
    return { ...answer, body: half, contentType: 'application/json' };
  }
  if (fault?.kind === 'shape') {
    return {
      ...answer,
      body: fault.body ?? { version: 2, data: answer.body ?? null },
      contentType: 'application/json',
    };
  }
  if (fault?.kind === 'item') return { ...answer, body: withOddItem(answer.body, fault.item, fault.set) };
  return answer;
}

function withOddItem(body: unknown, item: string, set: Readonly<Record<string, unknown>>): unknown {
  const change = (element: unknown) => {
    const isIt =
      typeof element === 'object' && element !== null && [field(element, 'id'), field(element, 'name')].includes(item);
    return isIt ? { ...element, ...set } : element;
  };
  if (Array.isArray(body)) return body.map(change);
  const results = typeof body === 'object' && body !== null && 'results' in body ? body.results : undefined;
  return Array.isArray(results) ? { ...Object(body), results: results.map(change) } : body;
}

function field(item: object, name: string): string {
  return String(Object.entries(item).find(([key]) => key === name)?.[1]);
}

function send(response: ServerResponse, request: IncomingMessage, answer: ProviderAnswer): void {
  if (request.socket.destroyed) return;
  const { status, body } = answer;
  const payload = body === undefined ? undefined : encode(body);
  response.writeHead(status, {
    ...(payload === undefined ? {} : { 'content-type': answer.contentType ?? 'application/json' }),
    // A 204 has no body and no content-length.
    ...(status === 204 && payload === undefined ? {} : { 'content-length': payload?.length ?? 0 }),
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : payload);
}

function encode(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The body for the request log. */
function legible({ bytes, contentType }: RawBody): unknown {
  if (bytes.length === 0) return null;
  if (contentType.startsWith('multipart/')) return `${bytes.length} bytes of ${contentType.split(';')[0]}`;
  const source = withoutKey(bytes.toString('utf8'));
  try {
    return JSON.parse(source);
  } catch {
    return source;
  }
}

/** Removes the key, since the sandbox's page shows the log. */
function withoutKey(text: string): string {
  return text.replace(/([?&]|^)apikey=[^&\s]*/g, '$1apikey=…').replace(/("apikey"\s*:\s*)"[^"]*"/g, '$1"…"');
}
