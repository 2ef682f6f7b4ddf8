import { identityOf, type Order, orderTarget } from '../core/account/account.ts';
import { bareId } from '../core/account/bare-id.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { bytes, count, day, hour, minute } from '../core/text/words.ts';
import { parseProviderDate } from '../core/view/days.ts';
import { ifReadable, readOr } from '../core/view/errors.ts';
import type { TrafficLimits } from '../provider/endpoints/orders.ts';
import { aboutOrder, defineAlert, gravityOf, leftAccount, readDue, sampleOrder, warning } from './define-alert.ts';

type Usage = Pick<TrafficLimits, 'limit' | 'used'> & { readonly order: Order; readonly runsOut: number | undefined };

export const traffic = defineAlert({
  name: 'traffic',
  title: 'A dedicated server runs out of traffic',
  many: (n) => `${n} dedicated servers run out of traffic`,
  everyMs: 30 * minute,
  fires: 'the used traffic is above the threshold, or its pace exceeds the limit before the range ends',
  clears: 'a new range begins, the pace slows down, or the limit is gone',
  thresholds: { unit: 'percent', usual: [80, 95], isFalling: false, min: 1, max: 100, most: 5 },
  read: async (context) => {
    const { reader, names, isWatched, now, drift } = context;
    const account = await names();
    const servers = account.orders.filter(
      (order) => order.kind === 'ds' && order.status === 'active' && isWatched(orderTarget(order)),
    );
    const seen = await readDue(context, servers, { kind: 'traffic', withinMs: hour / 2 }, async ({ id }) => {
      // Null for a server without a limit, for which the provider returns 404; undefined for one that cannot be read.
      const read = readOr(reader.ds.trafficUsed({ order_id: bareId(id) }), 'not_found', () => null);
      const limits = await ifReadable(read, 'shape');
      return limits && numbers(limits, now);
    });
    // The usual value is null, so every read counts as a drift and is kept across sweeps.
    const drifts = await drift('traffic', seen, { firstUsual: null });
    return {
      account,
      /** Servers read in this run that have no limit. */
      unlimited: new Set(seen.flatMap(({ key, value }) => (value === null ? [key] : []))),
      read: drifts.flatMap(({ key, value }): Usage[] => {
        const order = servers.find((candidate) => candidate.id === key);
        if (order === undefined || typeof value !== 'object' || value === null || !('used' in value)) return [];
        const runsOut = typeof value.runsOut === 'number' ? value.runsOut : undefined;
        return [{ order, used: Number(value.used), limit: Number(value.limit), runsOut }];
      }),
    };
  },
  find: ({ read }, at) =>
    read.flatMap((usage) => {
      const gravity = gravityOf(at, (percent) => shareOf(usage) >= percent);
      if (gravity === undefined && usage.runsOut === undefined) return [];
      return [findingOf(usage, shareOf(usage) < 100 ? gravity : { level: at.length, severity: 'critical' })];
    }),
  calm: (cause, { read, account, unlimited }, { target }): AlertEnd | undefined => {
    const usage = read.find(({ order }) => order.id === cause);
    if (usage !== undefined && usage.limit > 0)
      return `${usage.order.label} has used ${Math.floor(shareOf(usage))} % of its traffic`;
    return unlimited.has(cause) ? `${target.name} has no limit of traffic` : leftAccount(account, target);
  },
  sample: () =>
    findingOf({
      order: { ...sampleOrder, kind: 'ds', label: 'files-1', id: '34-1000101' },
      used: 8.5e12,
      limit: 10e12,
      runsOut: 4,
    }),
});

/** In percent; 0 without a limit. */
function shareOf({ used, limit }: Usage): number {
  return limit > 0 ? (used / limit) * 100 : 0;
}

/** The dates of the range are days without a time zone: projections begin after two whole days and use whole days. */
function numbers({ used, limit, range_start, range_end }: TrafficLimits, now: number) {
  const start = parseProviderDate(range_start)?.ms;
  const end = parseProviderDate(range_end)?.ms;
  const isKnown = start !== undefined && end !== undefined && limit > 0 && used > 0 && used < limit;
  if (!isKnown || now - start < 2 * day) return { used, limit, runsOut: null };
  const atMs = start + ((now - start) / used) * limit;
  return { used, limit, runsOut: atMs < end - day ? Math.max(0, Math.floor((atMs - now) / day)) : null };
}

function findingOf(usage: Usage, gravity = warning): Finding {
  const { order, used, limit, runsOut } = usage;
  return {
    ...aboutOrder(order),
    title: `${order.label} has used ${shareOf(usage) < 100 ? `${Math.floor(shareOf(usage))} % of` : 'up'} its traffic`,
    lines: [
      `${identityOf(order)} · ${bytes(used)} of ${bytes(limit)}`,
      ...(runsOut === undefined
        ? []
        : [`at the pace so far it is used up in about ${count(runsOut, 'day')}, before the range ends`]),
    ],
    ...gravity,
    offers: [{ label: 'Traffic', line: `ds traffic ${order.id}` }],
  };
}
