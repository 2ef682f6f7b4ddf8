import { type Account, accountTarget, type Order, orderTarget, type Target } from '../core/account/account.ts';
import { isInUse } from '../core/account/trouble.ts';
import type { AlertEnd, Finding, ObservedKind } from '../core/alert/alert.ts';
import type { AlertDefinition, AlertObservation, AlertRule, OurStep, SweepContext } from '../core/alert/alert-rule.ts';
import { eachAtMost } from '../core/async/each-at-most.ts';
import { hashOf, type Json } from '../core/text/json.ts';
import { count } from '../core/text/words.ts';
import { ProviderError, readOr } from '../core/view/errors.ts';
import type { Reader } from '../provider/client.ts';

type Written<F> = Omit<AlertDefinition<F, Reader>, 'capability'> & Partial<Pick<AlertRule<Reader>, 'capability'>>;

/**
 * Defines an alert rule, which only reads, and is for all who may read what it is about unless it says otherwise. Hides
 * the type of its facts, so that one list holds all rules.
 */
export function defineAlert<F>(definition: Written<F>): AlertRule<Reader> {
  const { read, find, calm, ...common } = definition;
  return {
    capability: 'read',
    ...common,
    read: async (context) => {
      const facts = await read(context);
      if (facts === undefined) return undefined;
      return { find: (at) => find(facts, at, context.now), calm: (open) => calm(open.cause, facts, open, context.now) };
    },
  };
}

export type Gravity = Pick<Finding, 'level' | 'severity'>;

export const warning: Gravity = { level: 0, severity: 'warning' };
export const critical: Gravity = { level: 0, severity: 'critical' };

/** The index of the worst threshold that is reached; undefined if none is. The last of several is critical. */
export function gravityOf(at: readonly number[], isReached: (threshold: number) => boolean): Gravity | undefined {
  const level = at.findLastIndex(isReached);
  const isWorst = at.length > 1 && level === at.length - 1;
  return level < 0 ? undefined : { level, severity: isWorst ? 'critical' : 'warning' };
}

/** The servers in use that a channel watches. */
export function watchedServers({ orders }: Account, isWatched: (target: Target) => boolean): Order[] {
  return orders.filter((order) => order.kind === 'vps' && isInUse(order) && isWatched(orderTarget(order)));
}

/** Whole days only, since the provider's dates are not more exact. */
export function inDays(days: number | undefined): string {
  if (days === undefined) return 'on a day that cannot be read';
  if (days < 0) return `${count(-days, 'day')} ago`;
  return days === 0 ? 'within a day' : `in ${count(days, 'day')}`;
}

/** The common part of findings about one order. A hard reset is offered after a request of `command` that failed. */
export function aboutOrder(order: Order, command?: string): Pick<Finding, 'afterFailed' | 'cause' | 'target'> {
  const about = { cause: order.id, target: orderTarget(order) };
  if (command === undefined) return about;
  const line = `hard-reset ${order.id}`;
  return { ...about, afterFailed: { command, capability: 'operate', label: 'Hard reset…', line } };
}

/** The common part of findings about the provider's API, which tickets need as well. */
export const aboutApi = {
  ...critical,
  target: accountTarget,
  offers: [{ label: 'Check', line: 'status' }],
  isNotForSupport: true,
} as const;

/** The end of an alert about an order or domain that no longer exists; undefined if it exists or cannot be read. */
export function leftAccount({ orders, domains, unreadable }: Account, { kind, id, name }: Target) {
  const order = orders.find((order) => order.id === id);
  if (order?.status === 'canceled') return { over: `${order.label} was canceled` };
  const isThere = order !== undefined || (kind === 'domain' && domains.some((domain) => domain.name === id));
  if (isThere || unreadable.some((odd) => odd.kind === kind && odd.id === id)) return undefined;
  return { over: `${name} is no longer in the account` };
}

export function readBalance({ once, reader }: SweepContext<Reader>) {
  return once('balance', () => reader.account.balance());
}

/** The orders marked for cancellation. Uses the provider's own filter, since items of its lists may lack the mark. */
export function readMarked({ once, reader }: SweepContext<Reader>) {
  return once('marked', () => reader.orders.list({ cancel_mark: true }));
}

/** The result of a read, or the error if the provider gave none. */
export function orError<T>(reading: Promise<T>): Promise<T | ProviderError> {
  return readOr(reading, undefined, (error) => error);
}

/** Maximum number of orders that a rule reads at the same time. */
const atOnce = 4;

/** Reads the orders that are due in this sweep. An order of which `read` says nothing is not observed. */
export async function readDue(
  { pickDue }: SweepContext<Reader>,
  orders: readonly Order[],
  { kind, withinMs }: { readonly kind: ObservedKind; readonly withinMs: number },
  read: (order: Order) => Promise<Json | undefined>,
): Promise<readonly AlertObservation[]> {
  const ids = orders.map(({ id }) => id);
  const due = await pickDue(kind, ids, withinMs);
  const byId = new Map(orders.map((order) => [order.id, order]));
  const seen: AlertObservation[] = [];
  const errors: ProviderError[] = [];
  await eachAtMost(atOnce, due, async (id) => {
    const order = byId.get(id);
    const value = order && (await orError(read(order)));
    if (value instanceof ProviderError) errors.push(value);
    else if (order !== undefined && value !== undefined) seen.push({ key: id, value, target: orderTarget(order) });
  });
  // One unreadable order must not hide the others.
  if (errors[0] !== undefined && errors.length === due.length) throw errors[0];
  return seen;
}

/** The facts of a rule about values that somebody may have changed. */
interface ChangedValues {
  readonly account: Account;
  /** All values that differ from the usual ones. */
  readonly drifts: readonly Pick<AlertObservation, 'key'>[];
  /** The values that were read in this sweep. */
  readonly seen: readonly AlertObservation[];
}

/** The expected values after commands of the bot. While a step is under way, either value is possible. */
export function afterSteps(leftBy: Readonly<Record<string, Json>>) {
  return (usual: Json, { command, isSettled }: OurStep, { value }: AlertObservation) => {
    const left = leftBy[command];
    if (left === undefined) return usual;
    if (!isSettled) return value;
    return left === 'as before' ? usual : left;
  };
}

/** The end of an alert about a changed value; `say` is asked if the value was read and no longer differs. */
export function endOfChange(
  { account, drifts, seen }: ChangedValues,
  { cause, target, rightAs }: Finding,
  say: (value: Json, isMeantToBe: boolean) => AlertEnd,
): AlertEnd | undefined {
  const gone = leftAccount(account, target);
  const value = seen.find(({ key }) => key === cause)?.value;
  if (gone !== undefined || value === undefined || drifts.some(({ key }) => key === cause)) return gone;
  return say(value, rightAs?.seen === hashOf(value));
}

/** The common part of findings about the payment or the status of an order. */
export function aboutTerm(order: Order) {
  const line = `${order.kind === 'vps' ? 'status' : 'order'} ${order.id}`;
  return { ...aboutOrder(order), offers: [{ label: 'Order', line }] };
}

export const sampleOrder: Order = {
  kind: 'vps',
  id: '34-12345',
  label: 'web-1',
  name: 'web-1',
  hostname: 'web-1.example.com',
  addresses: ['192.0.2.10'],
  moreAddresses: [],
  type: 'vps',
  plan: 'VPS-2',
  status: 'active',
  costMonth: 12,
  tariffPrice: 12,
  expires: null,
  tags: [],
  project: null,
  isCancelMarked: false,
};
