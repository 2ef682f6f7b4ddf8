import { type Account, identityOf, type Order, orderTarget, targetKey } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import type { Drift, UnfinishedStep } from '../core/alert/alert-rule.ts';
import { namesLeadingTo } from '../core/dns/names-of-servers.ts';
import { hashOf } from '../core/text/json.ts';
import { day, firstFew, hour, minute } from '../core/text/words.ts';
import {
  aboutOrder,
  afterSteps,
  defineAlert,
  endOfChange,
  readDue,
  sampleOrder,
  watchedServers,
} from './define-alert.ts';

const withinMs = 5 * minute;

/** The alert reads the power of a server within an hour after the job that left the server off. */
const readWithinMs = hour;

export const power = defineAlert({
  name: 'power',
  title: 'A server was turned on or off by somebody else',
  many: (n) => `${n} servers were turned on or off by somebody else`,
  everyMs: minute,
  withinMs,
  fires: 'the power state changed, and the bot did not change it',
  clears: 'the power state is restored, a request here that is done set it, or a person says that it is right',
  read: async (context) => {
    const { reader, names, isWatched, drift, unfinished, now } = context;
    const account = await names();
    const live = watchedServers(account, isWatched);
    const seen = await readDue(context, live, { kind: 'power', withinMs }, async ({ id }) => {
      const { status } = await reader.vps.status({ order_id: id });
      // Unknown is neither on nor off, so the last known state stays.
      return status === 'unknown' ? undefined : status;
    });
    const drifts = await drift('power', seen, { ours: afterSteps(powerLeftBy) });
    /** Since when all unfinished steps are known. */
    const knownSince = now - 2 * day;
    return {
      account,
      drifts,
      knownSince,
      seen,
      servers: new Map(live.map((order) => [order.id, order])),
      unfinished: drifts.length === 0 ? [] : await unfinished(knownSince),
    };
  },
  find: ({ drifts, servers, account, knownSince, unfinished }) =>
    drifts.flatMap((drift) => {
      const order = servers.get(drift.key);
      if (order === undefined) return [];
      const isOutside = isFromElsewhere(order, drift.since, knownSince, unfinished);
      return [findingOf(order, drift, namesLine(order, account), isOutside)];
    }),
  calm: (_, facts, open) =>
    endOfChange(facts, open, (power, isMeantToBe) => {
      const { name } = open.target;
      if (isMeantToBe) return { over: `${name} is meant to be ${String(power)}` };
      // Off is what it was before, and no good news.
      return power === 'on' ? `${name} is on again` : { over: `${name} is ${String(power)} again` };
    }),
  sample: (now) =>
    findingOf(
      sampleOrder,
      { key: '', usual: 'on', value: 'off', since: now },
      'example.com and www.example.com point to it',
      true,
    ),
});

/** The power after a done command. */
export const powerLeftBy: Readonly<Record<string, 'on' | 'off' | 'as before'>> = {
  start: 'on',
  restart: 'on',
  'hard-reset': 'on',
  reinstall: 'on',
  rescue: 'on',
  stop: 'off',
  password: 'as before',
  'net connect': 'as before',
  'net disconnect': 'as before',
};

/** The names that do not work while the server is off. */
function namesLine(order: Order, account: Account): string {
  if (account.unread.includes('domains')) return 'Whether a name points to it is unknown: the zones could not be read.';
  const names = [...namesLeadingTo(order, account.domains).keys()];
  return names.length === 0 ? '' : `${firstFew(names, 4)} ${names.length === 1 ? 'points' : 'point'} to it`;
}

/** False also while nobody knows: a step of ours that did not end as done may have done it. */
function isFromElsewhere(order: Order, since: number, knownSince: number, unfinished: readonly UnfinishedStep[]) {
  const key = targetKey(orderTarget(order));
  const earliest = since - readWithinMs;
  const mayBeOurs = unfinished.some(
    ({ target, startedAt, endedAt }) => target === key && startedAt < since && (endedAt ?? since) >= earliest,
  );
  return earliest > knownSince && !mayBeOurs;
}

function findingOf(order: Order, { value, since }: Drift, names: string, isFromElsewhere: boolean): Finding {
  const isOff = value === 'off';
  return {
    ...aboutOrder(order, isOff ? 'start' : undefined),
    title: `${order.label} is ${String(value)}`,
    ...(isFromElsewhere ? { aside: `nobody here turned it ${String(value)}` } : {}),
    lines: isOff && names !== '' ? [names] : [],
    details: [
      { kind: 'text', text: identityOf(order) },
      {
        kind: 'text',
        text: [
          `Turned ${String(value)}${isFromElsewhere ? ' outside of Slack' : ''}, noticed `,
          { date: since, style: 'full' },
          isFromElsewhere ? '' : '; no completed request here did it',
        ],
      },
    ],
    severity: isOff ? 'critical' : 'warning',
    level: 0,
    offers: [
      isOff ? { label: 'Start', line: `start ${order.id}` } : { label: 'Status', line: `status ${order.id}` },
      { label: 'Stats', line: `stats ${order.id}` },
    ],
    rightAs: {
      label: `${isOff ? 'Off' : 'On'} is right`,
      capability: 'operate',
      kind: 'power',
      key: order.id,
      seen: hashOf(value),
    },
  };
}
