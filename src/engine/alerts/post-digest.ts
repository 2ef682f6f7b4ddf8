import { accountTarget, domainTarget, mayKnow, type Order, orderTarget } from '../../core/account/account.ts';
import { coverageOf, renewing } from '../../core/account/coverage.ts';
import { type Alert, endSign, mostUrgentFirst } from '../../core/alert/alert.ts';
import { maySeeAlert, type SweepContext } from '../../core/alert/alert-rule.ts';
import type { Digest } from '../../core/alert/alert-subscription.ts';
import type { DigestFacts, DigestSection } from '../../core/alert/digest-view.ts';
import { digestView, digestWithinDays, mostSectionLines, oneLine } from '../../core/alert/digest-view.ts';
import { isTrouble } from '../../core/plan/operation.ts';
import { sayAsker, stateSign, stateWord, stateWords } from '../../core/plan/say-state.ts';
import { maySeeScope, sayScope } from '../../core/policy/freeze-scope.ts';
import { count, wordSet } from '../../core/text/words.ts';
import { sayHour, typedDay } from '../../core/time/say-hour.ts';
import { lastRun, nextOf } from '../../core/time/weekly.ts';
import { wallClock } from '../../core/time/zone.ts';
import { daysUntil } from '../../core/view/days.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { severitySigns, signs } from '../../core/view/signs.ts';
import { plain, type Text, text, titleSpan } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { type ChannelReader, readerOf } from '../access/allowed-names.ts';
import { protectionsOfAll } from '../access/protections.ts';
import { personName, sayDecision } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { digestLateMs, nextShiftMs } from '../context/time-limits.ts';
import { type CardLinks, linksToCards } from '../operation/card-links.ts';
import { type Operation, readOperationLeniently } from '../operation/read-operation.ts';
import { beginOf, sayMinutes } from './alert-view.ts';
import { mutesIn } from './end-mutes.ts';
import { mayPost } from './publish.ts';

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

type Sweep = SweepContext<Reader>;

/** The facts of a digest, which a channel reads, and of a handover, which one person reads. */
export async function digestFacts(context: EngineContext, reading: Reading, reads: Sweep): Promise<DigestFacts> {
  const { channel, reader, since } = reading;
  const [alerts, orders, requests, inForce] = await Promise.all([
    context.store.alerts.openSince(since, mostRead),
    ordersOf(reading, reads, context.now()),
    requestsOf(context, reading),
    inForceFor(context, reading, reads),
  ]);
  const own = alerts
    .filter((alert) => alert.channel === channel && alert.finding.isNews !== true)
    .filter((alert) => maySeeAlert(alert, context.alertRules, reader));
  const open = own.filter(({ resolvedAt }) => resolvedAt === null).toSorted(mostUrgentFirst);
  const over = own.filter(({ resolvedAt }) => resolvedAt !== null);
  const alerted = new Set(open.map(({ finding }) => finding.target.id));
  const others = (lines: readonly { readonly id: string; readonly words: string }[]) =>
    lines.flatMap(({ id, words }) => (alerted.has(id) ? [] : [words]));
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
      section('Pins', inForce.protections, 'pins'),
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

/** `🔴 db-1 is off · 2 h · @reader is on it`, `✅ db-1 is on again · 17 min · @reader` */
async function lineOfAlert(context: EngineContext, alert: Alert): Promise<Text> {
  const { severity, finding, state, byUser, resolvedAt, endText } = alert;
  const name = byUser === null ? undefined : await nameOf(context, byUser);
  const lastedFor = sayMinutes((resolvedAt ?? context.now()) - beginOf(alert));
  if (resolvedAt !== null)
    return [
      `${endSign(state)} ${oneLine(endText ?? finding.title)} · ${lastedFor}`,
      name === undefined ? '' : ` · ${name}`,
    ];
  const does = state === 'snoozed' ? 'snoozed it' : 'is on it';
  const who = state === 'open' || name === undefined ? 'nobody is on it' : `${name} ${does}`;
  return `${severitySigns[severity]} ${oneLine(finding.title)} · ${lastedFor} · ${who}`;
}

/** The freezes and the protections of the targets that the reader may read. */
async function inForceFor(context: EngineContext, { channel, reader }: Reading, reads: Sweep) {
  const { store, now } = context;
  const seen = async () => {
    const { orders, domains } = await reads.account();
    return [...orders.map(orderTarget), ...domains.map(domainTarget)].filter((target) => reader.may('read', target));
  };
  const [freezes, mutes, protectionOf, targets] = await Promise.all([
    store.freezes.active(now()),
    mutesIn(context, channel),
    protectionsOfAll(context),
    ifReadable(seen()),
  ]);
  const shown = freezes.filter(({ scope }) => maySeeScope(scope, { channel, may: reader.may }));
  return {
    freezes: [...shown, ...mutes].map(({ scope, until, reason, mutedIn }): Text => {
      const what = `${sayScope(scope, context.accountReader.peek())}${mutedIn === null ? '' : ' muted'}`;
      const end: Text = until === null ? '' : [' until ', { date: until, style: 'full' }];
      return text(what, end, reason === '' ? '' : ` · ${oneLine(reason, mostName)}`);
    }),
    protections: (targets ?? []).flatMap((target) => {
      const protection = protectionOf(target);
      return protection === undefined
        ? []
        : [`${signs.protected} ${oneLine(target.name, mostName)}: ${oneLine(protection.why, mostName)}`];
    }),
  };
}

const stoppedStates = wordSet('expired disabled blocked');

/**
 * `stopped`: orders in the words of their alerts. `ending`: orders that are canceled or not renewed. `runway`: how long
 * the balance lasts; empty if it is unknown, or not for this reader. `missing`: what could not be read.
 */
async function ordersOf({ reader: { may } }: Reading, reads: Sweep, now: number) {
  const { account, once, reader } = reads;
  const mayBill = may('billing', accountTarget);
  const [read, balance] = await Promise.all([
    ifReadable(Promise.all([account(), once('marked', () => reader.orders.list({ cancel_mark: true }))])),
    mayBill ? ifReadable(once('balance', () => reader.account.balance())) : undefined,
  ]);
  if (read === undefined) return { stopped: [], ending: [], runway: [], missing: [unread] };
  const [{ orders }, items] = read;
  const renewed = new Set(renewing(orders, new Set(items.map(({ id }) => id))));
  const readable = orders.filter((order) => may('read', orderTarget(order)));
  return {
    stopped: readable
      .filter(({ status }) => stoppedStates.has(status))
      .map(({ id, label, status }) => ({ id, words: `${signs.bad} ${label} is ${status}` })),
    ending: readable
      .filter((order) => !renewed.has(order) && !stoppedStates.has(order.status))
      .flatMap(({ id, label, expires }) => {
        const days = Math.max(0, daysUntil(expires, now) ?? Number.POSITIVE_INFINITY);
        const end = days === 0 ? 'today' : `in ${count(days, 'day')}`;
        return days > digestWithinDays ? [] : [{ id, days, words: `${oneLine(label)} ends ${end}` }];
      })
      .toSorted((a, b) => a.days - b.days),
    runway: balance !== undefined ? [sayRunway(balance.balance, [...renewed], now)] : [],
    missing: mayBill && balance === undefined ? ['The provider does not give the balance.'] : [],
  };
}

function sayRunway(balance: number, renewed: readonly Order[], now: number): string {
  const { days, withoutCost } = coverageOf(balance, renewed, now);
  const words =
    days === undefined ? 'Nothing has to be paid from the balance' : `The balance covers ${count(days, 'day')}`;
  return withoutCost === 0 ? `${words}.` : `${words}, without ${count(withoutCost, 'order')} of unknown cost.`;
}

const unread = 'The provider does not answer, so this lacks the orders and the balance.';

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
    rows.map(readOperationLeniently).filter(({ plan, requester }) => mayKnow({ ...plan, requester }, user, reader));
  const broken = readable(glassRow === undefined ? [] : [glassRow]);
  const others = readable(openRows.filter(({ id }) => id !== glass)).toReversed();
  const isLater = ({ startsAt }: Operation) => startsAt !== null && startsAt > now();
  const later = others.filter((each) => isLater(each) && (each.startsAt ?? 0) < now() + nextShiftMs);
  const open = others.filter((each) => !isLater(each));
  const ended = readable(endedRows.filter(({ id }) => id !== glass))
    .filter(({ startedAt, plan }) => startedAt !== null && plan.targets.some(({ kind }) => kind !== 'channel'))
    // Failures first, then the newest.
    .toSorted((a, b) => Number(isTrouble(b.state)) - Number(isTrouble(a.state)) || (b.endedAt ?? 0) - (a.endedAt ?? 0));
  const groups = [
    { name: 'Broken glass', of: broken, line: lineOfEnd, all: 'requests' },
    { name: 'Next 12 hours', of: later, line: lineOfOpen, all: 'scheduled' },
    { name: 'Open requests', of: open, line: lineOfOpen, all: 'requests waiting' },
    { name: 'Requests that ended', of: ended, line: lineOfEnd, all: 'requests ended' },
  ];
  const shown = groups.flatMap(({ of }) => of.slice(0, mostSectionLines).map(({ id }) => id));
  const links = await linksToCards(context, shown);
  return Promise.all(
    groups.map(async ({ name, of, line, all }) => ({
      name,
      lines: await Promise.all(of.slice(0, mostSectionLines).map((operation) => line(context, operation, links))),
      total: of.length,
      all,
    })),
  );
}

/** `Restart web-1 · needs 1 approval · @operator` */
async function lineOfOpen(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, startsAt } = operation;
  const words = ` · ${startsAt === null ? `${stateWord(operation)} · ` : ''}${await askerOf(context, operation)}`;
  const begins = startsAt === null ? [] : [' · ', { date: startsAt, style: 'full' } as const];
  return [titleSpan(oneLine(plan.title), links.get(id)), words, ...begins];
}

async function askerOf(context: EngineContext, operation: Operation): Promise<string> {
  return plain(sayAsker(operation, await nameOf(context, operation.requester)));
}

/** `✅ Restart web-1 · @operator, approved by @lead` */
async function lineOfEnd(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, state, requester } = operation;
  const votes = (await context.store.votes.list(id)).filter(({ userId }) => userId !== requester);
  const decision = await sayDecision(context, operation, votes, 'approved by ');
  const by = decision === '' ? '' : `, ${oneLine(decision)}`;
  const how = state === 'done' ? '' : ` · ${stateWords[state]}`;
  return [
    `${stateSign(state)} `,
    titleSpan(oneLine(plan.title), links.get(id)),
    `${how} · ${await askerOf(context, operation)}${by}`,
  ];
}

async function nameOf(context: EngineContext, user: string): Promise<string> {
  return oneLine(await personName(context, user), mostName);
}

/** Posts the digest of a channel if its hour has passed, unless a message has its key. */
export async function postDigest(context: EngineContext, channel: string, digest: Digest, reads: Sweep): Promise<void> {
  const { store, now, outbox } = context;
  const due = lastRun(digest, now(), digestLateMs);
  if (due === undefined) return;
  const key = keyOf(channel, digest, due.at);
  if ((await store.messages.find(key)) !== undefined || !(await mayPost(context, channel))) return;
  const reader = await readerOf(context, channel);
  const facts = await digestFacts(context, { channel, reader, since: due.since }, reads);
  const title = `Digest since ${sayHour(due.since, digest.timeZone)}`;
  await outbox.put({ key, channel, view: digestView(title, facts) });
}

/** One message for each day: neither another replica nor a digest that is set again posts a second one. */
function keyOf(channel: string, { timeZone }: Digest, at: number): string {
  return `digest:${channel}:${typedDay(wallClock(at, timeZone))}`;
}

/** The next hour at which a digest is posted: at most one on each day. */
export async function nextDigest({ store, now }: EngineContext, channel: string, digest: Digest): Promise<number> {
  const at = nextOf(digest, Math.floor(now()));
  const isPosted = (await store.messages.find(keyOf(channel, digest, at))) !== undefined;
  return isPosted ? nextOf(digest, at) : at;
}
