import { type Account, channelTarget, emptyAccount, type Order, orderTarget } from '../../core/account.ts';
import type { Finding, Offer } from '../../core/alert.ts';
import { serversIn } from '../../core/servers-in-text.ts';
import type { Text } from '../../core/view.ts';
import type { HookRow } from '../../store/hooks.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { receiveCreated } from './creation-webhook.ts';
import { type IncomingAlert, readHookBody } from './hook-bodies.ts';
import { openHook } from './hooks.ts';
import { encoded, type HookAnswer, type HookRequest, hookBodyMostBytes, tooLarge } from './http.ts';
import { calmDown, isBefore, persist, raise } from './lifecycle.ts';
import { hookPrefix } from './sweep.ts';

/** When a hook was used last is known to the minute. */
const usedEveryMs = 60_000;

const unauthorised: HookAnswer = {
  status: 401,
  body: { error: 'No hook has this address. An admin makes one with /host alerts hook add, or it was revoked.' },
};
export async function receiveHook(context: EngineContext, request: HookRequest): Promise<HookAnswer> {
  const [, root, kind = '', token = '', ...rest] = request.path.split('/');
  if (root !== 'hooks' || rest.length > 0) return { status: 404, body: { error: 'There is nothing at this address.' } };
  if (kind === 'created') return receiveCreated(context, token, request);
  const hook = await openHook(context, kind, token);
  if (hook === undefined) return unauthorised;
  if (!/^(identity)?$/i.test(request.encoding ?? '')) return encoded;
  const body = await request.read(hookBodyMostBytes);
  if (body === 'too_large') return tooLarge;
  const read = readHookBody(hook.kind, body);
  if (!read.ok) return { status: 400, body: { error: `Not taken: ${read.why}.` } };
  const counts = await takeAll(context, hook, read.alerts);
  if (context.now() - (hook.usedAt ?? 0) > usedEveryMs) await context.store.hooks.used(hook.id);
  // What was taken is stored; showing it may wait for others that come at the same time.
  context.alerts.publishSoon(hook.channel);
  return { status: 200, body: counts };
}

async function takeAll(
  context: EngineContext,
  hook: HookRow,
  all: readonly IncomingAlert[],
): Promise<Record<string, number>> {
  const account = await namesNow(context);
  const counts = { raised: 0, resolved: 0, known: 0 };
  for (const incoming of all) {
    const taken = incoming.isFiring ? await fire(context, hook, incoming, account) : await end(context, hook, incoming);
    counts[taken] += 1;
  }
  return counts;
}

async function fire(
  context: EngineContext,
  hook: HookRow,
  incoming: IncomingAlert,
  account: Account,
): Promise<'raised' | 'known'> {
  const raised = await raise(context, {
    channel: hook.channel,
    rule: hookPrefix + hook.id,
    finding: findingOf(hook, incoming, account),
    groupKey: incoming.groupKey,
    startsAt: incoming.startsAt,
  });
  return raised === 'new' || raised === 'again' ? 'raised' : 'known';
}

function end(context: EngineContext, hook: HookRow, incoming: IncomingAlert): Promise<'resolved' | 'known'> {
  const alert = { channel: hook.channel, rule: hookPrefix + hook.id, cause: incoming.fingerprint };
  return persist(context, alert, () => endOnce(context, hook, incoming));
}

async function endOnce(
  context: EngineContext,
  hook: HookRow,
  incoming: IncomingAlert,
): Promise<'resolved' | 'known' | 'lost'> {
  const { alerts } = context.store;
  const row = await alerts.last(hook.channel, hookPrefix + hook.id, incoming.fingerprint);
  if (row === undefined || row.resolvedAt !== null) return 'known';
  // The end of an earlier one that comes late does not end this one. Of a pair of senders, each has its own beginning:
  // where monitoring says when it ended, that counts.
  if (isBefore(incoming.endsAt ?? incoming.startsAt, row.startsAt)) return 'known';
  // From here on, what began before this end is old.
  if (isBefore(row.startsAt, incoming.endsAt)) {
    if (!(await alerts.change(row.id, row.version, { startsAt: incoming.endsAt }))) return 'lost';
    row.version += 1;
  }
  return (await calmDown(context, row, undefined)) ? 'resolved' : 'lost';
}

/** Monitoring must get through when the provider does not: then nothing is known to be ours. */
async function namesNow(context: EngineContext): Promise<Account> {
  const { accountReader } = context;
  return accountReader.peek() ?? (await accountReader.read({ staleOk: true }).catch(() => emptyAccount));
}

const mostServers = 3;

function findingOf(hook: HookRow, incoming: IncomingAlert, account: Account): Finding {
  const servers = serversIn(incoming.words, account).slice(0, mostServers);
  const [first] = servers;
  const link: Text[] = incoming.link === undefined ? [] : [[{ link: incoming.link, text: 'Source' }]];
  return {
    cause: incoming.fingerprint,
    target: first === undefined ? { ...channelTarget(hook.channel), name: hook.name } : orderTarget(first),
    title: incoming.title,
    lines: [...incoming.lines, ...servers.map(cardLine), ...link],
    severity: incoming.severity,
    level: 0,
    offers: servers.length === 1 && first !== undefined ? offersFor(first) : servers.flatMap(statusOf),
    group: incoming.group || hook.name,
  };
}

/** The server's card, as short as an alert has room for. */
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
