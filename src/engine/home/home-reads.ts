import { mayKnow, type Order, targetKey } from '../../core/account/account.ts';
import type { Power } from '../../core/account/trouble.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import { createMemory } from '../../core/async/memory.ts';
import { within } from '../../core/async/within.ts';
import { hour, minute } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { protectionsToShow } from '../access/protections.ts';
import type { Access } from '../context/access-port.ts';
import type { BalanceRead, EngineContext, PowerRead } from '../context/engine-context.ts';
import type { Operation } from '../operation/read-operation.ts';
import { byHour, mostRead } from '../operation/waiting-for.ts';

const powerGoodForMs = 15_000;
const mostReads = 40;
const atOnce = 6;
/** Keeps the update of Home within two seconds, even if the provider is slow. */
const waitMs = 1_000;

/** The power of servers for Home, cached for seconds and shared by all Homes. */
function createPowers(getContext: () => EngineContext) {
  /** `at`: the time on the monotonic clock, for the age; `readAt` is for people. */
  const cached = new Map<string, PowerRead & { readonly at: number }>();
  /** Servers whose last read failed: Home does not show their earlier power. */
  const unread = new Set<string>();
  const reading = new Map<string, Promise<void>>();

  function readOne(id: string): Promise<void> {
    const underWay = reading.get(id);
    if (underWay !== undefined) return underWay;
    const { reader, elapsed, log, now } = getContext();
    const readAt = now();
    const read = reader.vps
      .status({ order_id: id })
      .then(({ status }) => {
        cached.set(id, { power: status, at: elapsed(), readAt });
        unread.delete(id);
      })
      .catch((error) => {
        if (!(error instanceof ProviderError))
          log.warn({ err: error }, 'could not read the power of a server for Home');
        unread.add(id);
      })
      .finally(() => reading.delete(id));
    reading.set(id, read);
    return read;
  }

  return {
    /** The returned function yields undefined for a server whose power was not read in time. */
    read: async (servers: readonly Order[]): Promise<(server: Order) => Power | undefined> => {
      const now = getContext().elapsed();
      const due = servers.filter(
        ({ id }) => unread.has(id) || now - (cached.get(id)?.at ?? Number.NEGATIVE_INFINITY) > powerGoodForMs,
      );
      const reads = eachAtMost(atOnce, due.slice(0, mostReads), ({ id }) => readOne(id));
      await within(reads, waitMs);
      return ({ id }) => (unread.has(id) ? undefined : cached.get(id)?.power);
    },
    /** The last power with its time; undefined if a request has ended since. */
    last: (id: string): PowerRead | undefined => cached.get(id),
    /** Drops all powers after the end of a request, which may have changed them. */
    forget: () => {
      cached.clear();
      unread.clear();
    },
  };
}

/** The balance on Home, read at most once a minute for all Homes. */
function createKnownBalance(getContext: () => EngineContext) {
  const reads = createMemory<BalanceRead | undefined>({ lifeMs: minute, now: () => getContext().elapsed() });
  let last: BalanceRead | undefined;
  let forgotten = 0;

  async function readNow(): Promise<BalanceRead | undefined> {
    const { reader, log, now } = getContext();
    const [readAt, before] = [now(), forgotten];
    try {
      const [balance, marked] = await Promise.all([
        reader.account.balance(),
        reader.orders.list({ cancel_mark: true }),
      ]);
      const read: BalanceRead = { balance, marked, readAt };
      // A request that ended during the read may have changed the balance.
      if (forgotten === before) last = read;
      return read;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ err: error }, 'could not read the balance for Home');
      return undefined;
    }
  }

  return {
    /** Undefined if the provider does not return it. */
    read: () => reads.get('balance', readNow),
    /** The last balance; undefined if a request has ended since it was read. */
    last: () => last,
    /** Drops the balance after the end of a request, which may have been billed. */
    forget: () => {
      reads.clear();
      last = undefined;
      forgotten += 1;
    },
  };
}

export function createHomeReads(getContext: () => EngineContext) {
  return { powers: createPowers(getContext), balance: createKnownBalance(getContext) };
}

export type HomeReads = ReturnType<typeof createHomeReads>;

/** The open alerts of the channel that this person may see: those about money need another right. */
export async function openAlertsSeen(context: EngineContext, channel: string, access: Access, limit: number) {
  const open = await context.store.alerts.listOpen({ channel, limit });
  return open.filter((alert) => maySeeAlert(alert, context.alertRules, access));
}

const nextShown = 3;

/** The next requests with an hour: the person's own, and those of the channels that the person may read. */
export async function nextHours(context: EngineContext, user: string, accesses: ReadonlyMap<string, Access>) {
  const requests = await byHour(context, { channels: [...accesses.keys()], requester: user, limit: mostRead });
  return requests.filter((operation) => mayReadOn(operation, user, accesses)).slice(0, nextShown);
}

/** The same people may read a request here as in `/host requests`. */
export function mayReadOn(
  { requester, channel, plan }: Operation,
  user: string,
  accesses: ReadonlyMap<string, Access>,
): boolean {
  return mayKnow({ ...plan, requester }, user, accesses.get(channel));
}

/** `📌 pinned` for the requests that are open and about a protected target; empty for any other. */
export async function protectionMarks(context: EngineContext, requests: readonly Operation[]) {
  const targets = requests.flatMap(({ plan }) => plan.targets);
  const protections = await protectionsToShow(context, targets);
  const protectedTargets = new Set(protections.map(({ key }) => key));
  return ({ plan, endedAt }: Operation) =>
    endedAt === null && plan.targets.some((target) => protectedTargets.has(targetKey(target)))
      ? `${signs.protected} pinned`
      : '';
}

/** A response without a currency is better than a late one. */
const answerWithinMs = 2_000;

/**
 * The currency of the account, which the provider returns only with the balance. It rarely changes, so it is read once
 * an hour, and once a minute while unknown.
 */
export function createKnownCurrency({ reader, log, elapsed }: Pick<EngineContext, 'elapsed' | 'log' | 'reader'>) {
  const reads = createMemory<void>({ lifeMs: hour, now: elapsed });
  let currency: string | undefined;

  async function readNow(): Promise<void> {
    try {
      currency = (await reader.account.balance()).currency;
    } catch (error) {
      log.warn({ err: error }, 'could not read the currency of the account');
    }
  }

  return async () => {
    const reading = reads.get('currency', readNow, currency === undefined ? minute : hour);
    if (currency === undefined) await within(reading, answerWithinMs);
    return currency;
  };
}
