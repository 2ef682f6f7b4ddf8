import { hash } from 'node:crypto';
import { z } from 'zod';
import { channelTarget, emptyAccount, type Order, orderTarget } from '../../core/account/account.ts';
import { createServerFinder } from '../../core/account/servers-in-text.ts';
import { type Finding, type Offer, postedKinds } from '../../core/alert/alert.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { createRateLimit } from '../../core/async/rate-limit.ts';
import type { KnownTicket } from '../../core/command/bot-port.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import { defined } from '../../core/text/defined.ts';
import { safeParse } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { Text } from '../../core/view/view.ts';
import type { HooksTable } from '../../store/schema.ts';
import { sourceLink } from '../alerts/alert-view.ts';
import { calmDown, isEndOf, isSameFinding, newAlert, persist, type Raising, raise } from '../alerts/lifecycle.ts';
import { noteUse, openHook } from '../alerts/make-hook.ts';
import { hookPrefix } from '../alerts/sweep.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { receiveCreated } from './creation-webhook.ts';
import { readHookBody } from './hook-bodies.ts';
import { type HookAnswer, type HookRequest, hookBodyMostBytes, notTaken, readJson, unread } from './http.ts';
import type { IncomingAlert, Read } from './incoming.ts';

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

/** More than people can read, but low enough that the holder of a hook cannot fill the database. */
export const mostOpenOfHook = 2_000;

/** Stores posted alerts: new and unchanged ones in bulk, the others one by one in the order of the body. */
export async function storeReported(context: EngineContext, hook: HooksTable, all: readonly IncomingAlert[]) {
  const { alerts } = context.store;
  const rule = hookPrefix + hook.id;
  const causes = [...new Set(all.map(({ fingerprint }) => fingerprint))];
  const last = await alerts.lastOf(hook.channel, rule, causes);
  let free = mostOpenOfHook - (await alerts.countOpen(hook.channel, rule));
  const findingOf = await createFindingOf(context, hook);
  // `left`: new alerts beyond the limit of the hook.
  const counts = { raised: 0, resolved: 0, known: 0, left: 0 };
  const fresh: Raising[] = [];
  const same: string[] = [];
  const singly: { readonly incoming: IncomingAlert; readonly raising: Raising }[] = [];
  const seen = new Set<string>();
  await mapInSlices(all, (incoming) => {
    const { fingerprint, isFiring, groupKey, startsAt } = incoming;
    const row = last.get(fingerprint);
    const isFirst = !seen.has(fingerprint);
    seen.add(fingerprint);
    const raising = { channel: hook.channel, rule, finding: findingOf(incoming), groupKey, startsAt };
    const isOpening = isFiring && isFirst && (row === undefined || row.resolvedAt !== null);
    if (isOpening && free <= 0) counts.left += 1;
    else if (isFirst && isFiring && row === undefined) fresh.push(raising);
    else if (isFirst && isFiring && row?.resolvedAt === null && isSameFinding(row, raising)) same.push(row.id);
    else if (isFirst && !isFiring && row?.resolvedAt !== null) counts.known += 1;
    else singly.push({ incoming, raising });
    if (isOpening) free -= 1;
  });
  await alerts.touch(same);
  counts.known += same.length;
  const inserted = await alerts.insertAll(await mapInSlices(fresh, newAlert));
  counts.raised += inserted.size;
  for (const raising of fresh) {
    // Another process raised this alert between the read and the write.
    if (!inserted.has(raising.finding.cause)) counts[await fire(context, raising)] += 1;
  }
  for (const { incoming, raising } of singly) {
    counts[incoming.isFiring ? await fire(context, raising) : await end(context, hook, incoming)] += 1;
  }
  return counts;
}

export async function fire(context: EngineContext, raising: Raising): Promise<'raised' | 'known'> {
  const raised = await raise(context, raising);
  return raised === 'new' || raised === 'again' ? 'raised' : 'known';
}

function end(context: EngineContext, { channel, id }: HooksTable, incoming: IncomingAlert) {
  const alert = { channel, rule: hookPrefix + id, cause: incoming.fingerprint };
  return persist(context, alert, async () => {
    const row = await context.store.alerts.last(alert.channel, alert.rule, alert.cause);
    if (row === undefined || row.resolvedAt !== null || !isEndOf(row, incoming)) return 'known';
    return (await calmDown(context, row, undefined, { endsAt: incoming.endsAt ?? row.endsAt })) ? 'resolved' : 'lost';
  });
}

const mostServers = 3;

/**
 * Shows a server only if a grant of the channel allows reading it, so that a hook reveals no more than the channel may
 * see.
 */
async function createFindingOf(context: EngineContext, hook: HooksTable) {
  // Posts must be stored even while the provider is unavailable; then no server is recognized.
  const { accountReader, policies } = context;
  const account = accountReader.peek() ?? (await accountReader.read({ staleOk: true }).catch(() => emptyAccount));
  const findServers = createServerFinder(account);
  const grants = (await policies.get(hook.channel))?.grants ?? [];
  const maySee = (order: Order) => letsSomebody(grants, 'read', orderTarget(order));
  return (incoming: IncomingAlert): Finding => {
    const servers = findServers(incoming.words).filter(maySee).slice(0, mostServers);
    const [first] = servers;
    return {
      cause: incoming.fingerprint,
      target: first === undefined ? { ...channelTarget(hook.channel), name: hook.name } : orderTarget(first),
      title: incoming.title,
      lines: [
        ...incoming.lines,
        ...servers.map(cardLine),
        ...(incoming.link === undefined ? [] : [sourceLink(incoming.link)]),
      ],
      severity: incoming.severity,
      level: 0,
      offers: servers.length === 1 && first !== undefined ? offersFor(first) : servers.flatMap(statusOf),
      group: incoming.group || hook.name,
      ...defined({ source: incoming.link, which: incoming.which || undefined }),
    };
  };
}

/** The server's details, shortened for an alert. */
function cardLine(order: Order): Text {
  const rest = [order.id, ...order.addresses.slice(0, 2), order.plan, order.status].filter((part) => part !== '');
  return [{ bold: order.label }, ` · ${rest.join(' · ')}`];
}

function offersFor(order: Order): Offer[] {
  if (order.kind !== 'vps') return [{ label: 'Order', line: `order ${order.id}` }];
  return [
    { label: 'Status', line: `status ${order.id}` },
    { label: 'Stats', line: `stats ${order.id}` },
    { label: 'Restart', line: `restart ${order.id}` },
  ];
}

function statusOf(order: Order): Offer[] {
  const verb = order.kind === 'vps' ? 'status' : 'order';
  return [{ label: `Status ${order.label}`, line: `${verb} ${order.id}` }];
}
