import { createRateLimit } from '../../core/async/rate-limit.ts';
import { safeParse } from '../../core/text/json.ts';
import { problem } from '../../core/view/problem.ts';
import { noteUse, openHook } from '../alerts/make-hook.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { askedSchema, type Door, longestWaitS } from './door.ts';
import { type CallRequest, type HookAnswer, notTaken, readJson } from './http.ts';
import { answerMcp } from './mcp.ts';

const bodyMostBytes = 64 * 1024;
const mostPerMinute = 600;

const noToken = problem('no_token', 'This needs a valid token, as `Authorization: Bearer hst_…`.', {
  hint: 'Make one in a channel with /host token add. Tokens expire and can be revoked: /host token list shows them.',
});
const otherSite = problem('other_site', 'A page of another site sent this.');
const tooMany = problem('rate_limited', `More than ${mostPerMinute} calls of this token in a minute.`);
const compressed = problem('bad_body', 'The body is compressed.', { hint: 'Send plain JSON.' });
const notJson = problem('bad_body', 'The body is not JSON.', {
  hint: 'Send {"line": "restart web-1 because deploy 41", "key": "deploy-41"}.',
});
const several = problem('bad_body', 'The body is a list.', { hint: 'Send each message in its own call.' });
const unread = {
  too_large: problem('too_large', `The body is larger than ${bodyMostBytes} bytes.`),
  too_slow: problem('too_slow', 'The body did not arrive in time.'),
} as const;
const nothingHere = notTaken(404, 'There is nothing at this address.');

/** A browser names the page that sends a request; machines do not. */
function isOfOtherSite(origin: unknown, publicUrl = 'http://localhost'): boolean {
  if (origin === undefined) return false;
  const page = URL.parse(String(origin));
  const isLocal = page !== null && ['localhost', '127.0.0.1', '[::1]'].includes(page.hostname);
  return !isLocal && page?.origin !== new URL(publicUrl).origin;
}

/** Answers calls of machines to `/api/…` and `/mcp`. Without any token, the addresses do not exist. */
export function createCallReceiver(context: EngineContext, door: Door): (request: CallRequest) => Promise<HookAnswer> {
  const { admit } = createRateLimit(mostPerMinute, context.elapsed);
  return async (request) => {
    const [, bearer = ''] = /^[Bb]earer hst_([\w.-]{1,200})$/.exec(String(request.headers.authorization ?? '')) ?? [];
    const token = await openHook(context, 'token', bearer);
    if (token === undefined) return (await context.store.hooks.has('token')) ? noToken : nothingHere;
    if (isOfOtherSite(request.headers.origin, context.settings.publicUrl)) return otherSite;
    if (admit(token.id) !== 'yes') return tooMany;
    await noteUse(context, token);
    // The raw path is compared: parsing would accept other spellings, such as `%2e%2e`.
    const [path = '', query = ''] = request.path.split('?');
    const [, id] = /^\/api\/requests\/([a-z2-9]{10})$/.exec(path) ?? [];
    if (id !== undefined && request.method === 'DELETE') return door.withdraw(token, id);
    if (id !== undefined && request.method === 'GET') {
      const wait = Number(new URLSearchParams(query).get('wait') ?? 0);
      if (wait >= 0 && wait <= longestWaitS) return door.follow(token, id, wait, request.isGone);
      return problem('bad_value', `wait is a number of seconds from 0 to ${longestWaitS}.`);
    }
    if (!['/api/run', '/mcp'].includes(path) || request.method !== 'POST') return nothingHere;
    if (!/^(identity)?$/i.test(request.encoding ?? '')) return compressed;
    const body = await request.read(bodyMostBytes);
    if (typeof body === 'string') return unread[body];
    const json = readJson(body);
    if (json === undefined) return notJson;
    if (path === '/mcp' && Array.isArray(json)) return several;
    if (path === '/mcp') return answerMcp(door, { token, json, version: context.settings.version }, request);
    const asked = safeParse(askedSchema, json);
    if (asked.success) return door.run(token, asked.data);
    const [issue] = asked.error.issues;
    return problem('bad_body', `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'it is of another shape'}`);
  };
}
