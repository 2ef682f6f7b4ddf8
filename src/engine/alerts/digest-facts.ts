import { accountTarget, mayReadRequest, orderTarget, type ReaderAt, type Target } from '../../core/account/account.ts';
import { coverageOf, renewing } from '../../core/account/coverage.ts';
import { maySeeAlert, type SweepContext } from '../../core/alert/alert.ts';
import {
  type DigestFacts,
  digestWithinDays,
  type FirstLines,
  inDays,
  mostDigestLines,
  oneLine,
} from '../../core/alert/digest.ts';
import { stateSigns, stateWord, stateWords } from '../../core/plan/say-state.ts';
import type { Capability } from '../../core/policy/policy.ts';
import { list } from '../../core/text/words.ts';
import { daysUntil, sayDay } from '../../core/view/days.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { severitySigns } from '../../core/view/severity.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { sayDecision } from '../access/say-decision.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type CardLinks, linksToCards, titleSpan } from '../operation/card-links.ts';
import { type Operation, readOperationLeniently } from '../operation/record.ts';
import { type Alert, mostUrgentFirst, readAlert } from './records.ts';
import { createSweepContext } from './rule-context.ts';

/** The facts of a digest, which a channel reads, and of a handover, which one person reads. */

/** More than a channel has open, or ends between two digests. */
const mostRead = 1_000;
const mostName = 40;

export interface DigestReader extends ReaderAt {
  readonly may: (capability: Capability, target: Target) => boolean;
}

interface Reading {
  readonly channel: string;
  readonly reader: DigestReader;
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
  const [alerts, orders, requests] = await Promise.all([
    openAlerts(context, reading),
    ordersOf(reading, reads, context.now()),
    requestsOf(context, reading),
  ]);
  const alerted = new Set(alerts.map(({ finding }) => finding.title));
  const stopped = orders.stopped.filter((title) => !alerted.has(title));
  const lines = await Promise.all(alerts.slice(0, mostDigestLines).map((alert) => lineOfAlert(context, alert)));
  return {
    trouble: {
      lines: [...lines, ...stopped.slice(0, mostDigestLines).map((title) => `${signs.bad} ${oneLine(title)}`)],
      total: alerts.length + stopped.length,
    },
    ...orders.facts,
    ...requests,
  };
}

async function openAlerts({ store, alerts }: EngineContext, { channel, reader }: Reading): Promise<readonly Alert[]> {
  return (await store.alerts.listOpen({ channel, limit: mostRead }))
    .map(readAlert)
    .filter((alert) => alert.finding.isNews !== true && maySeeAlert(alert, alerts.rules, reader))
    .toSorted(mostUrgentFirst);
}

/** `🔴 db-1 is off · @reader is on it` */
async function lineOfAlert(context: EngineContext, { severity, finding, state, byUser }: Alert): Promise<Text> {
  const words = `${severitySigns[severity]} ${oneLine(finding.title)}`;
  if (state === 'open' || byUser === null) return words;
  const name = oneLine(await personName(context, byUser), mostName);
  return `${words} · ${state === 'acknowledged' ? `${name} is on it` : `${state} by ${name}`}`;
}

const stoppedStates: ReadonlySet<string> = new Set(['expired', 'disabled', 'blocked']);
const noLines: FirstLines = { lines: [], total: 0 };

interface OrdersRead {
  /** `db-1 is blocked`, in the words of the alert. */
  readonly stopped: readonly string[];
  readonly facts: Pick<DigestFacts, 'due' | 'ending' | 'missing' | 'runway'>;
}

async function ordersOf({ reader: { may } }: Reading, reads: DigestReads, now: number): Promise<OrdersRead> {
  const { account, once, reader } = reads;
  const [read, balance] = await Promise.all([
    answered(Promise.all([account(), once('marked', () => reader.orders.list({ cancel_mark: true }))])),
    may('billing', accountTarget) ? answered(once('balance', () => reader.account.balance())) : undefined,
  ]);
  if (read === 'unread')
    return { stopped: [], facts: { due: undefined, ending: noLines, missing: [unread], runway: undefined } };
  const [{ orders }, items] = read;
  const marked = new Set(items.map(({ id }) => id));
  const readable = orders.filter((order) => may('read', orderTarget(order)));
  const soon = readable
    .flatMap((order) => {
      const days = daysUntil(order.expires, now);
      return days === undefined || days > digestWithinDays ? [] : [{ order, days: Math.max(0, days) }];
    })
    .toSorted((a, b) => a.days - b.days);
  const renewed = new Set(renewing(orders, marked));
  const ending = soon.filter(({ order }) => !renewed.has(order) && !stoppedStates.has(order.status));
  const due = soon.filter(({ order }) => renewed.has(order));
  const [next] = due;
  return {
    stopped: readable
      .filter(({ status }) => stoppedStates.has(status))
      .map(({ label, status }) => `${label} is ${status}`),
    facts: {
      ending: {
        total: ending.length,
        lines: ending
          .slice(0, mostDigestLines)
          .map(({ order, days }) => text(`${oneLine(order.label)} · ${inDays(days)} · `, sayDay(order.expires))),
      },
      due: next && { total: due.length, name: oneLine(next.order.label), days: next.days },
      runway: typeof balance === 'object' ? coverageOf(balance.balance, [...renewed], now) : undefined,
      missing: balance === 'unread' ? ['The provider does not give the balance.'] : [],
    },
  };
}

const unread = 'The provider does not answer, so this lacks the orders and the balance.';

async function answered<T>(read: Promise<T>): Promise<T | 'unread'> {
  return read.catch((error: unknown) => {
    if (error instanceof ProviderError) return 'unread';
    throw error;
  });
}

async function requestsOf(
  context: EngineContext,
  { channel, reader, user, since }: Reading,
): Promise<Pick<DigestFacts, 'ended' | 'open'>> {
  const { store } = context;
  const [openRows, endedRows] = await Promise.all([
    store.operations.list({ channel, open: true, limit: mostRead }),
    store.operations.list({ channel, endedSince: since, limit: mostRead }),
  ]);
  const readable = (rows: typeof openRows) =>
    rows
      .map(readOperationLeniently)
      .filter(({ plan, requester }) => requester === user || mayReadRequest(plan, reader));
  const open = readable(openRows).toReversed();
  const ended = readable(endedRows).toSorted(byWorth);
  const begun = ended.filter(({ startedAt }) => startedAt !== null);
  const notBegun = [
    ...Map.groupBy(
      ended.filter(({ startedAt }) => startedAt === null),
      ({ state }) => state,
    ),
  ];
  const counts = notBegun.map(([state, those]) => `${those.length} ${stateWords[state]}`);
  const [shownOpen, shownEnds] = [open.slice(0, mostDigestLines), begun.slice(0, mostDigestLines)];
  // Copied text has no links.
  const links =
    user === undefined
      ? await linksToCards(
          context,
          [...shownOpen, ...shownEnds].map(({ id }) => id),
        )
      : none;
  const ends = await Promise.all(shownEnds.map((operation) => lineOfEnd(context, operation, links)));
  return {
    open: {
      total: open.length,
      lines: await Promise.all(shownOpen.map((operation) => lineOfOpen(context, operation, links))),
    },
    ended: {
      total: begun.length + Math.min(1, counts.length),
      lines: [...(counts.length === 0 ? [] : [`Without a run: ${list(counts)}`]), ...ends],
    },
  };
}

const none: CardLinks = new Map();
const badEnds: ReadonlySet<string> = new Set(['failed', 'unknown', 'unverified']);

/** Failures first, then the newest. */
function byWorth(a: Operation, b: Operation): number {
  return Number(badEnds.has(b.state)) - Number(badEnds.has(a.state)) || (b.endedAt ?? 0) - (a.endedAt ?? 0);
}

/** `Restart web-1 · needs 1 approval · @operator` */
async function lineOfOpen(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, requester, startsAt } = operation;
  const words = ` · ${stateWord(operation)} · ${await nameOf(context, requester)}`;
  const begins = startsAt === null ? [] : [' · begins ', { date: startsAt, style: 'full' } as const];
  return [titleSpan(oneLine(plan.title), links.get(id)), words, ...begins];
}

/** `✅ Restart web-1 · done · @operator, approved by @lead` */
async function lineOfEnd(context: EngineContext, operation: Operation, links: CardLinks): Promise<Text> {
  const { id, plan, state, requester, endedAt } = operation;
  const votes = (await context.store.votes.list(id)).filter(({ userId }) => userId !== requester);
  const decision = await sayDecision(context, operation, votes, 'approved by ');
  const by = decision === '' ? '' : `, ${oneLine(decision)}`;
  return [
    `${stateSigns[state]} `,
    titleSpan(oneLine(plan.title), links.get(id)),
    ` · ${stateWords[state]} · ${await nameOf(context, requester)}${by} · `,
    { date: endedAt ?? 0, style: 'full' },
  ];
}

async function nameOf(context: EngineContext, user: string): Promise<string> {
  return oneLine(await personName(context, user), mostName);
}
