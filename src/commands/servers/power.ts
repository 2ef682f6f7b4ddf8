import { z } from 'zod';
import {
  type Account,
  addressesOf,
  domainTarget,
  identityOf,
  type Order,
  orderTarget,
} from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import { order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { Receipt, Verdict } from '../../core/plan/plan.ts';
import { count, countOrList, firstFew } from '../../core/text/words.ts';
import { daysUntil, sayDay } from '../../core/view/days.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { Job, PowerStatus } from '../../provider/endpoints/vps.ts';

/** Parts of the commands that change a server's power. */

/** The argument of commands about one server. */
export const oneServer = order({ hint: 'Name, id or address.', example: 'web-1' });

/** Follows "files-1 is a dedicated server." */
export const notDedicated = 'The provider’s API cannot do this with one: do it in the provider’s own panel.';

/** The argument of commands that change one virtual server. */
export const oneVirtualServer = order({ hint: 'Name, id or address.', example: 'web-1', onDedicated: notDedicated });

/** One server of a plan, as stored between approval and run. */
export const serverStep = z.object({
  id: z.string(),
  name: z.string(),
  /** The power as shown. */
  power: z.string().exactOptional(),
  status: z.string().exactOptional(),
});
export type ServerStep = z.infer<typeof serverStep>;

/** Checks a server right before the write: its name and state must be as shown. */
export async function sameServer<S extends ServerStep>(step: S, { reader }: ReadContext<Reader>): Promise<S> {
  const [order, power] = await Promise.all([
    reader.orders.read({ order_id: step.id }),
    step.power === undefined ? undefined : reader.vps.status({ order_id: step.id }),
  ]);
  const changes = [
    ['name', step.name, order.name || order.hostname || order.id],
    ['status', step.status, order.status],
    // A state that could not be read for the plan was not part of the decision.
    ['power', step.power === 'unknown' ? undefined : step.power, power?.status],
  ].filter(([, before, after]) => before !== undefined && before !== after);
  if (changes.length === 0) return step;
  const changed = changes.map(([what, before, after]) => `its ${what} was ${before} and is ${after} now`).join(', ');
  throw new Refusal('changed', `${step.name} changed since the request: ${changed}.`);
}

export type Power = PowerStatus;

/** Reads the power; `unknown` if it cannot be read, which does not mean off. */
export async function powerOf(
  reader: Reader,
  id: string,
  onError: (error: ProviderError) => void = () => {},
): Promise<Power> {
  try {
    return (await reader.vps.status({ order_id: id })).status;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    onError(error);
    return 'unknown';
  }
}

const readAtOnce = 6;

/** Reads the power of several servers, a few at a time, so that a list of fifty does not block other requests. */
export async function powersOf(
  reader: Reader,
  orders: readonly Pick<Order, 'id'>[],
  onError?: (error: ProviderError) => void,
): Promise<(order: Pick<Order, 'id'>) => Power> {
  const powers = new Map<string, Power>();
  await eachAtMost(readAtOnce, orders, async ({ id }) => {
    powers.set(id, await powerOf(reader, id, onError));
  });
  return ({ id }) => powers.get(id) ?? 'unknown';
}

/** Like `powersOf`, for a response about power alone: throws if the provider is unavailable for all servers. */
export async function powersToShow(
  reader: Reader,
  orders: readonly Pick<Order, 'id'>[],
): Promise<(order: Pick<Order, 'id'>) => Power> {
  const errors: ProviderError[] = [];
  const power = await powersOf(reader, orders, (error) => errors.push(error));
  const [first] = errors;
  if (first?.kind === 'unavailable' && errors.length === orders.length) throw first;
  return power;
}

/** The facts of a change of power: these servers in this state. */
export function factsOf(orders: readonly Order[], power: (order: Order) => Power): Record<string, string> {
  return Object.fromEntries(
    orders.flatMap((order) => [
      [`name of ${order.id}`, order.label],
      [`power of ${order.label}`, power(order)],
      [`status of ${order.label}`, order.status],
    ]),
  );
}

/** Refuses a change of a server whose order is over. */
export function mustExist(orders: readonly Order[]): void {
  const over = orders.find(({ status }) => status === 'canceled');
  if (over === undefined) return;
  throw new Refusal('impossible', `The order of ${over.label} is canceled, so there is no server.`);
}

/** The common part of plans about one server. */
export async function planOneServer(server: Order, reader: Reader) {
  mustExist([server]);
  const power = await powerOf(reader, server.id);
  return {
    subject: [subjectLine(server, power)],
    targets: [orderTarget(server)],
    facts: factsOf([server], () => power),
    steps: [stepOf(server, power)],
  };
}

export function stepOf(order: Order, power: Power) {
  const data = { id: order.id, name: order.label, power, status: order.status };
  return { target: orderTarget(order), label: order.label, data };
}

/** Replaces the provider's `noprolong` with words. */
export function sayStatus(status: string): string {
  return status === 'noprolong' ? 'not renewed' : status;
}

/** Details of a card: the named servers that need no change. */
export function leftOut(named: readonly Order[], touched: readonly Order[], why: string): [string, Text][] {
  const others = named.filter((order) => !touched.includes(order)).map((order) => order.label);
  return others.length === 0 ? [] : [['Left out', `${firstFew(others, 8)}: ${why}`]];
}

/** Notes about servers that are not active, for which the provider may refuse the change. */
export function statusNotes(orders: readonly Order[]): [string, Text][] {
  const notes = orders
    .filter((order) => order.status !== 'active')
    .map((order) => (orders.length === 1 ? sayStatus(order.status) : `${order.label} ${sayStatus(order.status)}`));
  return notes.length === 0 ? [] : [['Status', firstFew(notes, 8)]];
}

export const powerSigns: Readonly<Record<Power, string>> = {
  on: `${signs.good} on`,
  off: `${signs.bad} off`,
  unknown: `${signs.neutral} unknown`,
};

/** `web-1 · 34-12345 · 192.0.2.10 · VPS-2 · on` */
export function subjectLine(order: Order, power: Power): Text {
  return [{ bold: order.label }, ` · ${identityOf(order, powerSigns[power])}`];
}

/**
 * Details of a card: the records that point to these servers, and the ends of their paid periods. `running`: the
 * servers that are not off; only names of these go down.
 */
export function dependsOn(
  orders: readonly Order[],
  account: Account,
  { now, may }: Pick<ReadContext<unknown>, 'now' | 'may'>,
  running: readonly Order[] = orders,
): [string, Text][] {
  const [only] = orders;
  return [
    ...(running.length === 0 ? [] : [affected(running, account, may)]),
    ...(only && orders.length === 1 ? [['Paid until', paidUntil(only, now)] as [string, Text]] : []),
    ...statusNotes(orders),
  ];
}

function affected(orders: readonly Order[], account: Account, may: ReadContext<unknown>['may']): [string, Text] {
  const addresses = new Set(orders.flatMap((order) => addressesOf(order).map((own) => canonicalAddress(own))));
  const pointingHere = account.domains.flatMap((domain) => {
    const records = domain.records.filter((record) => addresses.has(canonicalAddress(record.value) ?? record.value));
    return records.length === 0 ? [] : [{ records, domain, isKnown: may('read', domainTarget(domain)) }];
  });
  const total = pointingHere.reduce((sum, { records }) => sum + records.length, 0);
  const names = pointingHere
    .filter(({ isKnown }) => isKnown)
    .flatMap(({ records, domain }) =>
      records.map(({ host, type }) => `${host === '@' ? domain.name : `${host}.${domain.name}`} ${type}`),
    );
  // Counts all records, and names only those that the person may read.
  const hidden = total - names.length;
  const sentences = [
    ...(names.length > 0 ? [firstFew(names, 6)] : []),
    ...(hidden > 0 ? [`${hidden} in zones that may not be read here`] : []),
  ].join(', and ');
  const pointing =
    total === 0
      ? 'No DNS record of this account points here.'
      : `${count(total, 'DNS record')} ${total === 1 ? 'points' : 'point'} here: ${sentences}.`;
  return ['Affected', account.unread.includes('domains') ? 'Unknown: the zones could not be read.' : pointing];
}

export function paidUntil(order: Order, now: number): Text {
  const days = daysUntil(order.expires, now);
  if (days === undefined) return 'Unknown';
  return text(sayDay(order.expires), ` (${days < 0 ? 'past' : count(days, 'day')})`);
}

export function accepted(job: Job): Receipt {
  return { text: `job ${job.pk}`, data: { jobId: job.pk } };
}

/** The job in a receipt, for `follow`. */
export function jobOf(step: ServerStep, receipt: Receipt, action: string) {
  const { jobId } = z.object({ jobId: z.number() }).parse(receipt.data);
  return { kind: 'job', orderId: step.id, jobId, action } as const;
}

/** Compares the power with the expected one. */
export async function powerShouldBe(
  wanted: 'on' | 'off',
  step: ServerStep,
  { reader }: ReadContext<Reader>,
): Promise<Verdict> {
  const power = await powerOf(reader, step.id);
  return { is: power === wanted ? 'so' : power === 'unknown' ? 'unsure' : 'not', text: `the power is ${power}` };
}

export function namesOf(servers: readonly { readonly label: string }[]): string {
  return countOrList(
    servers.map((server) => server.label),
    'server',
  );
}
