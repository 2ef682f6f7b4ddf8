import { z } from 'zod';
import { type FaultInput, faultSchema, type LiveFault } from './faults.ts';
import { endJob } from './jobs.ts';
import {
  orderStatuses,
  type ProviderSnapshot,
  powers,
  recordTypes,
  type SimDnsEntry,
  type SimJob,
  type SimOrder,
} from './model.ts';
import { cancelOrder, renewOrder } from './order-life.ts';
import { putEntry, removeEntry } from './records.ts';
import type { LoggedRequest } from './request-log.ts';
import { routes } from './routes/all.ts';
import { type ProviderSeed, seedSchema, seedState } from './seed/seed.ts';
import { toSnapshot } from './snapshot.ts';
import { addSshKey } from './ssh-keys.ts';
import { answerTicket } from './tickets.ts';
import type { ProviderChange, ProviderSettings, ProviderState } from './types.ts';

/*
 * The inputs of the functions that change the provider without the bot. The HTTP control API has the same functions
 * with the same inputs.
 */

const entryFields = z.strictObject({
  host: z.string(),
  type: z.enum(recordTypes),
  value: z.string().min(1),
  prio: z.int().nullable(),
  ttl: z.int().nullable(),
});
const newEntry = entryFields.partial({ host: true, prio: true, ttl: true });
const changedEntry = entryFields.partial().extend({ id: z.int() });

export const simInputs = {
  fault: faultSchema,
  faults: z.strictObject({ id: z.int().optional(), match: z.string().optional() }),
  advance: z.strictObject({ ms: z.number().min(0) }),
  records: z.strictObject({
    domain: z.string(),
    add: z.array(newEntry).default([]),
    /** Changes by id; absent fields are kept. */
    set: z.array(changedEntry).default([]),
    remove: z.array(z.int()).default([]),
  }),
  power: z.strictObject({ order: z.string(), state: z.enum(powers) }),
  jobs: z.union([
    z.strictObject({ ms: z.number().min(0) }),
    z.strictObject({ min: z.number().min(0), max: z.number().min(0) }),
  ]),
  job: z.strictObject({ pk: z.int(), state: z.enum(['done', 'error']), note: z.string().optional() }),
  order: z.strictObject({
    order: z.string(),
    name: z.string().optional(),
    hostname: z.string().nullable().optional(),
    status: z.enum(orderStatuses).optional(),
    ipaddress_set: z.array(z.string()).nullable().optional(),
    cost_month: z.number().optional(),
    expiration_date: z.iso.datetime({ offset: true }).optional(),
    tags: z.array(z.string()).optional(),
    cancel_mark: z.boolean().optional(),
    project: z.int().nullable().optional(),
    autorenew: z.boolean().optional(),
    /** A dedicated server's traffic rate and limit. */
    traffic_bytes_per_sec: z.number().min(0).optional(),
    traffic_limit_bytes: z.number().min(1).optional(),
    /** Names by address; '' removes the name. */
    reverse_dns: z.record(z.string(), z.string()).optional(),
    /** The used space of a bucket, in GB. */
    space_used: z.number().min(0).optional(),
  }),
  /** A reply of support in a ticket. */
  ticket: z.strictObject({ id: z.string(), text: z.string().min(1) }),
  sshKey: z.strictObject({ key: z.string(), title: z.string(), isDefault: z.boolean().default(false) }),
  renew: z.strictObject({ order: z.string() }),
  balance: z.strictObject({
    balance: z.number().optional(),
    /** Replaces the unpaid invoices by ones with these amounts. */
    unpaid: z.array(z.number()).optional(),
  }),
  features: z.strictObject({ createVps: z.boolean().optional(), createDomain: z.boolean().optional() }),
  reset: z.strictObject({ seed: seedSchema.optional() }),
};

export interface ProviderControl {
  state(): ProviderSnapshot & { now: string; faults: readonly LiveFault[]; settings: ProviderSettings };
  /** The states of jobs, without the copy that `state()` makes. */
  jobStates(): ReadonlyMap<number, SimJob['state']>;
  now(): number;
  fault(fault: FaultInput): number;
  clearFaults(which?: z.input<typeof simInputs.faults>): void;
  advance(ms: number): void;
  requests(): readonly LoggedRequest[];
  clearRequests(): void;
  waitForRequest(fits: (request: LoggedRequest) => boolean, timeoutMs?: number): Promise<LoggedRequest>;
  records(change: z.input<typeof simInputs.records>): SimDnsEntry[];
  power(change: z.input<typeof simInputs.power>): void;
  jobs(settings: z.input<typeof simInputs.jobs>): void;
  job(end: z.input<typeof simInputs.job>): void;
  order(patch: z.input<typeof simInputs.order>): void;
  /** Resolves after the call of the ticket webhook, even if it failed. */
  ticket(answer: z.input<typeof simInputs.ticket>): Promise<void>;
  sshKey(key: z.input<typeof simInputs.sshKey>): number;
  renew(which: z.input<typeof simInputs.renew>): void;
  balance(change: z.input<typeof simInputs.balance>): void;
  features(change: z.input<typeof simInputs.features>): void;
  reset(to?: { seed?: ProviderSeed }): void;
  onChange(listener: (change: ProviderChange) => void): () => void;
}

export function createSim(provider: ProviderState, first: ProviderSeed | ProviderSnapshot): ProviderControl {
  const orderNamed = (id: string): SimOrder => {
    const order = provider.state.orders.get(id);
    if (!order) throw new Error(`changing the simulated provider: it has no order ${id}`);
    return order;
  };
  const jobNamed = (pk: number): SimJob => {
    const job = provider.state.jobs.get(pk);
    if (!job) throw new Error(`changing the simulated provider: it has no job ${pk}`);
    return job;
  };

  return {
    state: () => ({
      ...toSnapshot(provider.state, provider.clock.offsetMs()),
      now: new Date(provider.clock.now()).toISOString(),
      faults: [...provider.faults.list()],
      settings: provider.settings,
    }),
    jobStates: () => new Map([...provider.state.jobs.values()].map(({ pk, state }) => [pk, state])),
    now: () => provider.clock.now(),
    fault(fault) {
      // Refuses a misspelled operation, whose fault would never happen and leave a test waiting.
      const { match = '*' } = fault;
      if (match === '*' || routes.some(({ route }) => route === match)) return provider.faults.add(fault);
      throw new Error(
        `setting a fault: there is no operation "${match}". They are written "POST /vps/{order_id}/start/"`,
      );
    },
    clearFaults: (which) => provider.faults.clear(which),
    advance(ms) {
      provider.clock.advance(simInputs.advance.parse({ ms }).ms);
      provider.changed('clock');
    },
    requests: () => provider.log.list(),
    clearRequests: () => provider.log.clear(),
    waitForRequest: (fits, timeoutMs) => provider.log.wait(fits, timeoutMs),
    records(input) {
      const change = simInputs.records.parse(input);
      const domain = provider.state.domains.get(change.domain);
      if (!domain) throw new Error(`changing the simulated provider: it has no domain ${change.domain}`);
      for (const id of change.remove) {
        if (!removeEntry(provider, domain, id))
          throw new Error(`removing a record of ${domain.name}: there is none with id ${id}`);
      }
      const edited = change.set.map(({ id, ...fields }) => {
        const old = domain.entries.get(id);
        if (!old) throw new Error(`changing a record of ${domain.name}: there is none with id ${id}`);
        return { ...old, ...definedOf(fields), id };
      });
      const added = change.add.map(({ host = '', type, value, prio = null, ttl = null }) => ({
        id: 0,
        host,
        type,
        value,
        prio,
        ttl,
      }));
      // Not normalized: the real provider has records with full names as hosts, from other clients.
      return [...edited, ...added].map((entry) =>
        putEntry(provider, domain, { ...entry, host: entry.host === '@' ? '' : entry.host }),
      );
    },
    power(input) {
      const { order, state } = simInputs.power.parse(input);
      provider.setPower(orderNamed(order), state);
    },
    jobs(input) {
      const settings = simInputs.jobs.parse(input);
      provider.settings.jobMs = 'ms' in settings ? { min: settings.ms, max: settings.ms } : settings;
      provider.changed('settings');
    },
    job(input) {
      const { pk, state, note } = simInputs.job.parse(input);
      endJob(provider, jobNamed(pk), state, note);
    },
    order(input) {
      patchOrder(provider, orderNamed(input.order), simInputs.order.parse(input));
    },
    ticket(input) {
      const { id, text } = simInputs.ticket.parse(input);
      return answerTicket(provider, id, text);
    },
    sshKey: (input) => addSshKey(provider, simInputs.sshKey.parse(input)).id,
    renew: (input) => renewOrder(provider, orderNamed(simInputs.renew.parse(input).order)),
    balance(input) {
      const { balance, unpaid } = simInputs.balance.parse(input);
      if (balance !== undefined) provider.state.account.balance = balance;
      if (unpaid) {
        provider.state.invoices.clear();
        for (const amount of unpaid) provider.addInvoice(null, amount);
      }
      provider.changed('account');
    },
    features(input) {
      Object.assign(provider.settings.features, definedOf(simInputs.features.parse(input)));
      provider.changed('settings');
    },
    reset(input = {}) {
      const { seed } = simInputs.reset.parse(input);
      provider.faults.clear();
      provider.log.clear();
      begin(provider, seed ?? first);
    },
    onChange: (listener) => provider.onChange(listener),
  };
}

/** Begins with a seed at this moment, or with a state at its own. */
export function begin(provider: ProviderState, first: ProviderSeed | ProviderSnapshot): void {
  if (typeof first === 'object' && 'version' in first) provider.restore(first);
  else provider.load(seedState(first, Date.now()), 0);
}

function patchOrder(provider: ProviderState, order: SimOrder, patch: z.output<typeof simInputs.order>): void {
  if (patch.name !== undefined) order.name = patch.name;
  if (patch.hostname !== undefined) order.hostname = patch.hostname;
  if (patch.ipaddress_set !== undefined) order.addresses = patch.ipaddress_set;
  if (patch.cost_month !== undefined) order.costMonth = patch.cost_month;
  if (patch.tags !== undefined) order.tags = patch.tags;
  if (patch.cancel_mark !== undefined) order.hasCancelMark = patch.cancel_mark;
  if (patch.project !== undefined) order.projectId = patch.project;
  if (patch.autorenew !== undefined) order.isAutorenewed = patch.autorenew;
  if (order.ds && patch.traffic_bytes_per_sec !== undefined) order.ds.trafficBytesPerSec = patch.traffic_bytes_per_sec;
  if (order.ds && patch.traffic_limit_bytes !== undefined) order.ds.trafficLimitBytes = patch.traffic_limit_bytes;
  if (patch.reverse_dns !== undefined) order.reverseDns = patch.reverse_dns;
  if (order.storage && patch.space_used !== undefined) order.storage.usedGb = patch.space_used;
  if (patch.status === 'canceled') cancelOrder(provider, order);
  else if (patch.status !== undefined) provider.setStatus(order, patch.status);
  provider.redate(order, patch.expiration_date === undefined ? order.expiresAt : Date.parse(patch.expiration_date));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes keys with undefined values, which would overwrite values in a spread. */
function definedOf<T extends object>(fields: T): Defined<T> {
  // The filter removes undefined values, as the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
