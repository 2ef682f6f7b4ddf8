import type { SimulatedProvider } from '../provider/server.ts';
import { describeKey } from '../provider/ssh-keys.ts';
import type { SimulatedSlack } from '../slack/server.ts';
import type { PageEntry } from './workspace.ts';

/** The page's entries about the provider: the account and the requests. */

const jobsShown = 12;
const requestsShown = 200;

export function* hostingEntries({ sim }: SimulatedProvider): Iterable<PageEntry> {
  const state = sim.state();
  yield ['clock', { offsetMs: state.clockOffsetMs }];
  yield [
    'account',
    {
      ...state.account,
      monthly: state.orders
        .filter((order) => order.status === 'active' && !order.hasCancelMark)
        .reduce((sum, order) => sum + (order.costMonth ?? 0), 0),
      unpaid: state.invoices
        .filter((invoice) => !invoice.isPaid)
        .map(({ id, orderId, amount }) => ({ id, orderId, amount })),
    },
  ];
  for (const order of state.orders.filter((candidate) => candidate.vps !== null || candidate.ds !== null)) {
    const { id, name, kind, status, addresses, tariff, expiresAt, hasCancelMark, vps } = order;
    const power = vps === null ? null : { state: vps.power, isRescue: vps.isRescue, job: vps.runningJob };
    yield [
      `server/${id}`,
      { id, name, kind, status, address: addresses?.[0] ?? '', tariff, expiresAt, hasCancelMark, power },
    ];
  }
  for (const job of state.jobs.slice(-jobsShown)) {
    const { pk, orderId, kind, note, startedAt, dueAt, state: how } = job;
    const server = state.orders.find((order) => order.id === orderId)?.name ?? orderId;
    yield [`job/${pk}`, { pk, server, kind, note, startedAt, dueAt, state: how }];
  }
  yield* holdingEntries(state);
  for (const { name, entries } of state.domains) yield [`zone/${name}`, { name, entries }];
}

/** The page gets no secrets: no keys of buckets, and only the fingerprints of SSH keys. */
function* holdingEntries(state: ReturnType<SimulatedProvider['sim']['state']>): Iterable<PageEntry> {
  for (const { id, subject, order, status, answers } of state.tickets.toReversed())
    yield [`ticket/${id}`, { id, subject, order, status, answers }];
  const { url, lastError } = state.ticketWebhook;
  yield ['webhook', { isSet: url !== '', lastError }];
  for (const { id, name, tariff, storage } of state.orders) {
    if (storage === null) continue;
    const { usedGb, warnAtFreeGb } = storage;
    yield [
      `bucket/${id}`,
      { id, name, usedGb, sizeGb: Number(/(?<!\d)(\d+) GB/.exec(tariff)?.[1] ?? usedGb), warnAtFreeGb },
    ];
  }
  for (const { id, title, key, isDefault } of state.sshKeys) {
    const servers = state.orders.filter(({ vps }) => vps?.sshKeys.includes(id)).length;
    yield [`ssh-key/${id}`, { id, title, described: describeKey(key), servers, isDefault }];
  }
  for (const { name, addresses, moreAddresses, reverseDns } of state.orders)
    for (const ip of [...(addresses ?? []), ...moreAddresses])
      yield [`address/${ip}`, { ip, server: name, name: reverseDns[ip] ?? '' }];
}

export function requestEntry({ sim }: SimulatedProvider, id: number): unknown {
  const request = sim.requests().findLast((candidate) => candidate.id === id);
  if (request === undefined) return undefined;
  const { time, method, path, body, status, isFinished } = request;
  return { id, time, method, path: path.replace(/^\/api/, ''), body, status, isFinished };
}

export function* requestEntries(provider: SimulatedProvider): Iterable<PageEntry> {
  for (const { id } of provider.sim.requests().slice(-requestsShown))
    yield [`request/${id}`, requestEntry(provider, id)];
}

/** A payload that Slack delivered, with the number of deliveries and the time of the acknowledgement. */
export function deliveryEntry({ sim }: SimulatedSlack, id: string): unknown {
  const outcome = sim.outcomes().findLast((candidate) => candidate.payloadId === id);
  if (outcome === undefined) return undefined;
  const { name, userId, deliveredAtMs, ackedMs, attempts, error } = outcome;
  return { id, name, userId, atMs: deliveredAtMs, ackedMs, times: attempts.length, error };
}

export function* deliveryEntries(slack: SimulatedSlack): Iterable<PageEntry> {
  for (const { payloadId } of slack.sim.outcomes().slice(-requestsShown)) {
    if (payloadId !== null) yield [`delivery/${payloadId}`, deliveryEntry(slack, payloadId)];
  }
}
