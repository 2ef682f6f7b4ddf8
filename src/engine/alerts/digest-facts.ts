import {
  accountTarget,
  domainTarget,
  mayReadRequest,
  type Order,
  orderTarget,
  tagTarget,
} from '../../core/account/account.ts';
import { type Coverage, coverageOf, renewing } from '../../core/account/coverage.ts';
import { type Alert, endSign, mostUrgentFirst } from '../../core/alert/alert.ts';
import { maySeeAlert, type SweepContext } from '../../core/alert/alert-rule.ts';
import {
  type DigestFacts,
  type DigestSection,
  digestWithinDays,
  mostSectionLines,
  oneLine,
} from '../../core/alert/digest.ts';
import { stateSigns, stateWord, stateWords } from '../../core/plan/say-state.ts';
import { count } from '../../core/text/words.ts';
import { daysUntil } from '../../core/view/days.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/severity.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ChannelReader } from '../access/may-see.ts';
import { pinsOfAll } from '../access/pins.ts';
import { sayDecision } from '../access/say-decision.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { nextShiftMs } from '../context/time-limits.ts';
import { type CardLinks, linksToCards, titleSpan } from '../operation/card-links.ts';
import { type Operation, readOperationLeniently } from '../operation/record.ts';
import { beginOf, sayMinutes } from './alert-words.ts';
import { createSweepContext } from './rule-context.ts';

/** The facts of a digest, which a channel reads, and of a handover, which one person reads. */

/** More than a channel has open, or ends between two digests. */
const mostRead = 1_000;
const mostName = 40;

interface Reading {
  readonly channel: string;
  readonly reader: ChannelReader;
  /** A person who may see their own requests; undefined for a channel. */
  readonly user?: string;
  readonly since: number;
}

export type DigestReads = Pick<SweepContext<Reader>, 'account' | 'once' | 'reader'>;

/** DigestReads of one moment, which the rules of a sweep share. */
export function readsNow(context: EngineContext): DigestReads {
  return createSweepContext(context)({ everyMs: 0 }, () => true);
}

export async function digestFacts(context: EngineContext, reading: Reading, reads: DigestReads): Promise<DigestFacts> {
  const [own, orders, requests, inForce] = await Promise.all([
    alertsOf(context, reading),
    ordersOf(reading, reads, context.now()),
    requestsOf(context, reading),
    inForceFor(context, reading, reads),
  ]);
  const open = own.filter(({ resolvedAt }) => resolvedAt === null).toSorted(mostUrgentFirst);
  const over = own.filter(({ resolvedAt }) => resolvedAt !== null);
  const alerted = new Set(open.map(({ finding }) => finding.target.id));
  const others = (lines: readonly OrderLine[]) => lines.flatMap(({ id, words }) => (alerted.has(id) ? [] : [words]));
  const first = (alerts: readonly Alert[]) =>
    Promise.all(alerts.slice(0, mostSectionLines).map((alert) => lineOfAlert(context, alert)));
  const stopped = others(orders.stopped);
  return {
    sections: [
      {
        name: 'Trouble',
        lines: [...(await first(open)), ...stopped],
        total: open.length + stopped.length,
        all: open.length > 0 ? 'alerts list' : 'orders',
      },
      ...requests.slice(0, 2),
      section('Freezes', inForce.freezes, 'freeze list'),
      section('Pins', inForce.pins, 'pins'),
      { name: 'Over', lines: await first(over), total: over.length, all: 'audit' },
      ...requests.slice(2),
      section('Orders', [...orders.runway, ...others(orders.ending)], `orders expiring ${digestWithinDays}d`),
    ],
    missing: orders.missing,
  };
}

function section(name: string, lines: readonly Text[], all: string): DigestSection {
  return { name, lines, total: lines.length, all };
}

/** The open alerts, and the incidents that ended since. */
async function alertsOf({ store, alerts }: EngineContext, { channel, reader, since }: Reading) {
  return (await store.alerts.openSince(since, mostRead))
    .filter((alert) => alert.channel === channel && alert.finding.isNews !== true)
    .filter((alert) => maySeeAlert(alert, alerts.rules, reader));
}

/** `🔴 db-1 is off · 2 h · @reader is on it`, `✅ db-1 is on again · 17 min · @reader` */
async function lineOfAlert(context: EngineContext, alert: Alert): Promise<Text> {
  const { severity, finding, state, byUser, resolvedAt, endText } = alert;
  const name = byUser === null ? undefined : oneLine(await personName(context, byUser), mostName);
  const lastedFor = sayMinutes((resolvedAt ?? context.now()) - beginOf(alert));
  if (resolvedAt !== null)
    return [
      `${endSign(state)} ${oneLine(endText ?? finding.title)} · ${lastedFor}`,
      name === undefined ? '' : ` · ${name}`,
    ];
  const who =
    state === 'open' || name === undefined
      ? 'nobody is on it'
      : `${name} ${state === 'snoozed' ? 'snoozed it' : 'is on it'}`;
  return `${severitySigns[severity]} ${oneLine(finding.title)} · ${lastedFor} · ${who}`;
}

/** The freezes and the pins of what the reader may read. */
async function inForceFor(context: EngineContext, { channel, reader }: Reading, reads: DigestReads) {
  const { store, now } = context;
  const seen = async () => {
    const { orders, domains } = await reads.account();
    return [...orders.map(orderTarget), ...domains.map(domainTarget)].filter((target) => reader.may('read', target));
  };
  const [freezes, pinOf, targets] = await Promise.all([
    store.freezes.active(now()),
    pinsOfAll(context),
    answered(seen()),
  ]);
  const isShown = (scope: string) =>
    [accountTarget, tagTarget(scope.slice('tag:'.length))].some((target) => reader.may('read', target));
  return {
    freezes: freezes
      .filter(({ scope }) => scope === 'all' || scope === `channel:${channel}` || isShown(scope))
      .map(({ scope, until, reason }): Text => {
        const what = scope === 'all' ? 'everything' : scope.startsWith('channel:') ? 'this channel' : scope;
        const end: Text = until === null ? '' : [' until ', { date: until, style: 'full' }];
        return text(what, end, ` · ${oneLine(reason, mostName)}`);
      }),
    pins: (targets === 'unread' ? [] : targets).flatMap((target) => {
      const pin = pinOf(target);
      return pin === undefined
        ? []
        : [`${signs.pinned} ${oneLine(target.name, mostName)}: ${oneLine(pin.why, mostName)}`];
    }),
  };
}

const stoppedStates: ReadonlySet<string> = new Set(['expired', 'disabled', 'blocked']);

interface OrderLine {
  readonly id: string;
  readonly words: Text;
}

interface OrdersRead {
  /** `db-1 is blocked`, in the words of the alert. */
  readonly stopped: readonly OrderLine[];
  /** The orders that are canceled or not renewed. */
  readonly ending: readonly OrderLine[];
  /** How long the balance lasts; empty if it is unknown, or not for this reader. */
  readonly runway: readonly Text[];
  readonly missing: readonly string[];
}

async function ordersOf({ reader: { may } }: Reading, reads: DigestReads, now: number): Promise<OrdersRead> {
  const { account, once, reader } = reads;
  const [read, balance] = await Promise.all([
    answered(Promise.all([account(), once('marked', () => reader.orders.list({ cancel_mark: true }))])),
    may('billing', accountTarget) ? answered(once('balance', () => reader.account.balance())) : undefined,
  ]);
  if (read === 'unread') return { stopped: [], ending: [], runway: [], missing: [unread] };
  const [{ orders }, items] = read;
  const renewed = new Set(renewing(orders, new Set(items.map(({ id }) => id))));
  const readable = orders.filter((order) => may('read', orderTarget(order)));
  const lineOf = ({ id, label }: Order, words: string): OrderLine => ({ id, words: `${oneLine(label)} ${words}` });
  return {
    stopped: readable
      .filter(({ status }) => stoppedStates.has(status))
      .map((order) => ({ id: order.id, words: `${signs.bad} ${order.label} is ${order.status}` })),
    ending: readable
      .filter((order) => !renewed.has(order) && !stoppedStates.has(order.status))
      .flatMap((order) => {
        const days = daysUntil(order.expires, now);
        return days === undefined || days > digestWithinDays ? [] : [{ order, days: Math.max(0, days) }];
      })
      .toSorted((a, b) => a.days - b.days)
      .map(({ order, days }) => lineOf(order, days === 0 ? 'ends today' : `ends in ${count(days, 'day')}`)),
    runway: typeof balance === 'object' ? [sayRunway(coverageOf(balance.balance, [...renewed], now))] : [],
    missing: balance === 'unread' ? ['The provider does not give the balance.'] : [],
  };
}

function sayRunway({ days, withoutCost }: Coverage): string {
  const words =
    days === undefined ? 'Nothing has to be paid from the balance' : `The balance covers ${count(days, 'day')}`;
  return withoutCost === 0 ? `${words}.` : `${words}, without ${count(withoutCost, 'order')} of unknown cost.`;
}

const unread = 'The provider does not answer, so this lacks the orders and the balance.';

async function answered<T>(read: Promise<T>): Promise<T | 'unread'> {
  return read.catch((error: unknown) => {
    if (error instanceof ProviderError) return 'unread';
    throw error;
  });
}

/** Broken glass, then what is scheduled, waits, and has ended; settings of the channel are no work. */
async function requestsOf(context: EngineContext, reading: Reading): Promise<readonly DigestSection[]> {
  const { channel, reader, user, since } = reading;
  const { store, now } = context;
  const [openRows, endedRows, glass] = await Promise.all([
    store.operations.list({ channel, open: true, limit: mostRead }),
    store.operations.list({ channel, endedSince: since, limit: mostRead }),
    store.glass.openIn(channel),
  ]);
  const glassRow = glass === undefined ? undefined : await store.operations.find(glass);
  const readable = (rows: typeof openRows) =>
    rows
      .map(readOperationLeniently)
      .filter(({ plan, requester }) => requester === user || mayReadRequest(plan, reader));
  const broken = readable(glassRow === undefined ? [] : [glassRow]);
  const others = readable(openRows.filter(({ id }) => id !== glass)).toReversed();
  const isLater = ({ startsAt }: Operation) => startsAt !== null && startsAt > now();
  const later = others.filter((each) => isLater(each) && (each.startsAt ?? 0) < now() + nextShiftMs);
  const open = others.filter((each) => !isLater(each));
  const ended = readable(endedRows.filter(({ id }) => id !== glass))
    .filter(({ startedAt, plan }) => startedAt !== null && plan.targets.some(({ kind }) => kind !== 'channel'))
    .toSorted(byWorth);
  const groups = [
    { name: 'Broken glass', of: broken, line: lineOfEnd, all: 'requests' },
    { name: 'Next 12 hours', of: later, line: lineOfOpen, all: 'scheduled' },
    { name: 'Open requests', of: open, line: lineOfOpen, all: 'requests waiting' },
    { name: 'Requests that ended', of: ended, line: lineOfEnd, all: 'requests ended' },
  ];
  const links = await linksToCards(
    context,
    groups.flatMap(({ of }) => of.slice(0, mostSectionLines).map(({ id }) => id)),
  );
  return Promise.all(
    groups.map(async ({ name, of, line, all }) => ({
      name,
      lines: await Promise.all(of.slice(0, mostSectionLines).map((operation) => line(context, operation, links))),
      total: of.length,
      all,
    })),
  );
}

const badEnds: ReadonlySet<string> = new Set(['failed', 'unknown', 'unverified']);

/** Failures first, then the newest. */
function byWorth(a: Operation, b: Operation): number {
  return Number(badEnds.has(b.state)) - Number(badEnds.has(a.state)) || (b.endedAt ?? 0) - (a.endedAt ?? 0);
}

/** `Restart web-1 · needs 1 approval · @operator` */
async function lineOfOpen(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, requester, startsAt } = operation;
  const words = ` · ${startsAt === null ? `${stateWord(operation)} · ` : ''}${await nameOf(context, requester)}`;
  const begins = startsAt === null ? [] : [' · ', { date: startsAt, style: 'full' } as const];
  return [titleSpan(oneLine(plan.title), links.get(id)), words, ...begins];
}

/** `✅ Restart web-1 · @operator, approved by @lead` */
async function lineOfEnd(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, state, requester } = operation;
  const votes = (await context.store.votes.list(id)).filter(({ userId }) => userId !== requester);
  const decision = await sayDecision(context, operation, votes, 'approved by ');
  const by = decision === '' ? '' : `, ${oneLine(decision)}`;
  const how = state === 'done' ? '' : ` · ${stateWords[state]}`;
  return [
    `${stateSigns[state]} `,
    titleSpan(oneLine(plan.title), links.get(id)),
    `${how} · ${await nameOf(context, requester)}${by}`,
  ];
}

async function nameOf(context: EngineContext, user: string): Promise<string> {
  return oneLine(await personName(context, user), mostName);
}
