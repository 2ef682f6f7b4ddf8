import { channelTarget, emptyAccount, type Order, orderTarget } from '../../core/account/account.ts';
import { createServerFinder } from '../../core/account/servers-in-text.ts';
import type { Finding, Offer } from '../../core/alert/alert.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import { defined } from '../../core/text/defined.ts';
import type { Text } from '../../core/view/view.ts';
import type { HooksTable } from '../../store/schema.ts';
import { sourceLink } from '../alerts/alert-view.ts';
import { calmDown, isEndOf, isSameFinding, newAlert, persist, type Raising, raise } from '../alerts/lifecycle.ts';
import { hookPrefix } from '../alerts/sweep.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { IncomingAlert } from './incoming.ts';

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
