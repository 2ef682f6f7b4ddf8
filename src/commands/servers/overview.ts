import { type Account, type Order, orderTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count } from '../../core/text/words.ts';
import { daysUntil, endsSoon } from '../../core/view/days.ts';
import { signs } from '../../core/view/signs.ts';
import type { Reader } from '../../provider/client.ts';
import { type Power, powerSigns, powersToShow, sayStatus } from './power.ts';

/** Parts of responses about many servers: sorting and counts. */

/** Power takes one request for each server: with more servers than this, only those on the page are read. */
export const powerReadsMost = 60;

export interface SeenServer {
  readonly order: Order;
  /** Undefined if it was not read. */
  readonly power: Power | undefined;
  /** True if it is off, and off is its usual power. */
  readonly isOffAsUsual?: boolean;
}

/** Reads the power of these servers, and whether they are off as usual. */
export async function seeServers(
  orders: readonly Order[],
  { reader, bot }: Pick<ReadContext<Reader>, 'bot' | 'reader'>,
): Promise<(SeenServer & { readonly power: Power })[]> {
  const [power, usual] = await Promise.all([powersToShow(reader, orders), bot.offAsUsual(orders.map(({ id }) => id))]);
  return orders.map((order) => {
    return { order, power: power(order), isOffAsUsual: power(order) === 'off' && usual.has(order.id) };
  });
}

/** The servers that this person may see, with canceled ones apart. */
export function serversSeen(account: Account, may: ReadContext<Reader>['may']): { live: Order[]; canceled: Order[] } {
  const seen = account.orders.filter((order) => order.kind === 'vps' && may('read', orderTarget(order)));
  return {
    live: seen.filter((order) => order.status !== 'canceled'),
    canceled: seen.filter((order) => order.status === 'canceled'),
  };
}

const broken = new Set(['blocked', 'disabled', 'expired', 'unpaid']);
const powerRank = { off: 1, unknown: 2, on: 5 } as const;

/** Lower ranks are worse. Home sorts its servers alike. */
function rank({ order, power, isOffAsUsual }: SeenServer, now: number): number {
  if (broken.has(order.status)) return 0;
  if (order.status === 'canceled') return 7;
  const ofPower = power === undefined ? 6 : isOffAsUsual ? powerRank.on : powerRank[power];
  if (endsSoon(order.expires, now)) return Math.min(ofPower, 3);
  return order.status === 'pending' ? Math.min(ofPower, 4) : ofPower;
}

/** Days are compared only among servers that end soon. */
function daysLeft({ order }: SeenServer, now: number): number {
  return endsSoon(order.expires, now) ? (daysUntil(order.expires, now) ?? 0) : Number.MAX_SAFE_INTEGER;
}

const byName = new Intl.Collator('en', { numeric: true });

export function worstFirst(seen: readonly SeenServer[], now: number): SeenServer[] {
  // Ranks each server once instead of in every comparison.
  return seen
    .map((server) => ({ server, rank: rank(server, now), days: daysLeft(server, now) }))
    .sort((a, b) => a.rank - b.rank || a.days - b.days || byName.compare(a.server.order.label, b.server.order.label))
    .map(({ server }) => server);
}

/** Troubles of a server in one or two words each; empty for one that is on and paid. */
export function complaintsOf({ order, power, isOffAsUsual }: SeenServer, now: number): string[] {
  const isCanceling = order.isCancelMarked && order.status !== 'canceled';
  return [
    ...((power === 'off' && !isOffAsUsual) || power === 'unknown' ? [power] : []),
    ...(order.status === 'active' ? [] : [sayStatus(order.status)]),
    ...(isCanceling ? ['will be canceled'] : []),
    ...(endsSoon(order.expires, now) && !broken.has(order.status) ? [`paid ${sayDaysLeft(order, now)}`] : []),
  ];
}

/** `🟢 on`, `🔴 off · blocked`, `⚪ off` if off is usual */
export function stateText({ order, power, isOffAsUsual }: SeenServer): string {
  if (order.status === 'canceled') return 'canceled';
  const status = order.status === 'active' || order.status === 'noprolong' ? [] : [sayStatus(order.status)];
  return (
    [...(power === undefined ? [] : [isOffAsUsual ? `${signs.neutral} off` : powerSigns[power]]), ...status].join(
      ' · ',
    ) || 'not read'
  );
}

/** `19 days`; the provider's dates are exact to days only. */
export function sayDaysLeft(order: Order, now: number): string {
  const days = daysUntil(order.expires, now);
  if (days === undefined) return 'unknown';
  return days < 0 ? 'past' : days === 0 ? 'today' : count(days, 'day');
}

/** `12 servers: 10 on, 2 off` */
export function countsLine(seen: readonly SeenServer[], of: number): string {
  const how = (['on', 'off', 'unknown'] as const).flatMap((power) => {
    const n = seen.filter((server) => server.power === power).length;
    return n === 0 ? [] : [`${n} ${power}`];
  });
  const unread = seen.filter((server) => server.power === undefined).length;
  const parts = [...how, ...(unread === 0 ? [] : [`${unread} whose power was not read`])];
  const head = seen.length === of ? count(of, 'server') : `${seen.length} of ${count(of, 'server')}`;
  return `${head}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
