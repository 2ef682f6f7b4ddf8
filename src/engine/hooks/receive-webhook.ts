import { hash } from 'node:crypto';
import { z } from 'zod';
import { channelTarget, orderTarget } from '../../core/account/account.ts';
import { type Finding, postedKinds } from '../../core/alert/alert.ts';
import { createRateLimit } from '../../core/async/rate-limit.ts';
import type { KnownTicket } from '../../core/command/bot-port.ts';
import { safeParse } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { Text } from '../../core/view/view.ts';
import type { HooksTable } from '../../store/schema.ts';
import { noteUse, openHook } from '../alerts/make-hook.ts';
import { hookPrefix } from '../alerts/sweep.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { receiveCreated } from './creation-webhook.ts';
import { readHookBody } from './hook-bodies.ts';
import { type HookAnswer, type HookRequest, hookBodyMostBytes, notTaken, readJson, unread } from './http.ts';
import type { Read } from './incoming.ts';
import { fire, mostOpenOfHook, storeReported } from './reported-alerts.ts';

/** Ten a second for each hook and replica: far more than a grouping Alertmanager sends. */
const mostPerMinute = 600;

/** Answers posts to `/hooks/…`. */
export function createHookReceiver(context: EngineContext): (request: HookRequest) => Promise<HookAnswer> {
  const { admit } = createRateLimit(mostPerMinute, context.elapsed);
  return async (request) => {
    const [, root, kind = '', token = '', ...rest] = request.path.split('/');
    if (root !== 'hooks' || rest.length > 0) return notTaken(404, 'There is nothing at this address.');
    if (kind === 'created') return receiveCreated(context, token, request);
    const own = postedKinds.find((candidate) => candidate === kind);
    const hook = own && (await openHook(context, own, token));
    if (own === undefined || hook === undefined)
      return notTaken(
        401,
        'No hook has this address. An admin makes one with /host alerts hook add, or it was revoked.',
      );
    if (admit(hook.id) !== 'yes')
      return notTaken(429, `Not accepted: more than ${mostPerMinute} posts in a minute. Post it again in a minute.`);
    if (!/^(identity)?$/i.test(request.encoding ?? ''))
      return notTaken(415, 'The body is compressed. Let the sender post it as it is: JSON without a content-encoding.');
    const body = await request.read(hookBodyMostBytes);
    if (typeof body === 'string') return unread[body];
    const answer =
      own === 'ticket'
        ? await receiveTicketComment(context, hook, body)
        : await receiveAlerts(context, hook, await readHookBody(own, body));
    if (answer.status !== 400) await noteUse(context, hook);
    return answer;
  };
}

async function receiveAlerts(context: EngineContext, hook: HooksTable, read: Read): Promise<HookAnswer> {
  if (!read.ok) return notTaken(400, `Not accepted: ${read.why}.`);
  const { left, ...counts } = await storeReported(context, hook, read.alerts);
  // The alerts are stored; publishing them may wait to include other alerts.
  context.alerts.publishSoon(hook.channel);
  if (left === 0) return { status: 200, body: counts };
  const error = `${left} new alerts were not accepted: ${mostOpenOfHook} of this hook are open. Post them again when some are resolved.`;
  return { status: 429, body: { ...counts, error } };
}

/** The provider's body, made for Slack's incoming webhooks: one text in free wording. */
const body = z.object({ text: z.string().min(1).max(50_000) });

/** The provider may repeat a post, which is not documented: the same text within this time counts as one. */
const sameWithinMs = 10 * 60_000;
const mostShown = 1_500;

/**
 * Receives a comment on a ticket. The post has no signature, so it is not trusted: it is shown as plain text, and the
 * id of a ticket opened here only selects the channel.
 */
async function receiveTicketComment(context: EngineContext, hook: HooksTable, bytes: Uint8Array): Promise<HookAnswer> {
  const parsed = safeParse(body, readJson(bytes));
  if (!parsed.success) return notTaken(400, 'Not accepted: the body is not {"text": "…"}.');
  const { text } = parsed.data;
  const ticket = [...(await context.store.values.all('ticket')).values()].find(
    ({ id }) => id.length >= 6 && text.includes(id),
  );
  const channel = ticket?.channel ?? hook.channel;
  const rule = hookPrefix + hook.id;
  if ((await context.store.alerts.countOpen(channel, rule)) >= mostOpenOfHook)
    return notTaken(429, `Not accepted: ${mostOpenOfHook} comments are open in the channel.`);
  const fired = await fire(context, { channel, rule, finding: findingOf(context, text, ticket, channel) });
  context.alerts.publishSoon(channel);
  return { status: 200, body: { [fired]: 1 } };
}

function findingOf(context: EngineContext, text: string, ticket: KnownTicket | undefined, channel: string): Finding {
  const slot = Math.floor(context.now() / sameWithinMs);
  const cause = hash('sha256', `${slot} ${text}`).slice(0, 32);
  const order = context.accountReader.peek()?.orders.find(({ id }) => id === ticket?.order);
  // Support may write a new password into a ticket, and the whole channel reads it here.
  const clean = strikeSecrets(text, context.settings.knownSecrets);
  const shown = clean.length > mostShown ? `${clean.slice(0, mostShown)}…` : clean;
  const readOn: Text =
    ticket !== undefined && /^https?:\/\//.test(ticket.url)
      ? ['Read on and answer at the ticket’s page: ', { link: ticket.url, text: 'open the ticket' }]
      : 'Read on and answer in the customer area: the API reads no tickets.';
  return {
    cause,
    target: order === undefined ? { ...channelTarget(channel), name: 'support ticket' } : orderTarget(order),
    title:
      ticket === undefined ? 'A support ticket has a new comment' : `New comment in the ticket “${ticket.subject}”`,
    lines: [shown, readOn],
    severity: 'info',
    level: 0,
    offers: [],
    isNotForSupport: true,
    group: 'support tickets',
  };
}
