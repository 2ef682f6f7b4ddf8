import { type Account, addressesOf, domainTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { type Power, powerText, type SeenServer, sayStatus, withoutPower } from '../../core/account/trouble.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { fullName } from '../../core/dns/record.ts';
import { byNumbers, count, firstFew } from '../../core/text/words.ts';
import { daysUntil, sayDay } from '../../core/view/days.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { dotted, type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { CommandContext } from '../define.ts';

/** Power takes one request for each server: with more servers than this, only those on the page are read. */
export const powerReadsMost = 60;
/** A list of fifty must not block other requests. */
const readAtOnce = 6;

/** Reads the power; `unknown` if it cannot be read, which does not mean off. */
export async function powerOf(reader: Reader, id: string, onError: (error: ProviderError) => void = () => {}) {
  try {
    return (await reader.vps.status({ order_id: id })).status;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    onError(error);
    return 'unknown';
  }
}

export type ReadServer = SeenServer & { readonly power: Power };

/** Reads the power of these servers, and whether those that are off are so as usual. */
export async function seeServers(
  orders: readonly Order[],
  { reader, bot }: Pick<CommandContext, 'bot' | 'reader'>,
  onError?: (error: ProviderError) => void,
): Promise<ReadServer[]> {
  const powers = new Map<string, Power>();
  await eachAtMost(readAtOnce, orders, async ({ id }) => {
    powers.set(id, await powerOf(reader, id, onError));
  });
  const off = orders.filter(({ id }) => powers.get(id) === 'off');
  const usual = off.length === 0 ? new Set() : await bot.offAsUsual(off);
  return orders.map((order) => {
    return { order, power: powers.get(order.id) ?? 'unknown', isWanted: usual.has(order.id) };
  });
}

/** For a response about power alone: throws if the provider is unavailable for all servers. */
export async function seeServersToShow(orders: readonly Order[], context: Pick<CommandContext, 'bot' | 'reader'>) {
  const errors: ProviderError[] = [];
  const seen = await seeServers(orders, context, (error) => errors.push(error));
  const [first] = errors;
  if (first?.kind === 'unavailable' && errors.length === orders.length) throw first;
  return seen;
}

/** Reads the power for a response about it, unless these are too many. */
export async function seeIfFew(orders: readonly Order[], context: CommandContext): Promise<readonly SeenServer[]> {
  return orders.length > powerReadsMost ? orders.map(withoutPower) : seeServersToShow(orders, context);
}

/** The virtual servers that this person may read, by name. */
export function serversOf(orders: readonly Order[], may: ReadContext['may']): Order[] {
  return orders
    .filter((order) => order.kind === 'vps' && may('read', orderTarget(order)))
    .toSorted((a, b) => byNumbers(a.label, b.label));
}

/** `12 servers: 10 on, 2 off` */
export function countsLine(seen: readonly SeenServer[], of: number): string {
  const states = [...(['on', 'off', 'unknown'] as const), undefined].flatMap((power) => {
    const n = seen.filter((server) => server.power === power).length;
    return n === 0 ? [] : [`${n} ${power ?? 'whose power was not read'}`];
  });
  const head = seen.length === of ? count(of, 'server') : `${seen.length} of ${count(of, 'server')}`;
  return `${head}${states.length === 0 ? '' : `: ${states.join(', ')}`}`;
}

/** The words on a card about servers: their state and their dependents. */

type Viewer = Pick<ReadContext, 'may' | 'now'>;
type Scope = Pick<Viewer, 'may'> & { readonly account: Account };

interface Glance extends Scope {
  /** `down 1–3 min` */
  readonly briefly: string;
  /** The servers whose names do not answer meanwhile. */
  readonly goingDown: readonly Order[];
  /** Named servers that need no change. */
  readonly leftOut?: readonly Text[];
}

const isNotActive = ({ status }: Order) => status !== 'active';

const mostNames = 3;
/** A title names up to this number of servers. */
const mostInTitle = 4;
/** A card names up to this number of states and names; Details has all of them. */
const mostNamed = 4;

/** The one line of a card about servers: `🟢 on · down 1–3 min · example.com and www.example.com point here`. */
export function glanceOf(seen: readonly ReadServer[], { briefly, goingDown, leftOut = [], ...scope }: Glance): Text {
  const states = [...Map.groupBy(seen, powerText)].map(([state, those]) =>
    seen.length === 1 ? state : state.replace(' ', ` ${those.length} `),
  );
  const isMany = seen.length > mostInTitle;
  return dotted([
    states.join(', '),
    isMany ? firstFew(seen, mostNamed, ({ order }) => order.label) : '',
    ...statusesOf(seen.map(({ order }) => order)),
    briefly,
    ...namesHere(goingDown, scope, isMany ? 0 : mostNames),
    ...leftOut.map((names) => text('left out: ', names)),
  ]);
}

/** `not renewed` of one, `wiki-1 not renewed` of several, and of many `2 not renewed`. */
function statusesOf(servers: readonly Order[]): string[] {
  if (servers.length <= mostInTitle) return statusesNamed(servers);
  const alike = Map.groupBy(servers.filter(isNotActive), ({ status }) => sayStatus(status));
  return [...alike].map(([words, those]) => `${those.length} ${words}`);
}

function statusesNamed(servers: readonly Order[]): string[] {
  const name = ({ label }: Order) => (servers.length === 1 ? '' : `${label} `);
  return servers.filter(isNotActive).map((order) => `${name(order)}${sayStatus(order.status)}`);
}

/** The records that point to these servers; of zones that may not be read here, only the number. */
function recordsHere(orders: readonly Order[], { account, may }: Scope) {
  const addresses = new Set(orders.flatMap((order) => addressesOf(order).map((own) => canonicalAddress(own))));
  const all = account.domains.flatMap((domain) => {
    const records = domain.records.filter(({ value }) => addresses.has(canonicalAddress(value) ?? value));
    const isKnown = records.length > 0 && may('read', domainTarget(domain));
    return records.map(({ host, type }) => ({ name: fullName(host, domain.name), type, isKnown }));
  });
  const readable = all.filter(({ isKnown }) => isKnown);
  const hidden = all.length - readable.length;
  return { readable, hidden, hiddenWords: hidden > 0 ? [`${hidden} in zones that may not be read here`] : [] };
}

/** `example.com and www.example.com point here`, empty where none does. Without a place for names it counts them. */
export function namesHere(orders: readonly Order[], scope: Scope, most = mostNames): string[] {
  if (orders.length === 0) return [];
  if (scope.account.unread.includes('domains')) return ['its DNS names could not be read'];
  const { readable, hidden, hiddenWords } = recordsHere(orders, scope);
  const names = [...new Set(readable.map(({ name }) => name))];
  if (names.length + hidden === 0) return [];
  const named = names.length === 0 ? [] : [most === 0 ? count(names.length, 'DNS name') : firstFew(names, most)];
  const subject = [...named, ...hiddenWords].join(' and ');
  return [`${subject} ${names.length + hidden === 1 ? 'points' : 'point'} here`];
}

/**
 * Details of a card: the records that point to these servers, and the ends of their paid periods. `running`: the
 * servers that are not off; only names of these go down.
 */
export function dependsOn(orders: readonly Order[], account: Account, { now, may }: Viewer, running = orders) {
  const [only] = orders;
  const withNames = running.filter((order) => addressesOf(order).length > 0);
  return [
    ...(withNames.length === 0 ? [] : [['Affected', affected(withNames, { account, may })] satisfies [string, Text]]),
    ...(only && orders.length === 1 ? [['Paid until', paidUntil(only, now)] satisfies [string, Text]] : []),
    ...statusNotes(orders),
  ];
}

/** Counts all records, and names only those that the person may read. */
function affected(orders: readonly Order[], scope: Scope): string {
  if (scope.account.unread.includes('domains')) return 'Unknown: the zones could not be read.';
  const { readable, hidden, hiddenWords } = recordsHere(orders, scope);
  const total = readable.length + hidden;
  if (total === 0) return 'No DNS record of this account points here.';
  const named = readable.length === 0 ? [] : [firstFew(readable, 6, ({ name, type }) => `${name} ${type}`)];
  const words = [...named, ...hiddenWords].join(', and ');
  return `${count(total, 'DNS record')} ${total === 1 ? 'points' : 'point'} here: ${words}.`;
}

/** Notes about servers that are not active, for which the provider may refuse the change. */
export function statusNotes(orders: readonly Order[]): [string, Text][] {
  const notes = statusesNamed(orders);
  return notes.length === 0 ? [] : [['Status', firstFew(notes, 8)]];
}

export function paidUntil(order: Order, now: number): Text {
  const days = daysUntil(order.expires, now);
  if (days === undefined) return 'Unknown';
  return text(sayDay(order.expires), ` (${days < 0 ? 'past' : count(days, 'day')})`);
}
