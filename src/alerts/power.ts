import { type Account, identityOf, type Order, orderTarget } from '../core/account.ts';
import type { AlertObservation, Drift, Finding, OurStep } from '../core/alert.ts';
import { ProviderError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { eachAtMost } from '../core/limit.ts';
import { namesLeadingTo } from '../core/names-leading-to.ts';
import { day, firstFew, minute } from '../core/words.ts';
import { defineAlert } from './define.ts';
import { aboutOrder, sampleOrder } from './words.ts';

const withinMs = 5 * minute;
const atOnce = 4;

interface Facts {
  readonly drifts: readonly Drift[];
  readonly servers: ReadonlyMap<string, Order>;
  /** As read in this sweep. */
  readonly powers: ReadonlyMap<string, string>;
  readonly account: Account;
  /** The last change of power that was done through the bot, by the id of the server: `restarted by @ops`. */
  readonly done: ReadonlyMap<string, string>;
}

const doneWords: Readonly<Record<string, string>> = { start: 'started', restart: 'restarted', hard_reset: 'reset' };

export const power = defineAlert<Facts>({
  name: 'power',
  title: 'A server was turned on or off by somebody else',
  many: (n) => `${n} servers were turned on or off by somebody else`,
  reads: 'the power of each server, a few in every sweep, each about every five minutes',
  everyMs: minute,
  fires: 'the power state changed, and the bot did not change it',
  clears: 'the power state is restored, was set by the bot, or has stayed changed for 24 hours',
  offers: 'Start, or Status when it was turned on',
  capability: 'read',
  look: async ({ reader, names, isWatched, pickDue, drift, jobs, now }) => {
    const account = await names();
    const { orders } = account;
    const servers = new Map(
      orders
        .filter((order) => order.kind === 'vps' && isWatched(orderTarget(order)))
        .map((order) => [order.id, order] as const),
    );
    const live = [...servers.values()].filter((order) => order.status === 'active' || order.status === 'noprolong');
    const due = await pickDue(
      'power',
      live.map((order) => order.id),
      withinMs,
    );
    const seen: AlertObservation[] = [];
    const powers = new Map<string, string>();
    const errors: ProviderError[] = [];
    await eachAtMost(atOnce, due, async (id) => {
      const order = servers.get(id);
      if (order === undefined) return;
      try {
        const { status } = await reader.vps.status({ order_id: id });
        // Unknown is neither on nor off: the state that was known stays.
        if (status === 'unknown') return;
        seen.push({ key: id, value: status, target: orderTarget(order) });
        powers.set(id, status);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        errors.push(error);
      }
    });
    // One server that cannot be read is no reason not to hear of the others.
    if (seen.length === 0 && errors[0] !== undefined) throw errors[0];
    const drifts = await drift('power', seen, { ours: powerAfter, usualAfterMs: day });
    const done = (await jobs(now - 2 * withinMs)).flatMap(({ end, action, by, orderId }) =>
      end === 'done' && doneWords[action] !== undefined ? [[orderId, `${doneWords[action]} by ${by}`] as const] : [],
    );
    return { drifts, powers, account, servers: new Map(live.map((order) => [order.id, order])), done: new Map(done) };
  },
  find: ({ drifts, servers, account }) =>
    drifts.flatMap((drift) => {
      const order = servers.get(drift.key);
      return order === undefined ? [] : [found(order, drift, namesLine(order, account))];
    }),
  calm: (cause, { servers, powers, done }) => {
    const [order, power, how] = [servers.get(cause), powers.get(cause), done.get(cause)];
    if (order === undefined || power === undefined) return undefined;
    return `${order.label} is ${power}${power === 'on' && how !== undefined ? ` · ${how}` : ''}`;
  },
  sample: (now) =>
    found(sampleOrder, { key: '', usual: 'on', value: 'off', since: now }, 'example.com and www.example.com lead here'),
});

/** The power that a command leaves; undefined where that is not known, and any power is explained. */
const leaves: Readonly<Record<string, 'on' | 'off' | undefined>> = {
  start: 'on',
  restart: 'on',
  'hard-reset': 'on',
  stop: 'off',
  reinstall: undefined,
  rescue: undefined,
  password: undefined,
  network: undefined,
};

function powerAfter(usual: Json, { command, isSettled }: OurStep, { value }: AlertObservation): Json {
  if (!Object.hasOwn(leaves, command)) return usual;
  return (isSettled ? leaves[command] : undefined) ?? value;
}

/** Names that do not answer while the server is off. */
function namesLine(order: Order, account: Account): string {
  if (account.unread.includes('domains')) return 'Whether a name leads here is unknown: the zones could not be read.';
  const names = namesLeadingTo(order, account.domains);
  return names.length === 0 ? '' : `${firstFew(names, 4)} ${names.length === 1 ? 'leads' : 'lead'} here`;
}

function found(order: Order, { usual, value, since }: Drift, names: string): Finding {
  const isOff = value === 'off';
  return {
    ...aboutOrder(order),
    title: `${order.label} went ${String(value)}`,
    lines: [
      identityOf(order),
      ...(isOff && names !== '' ? [names] : []),
      [`power ${String(usual)} → ${String(value)} · seen `, { date: since, style: 'full' }, ' · not requested here'],
    ],
    severity: isOff ? 'critical' : 'warning',
    level: 0,
    offers: [
      isOff ? { label: 'Start', line: `start ${order.id}` } : { label: 'Status', line: `status ${order.id}` },
      { label: 'Stats', line: `stats ${order.id}` },
    ],
  };
}
