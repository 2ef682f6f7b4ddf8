import { createRateLimit } from '../../core/async/rate-limit.ts';
import { openHook } from '../alerts/hooks.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { receiveCreated } from './creation-webhook.ts';
import { readHookBody } from './hook-bodies.ts';
import { encoded, type HookAnswer, type HookRequest, hookBodyMostBytes, unread } from './http.ts';
import { mostOpenOfHook, storeReported } from './reported-alerts.ts';
import { receiveTicketComment } from './ticket-webhook.ts';

/** The last use of a hook is stored to the minute, to save writes. */
const usedEveryMs = 60_000;

/** Ten a second for each hook and replica: far more than a grouping Alertmanager sends. */
const mostPerMinute = 600;

const unauthorized: HookAnswer = {
  status: 401,
  body: { error: 'No hook has this address. An admin makes one with /host alerts hook add, or it was revoked.' },
};

const tooOften: HookAnswer = {
  status: 429,
  body: { error: `Not accepted: more than ${mostPerMinute} posts in a minute. Post it again in a minute.` },
};

/** Answers posts to `/hooks/…`. */
export function createHookReceiver(context: EngineContext): (request: HookRequest) => Promise<HookAnswer> {
  const { admit } = createRateLimit(mostPerMinute, context.elapsed);
  return async (request) => {
    const [, root, kind = '', token = '', ...rest] = request.path.split('/');
    if (root !== 'hooks' || rest.length > 0)
      return { status: 404, body: { error: 'There is nothing at this address.' } };
    if (kind === 'created') return receiveCreated(context, token, request);
    const hook = await openHook(context, kind, token);
    if (hook === undefined) return unauthorized;
    if (admit(hook.id) !== 'yes') return tooOften;
    if (!/^(identity)?$/i.test(request.encoding ?? '')) return encoded;
    const body = await request.read(hookBodyMostBytes);
    if (typeof body === 'string') return unread[body];
    if (hook.kind === 'ticket') {
      if (context.now() - (hook.usedAt ?? 0) > usedEveryMs) await context.store.hooks.used(hook.id);
      return receiveTicketComment(context, hook, body);
    }
    const read = await readHookBody(hook.kind, body);
    if (!read.ok) return { status: 400, body: { error: `Not accepted: ${read.why}.` } };
    const { left, ...counts } = await storeReported(context, hook, read.alerts);
    if (context.now() - (hook.usedAt ?? 0) > usedEveryMs) await context.store.hooks.used(hook.id);
    // The alerts are stored; publishing them may wait to include other alerts.
    context.alerts.publishSoon(hook.channel);
    if (left === 0) return { status: 200, body: counts };
    const error = `${left} new alerts were not accepted: ${mostOpenOfHook} of this hook are open. Post them again when some are resolved.`;
    return { status: 429, body: { ...counts, error } };
  };
}
