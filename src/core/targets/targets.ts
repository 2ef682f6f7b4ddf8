import type { Account, Domain, Order, Project, Target, UnreadableItem } from '../account/account.ts';
import { domainTarget, hasAddress, namesOf, orderTarget, projectTarget, unreadableTarget } from '../account/account.ts';
import { hostIn } from '../account/host-in.ts';
import { behindName } from '../dns/names-of-servers.ts';
import { looselyOne } from '../grammar/loosely.ts';
import { quote } from '../grammar/tokens.ts';
import { matches } from '../policy/evaluate.ts';
import type { Capability } from '../policy/policy.ts';
import { allNearest, count, firstFew, list } from '../text/words.ts';
import type { PersonClock } from '../time/moment.ts';
import { Refusal } from '../view/errors.ts';
import { leavesOut, noExceptions } from './left-out.ts';
import { allTagged, type Candidate, NotOne, onlyProject, onlyTag } from './not-one.ts';

/** The account in which names are looked up, and the person's right to see targets. */
export interface Reading {
  readonly account: Account;
  readonly maySee: (target: Target) => boolean;
  /** The same for a line of a plan, with the right that its command needs. */
  readonly maySeeAs?: (capability: Capability | 'none') => (target: Target) => boolean;
  /** For relative times; without it, only absolute times can be parsed. */
  readonly clock?: PersonClock;
  /** Shows how a name was read. Without it a name needs its exact spelling. */
  readonly addNote?: (note: string) => void;
  /** For reads: a DNS name may mean the server to which it points. */
  readonly follows?: true;
}

/** A word such as `all`, which never selects all orders: the refusal shows their number and asks for names. */
export function isAll(word: string): boolean {
  return /^(all|everything|everyone|every|any|\*)$/i.test(word.trim());
}

export interface OrderReading extends Reading {
  readonly kinds: readonly Order['kind'][];
  /** The text for a person who names a dedicated server where only other orders are possible. */
  readonly onDedicated?: string | undefined;
}

const kindWords: Readonly<Record<Order['kind'], string>> = { vps: 'server', ds: 'dedicated server', other: 'order' };

export function nounOf(kinds: readonly Order['kind'][]): string {
  const [only] = kinds;
  if (kinds.includes('other') || only === undefined) return 'order';
  return kinds.length === 1 ? kindWords[only] : 'server';
}

/**
 * Resolves a word by order id, which buttons contain; else by name, hostname, address or bare number, which may match
 * several orders. `tag:` selects all orders with the tag.
 */
export function resolveOrders(word: string, reading: OrderReading): readonly Order[] {
  const wanted = word.trim().toLowerCase();
  const { kinds } = reading;
  const orders = reading.account.orders.filter((order) => kinds.includes(order.kind));
  const noun = nounOf(kinds);
  // An empty word must not match an order without a name.
  if (wanted === '') throw new NotOne('not_found', `No ${noun} is named.`, 'See /host list for the names and ids.', []);
  if (wanted.startsWith('tag:')) {
    const tag = wanted.slice('tag:'.length);
    const tagged = orders.filter((order) => order.tags.some((t) => t.toLowerCase() === tag));
    if (tagged.length > 0) return tagged;
    if (leavesOut(tag)) throw noExceptions(word, noun);
    const seen = seenOrders(reading).flatMap(({ tags }) => tags);
    const near = allNearest(tag, seen).words.map((word) => `tag:${word}`);
    throw new NotOne('not_found', `No ${noun} has the tag ${tag}.`, didYouMean(near), near.map(asCandidate));
  }
  const byId = orders.filter((order) => order.id.toLowerCase() === wanted);
  if (byId.length > 0) return byId;
  mustBeReadable('order', wanted, reading);
  const isNumber = /^\d+$/.test(wanted);
  const byName = (name: string) => {
    const isThere = hasAddress(name);
    return orders.filter(
      (order) =>
        [order.name, order.hostname ?? ''].some((candidate) => candidate.toLowerCase() === name) ||
        isThere(order) ||
        (isNumber && order.id.endsWith(`-${name}`)),
    );
  };
  const exact = byName(wanted);
  const host = hostIn(wanted).replace(/\.$/, '');
  const matching = exact.length > 0 || host === wanted ? exact : byName(host);
  if (matching.length > 0) return matching;
  if (leavesOut(host)) throw noExceptions(word, noun);
  if (isNumber) mustBeReadable('order', wanted, reading);
  const seen = seenOrders(reading);
  if (isAll(wanted)) throw allOf(seen, noun);
  const led = behindName(host, seen, seenDomains(reading));
  const [only] = led;
  if (only !== undefined && led.length === 1 && reading.follows === true) {
    reading.addNote?.(`${host} points to ${only.label} (${only.addresses[0] ?? only.id}).`);
    return led;
  }
  if (led.length > 0) {
    const text = `${host} points to ${list(led.map(({ label }) => label))}.`;
    throw new NotOne('not_found', text, 'Name the server.', candidates(led));
  }
  const loose = reading.addNote === undefined ? undefined : looselyOne(host, seen);
  if (loose !== undefined) {
    reading.addNote?.(`Took “${host}” as ${loose.label}.`);
    return [loose];
  }
  throw notFound(host, seen, reading);
}

/** The refusal of `all`: people must name orders or a tag. */
function allOf(seen: readonly Order[], noun: string): NotOne {
  const live = seen.filter(({ status }) => status !== 'canceled');
  const tagged = live.flatMap((order) => order.tags.map((tag) => ({ tag, order })));
  const tags = Map.groupBy(tagged, ({ tag }) => tag.toLowerCase());
  const most = [...tags].sort(([, a], [, b]) => b.length - a.length).slice(0, 4);
  const text = `That is ${live.length > 1 ? 'all ' : ''}${count(live.length, noun)}.`;
  const groups = most.map(([tag, tagged]) => allTagged(tag, tagged.length));
  return new NotOne('ambiguous', text, 'Which ones?', groups);
}

/** Resolves exactly one order, or throws a NotOne with the candidates. */
export function resolveOrder(word: string, reading: OrderReading): Order {
  const matches = resolveOrders(word, reading);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const seen = matches.filter((order) => reading.maySee(orderTarget(order)));
  throw seen.length === 0 ? notFound(word, seen, reading) : severalMatch(word, seen, nounOf(reading.kinds));
}

function severalMatch(word: string, orders: readonly Order[], noun: string): NotOne {
  const names = firstFew(orders, 8, ({ label, id }) => `${label} (${id})`);
  return new NotOne('ambiguous', `${word} is not one ${noun}: ${names}.`, 'Which one?', candidates(orders));
}

function candidates(orders: readonly Order[]): Candidate[] {
  return orders.slice(0, 5).map((order) => ({ label: order.label, values: [order.id], names: [order.label] }));
}

function notFound(word: string, seen: readonly Order[], reading: OrderReading): NotOne {
  const { kinds, onDedicated } = reading;
  const wanted = word.trim().toLowerCase();
  const noun = nounOf(kinds);
  const other = reading.account.orders.find(
    (order) =>
      !kinds.includes(order.kind) &&
      [order.id, order.name, order.hostname].some((name) => name?.toLowerCase() === wanted) &&
      reading.maySee(orderTarget(order)),
  );
  if (other) {
    const what = other.kind === 'other' ? 'an order' : `a ${kindWords[other.kind]}`;
    const to = `${other.kind === 'other' ? 'order' : 'status'} ${quote(other.id)}`;
    const only = `This works only with a ${kinds.includes('ds') || kinds.includes('other') ? noun : 'virtual server'}.`;
    const text = `${word} is ${what}. ${(other.kind === 'ds' ? onDedicated : undefined) ?? only}`;
    return new NotOne('not_found', text, '', [], [{ label: `Show ${other.label}`, command: to }]);
  }
  const starting = seen.filter((order) =>
    [order.name, order.hostname ?? ''].some((name) =>
      wanted.includes('*') ? matches(wanted, name) : name.toLowerCase().startsWith(wanted),
    ),
  );
  const tagged = seen.filter(({ tags }) => tags.some((tag) => tag.toLowerCase() === wanted));
  if (starting.length === 0 && tagged.length > 0) return onlyTag(wanted, tagged.length, noun);
  const inProject = seen.filter(({ project }) => project?.name.toLowerCase() === wanted);
  if (starting.length === 0 && inProject.length > 0) return onlyProject(word, inProject, noun);
  if (starting.length > 1) return severalMatch(word, starting, noun);
  const byName = new Map(
    seen.flatMap((order) => [order.name, order.hostname ?? '', order.id].map((name) => [name, order] as const)),
  );
  byName.delete('');
  const near =
    starting.length > 0 ? starting : allNearest(wanted, byName.keys()).words.flatMap((name) => byName.get(name) ?? []);
  const unique = [...new Set(near)].slice(0, mostOffered);
  const see =
    wanted === 'tag' ? 'A tag is written with a colon, such as tag:web.' : 'See /host list for the names and ids.';
  const hint = didYouMean(unique.map(({ label, id }) => `${label} (${id})`)) || see;
  return new NotOne('not_found', `There is no ${noun} called ${word}.`, hint, candidates(unique));
}

/** `splits`: the word may also contain a host. */
export function resolveDomain(word: string, reading: Reading, splits = false): Domain {
  const wanted = hostIn(word).toLowerCase().replace(/\.$/, '');
  if (wanted === '') throw new NotOne('not_found', 'No domain is named.', 'See /host dns domains.', []);
  const match = reading.account.domains.find((domain) => domain.name.toLowerCase() === wanted);
  if (match) return match;
  mustBeReadable('domain', wanted, reading);
  const seen = seenDomains(reading).map(({ name }) => name);
  const parent = seen.find((name) => wanted.endsWith(`.${name.toLowerCase()}`));
  // A domain with fewer labels would replace the whole name and drop its host.
  const near = parent === undefined ? nearNames(wanted, seen).filter((name) => parts(name) >= parts(wanted)) : [];
  const whole = splits ? 'name the domain and the host separately' : 'name the domain itself if you mean all of it';
  const hint = parent ? `It lies in ${parent}: ${whole}.` : didYouMean(near) || 'See /host dns domains.';
  throw new NotOne('not_found', `There is no domain ${word} in this account.`, hint, near.map(asCandidate));
}

/** Whether a search finds the order by this name, which is in lower case. */
export function isCalled(order: Order, name: string): boolean {
  return namesOf(order).some((own) => own.toLowerCase() === name);
}

export function seenOrders({ account, kinds, maySee }: OrderReading): readonly Order[] {
  return account.orders.filter((order) => kinds.includes(order.kind) && maySee(orderTarget(order)));
}

function seenDomains({ account, maySee }: Reading): readonly Domain[] {
  return account.domains.filter((domain) => maySee(domainTarget(domain)));
}

function parts(name: string): number {
  return name.split('.').length;
}

export function resolveProject(word: string, reading: Reading): Project {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') throw new NotOne('not_found', 'No project is named.', 'See /host project list.', []);
  const projects = reading.account.projects;
  // The id comes first: buttons contain it, and another project may be called `12`.
  const byId = projects.find((p) => String(p.id) === wanted);
  const matches = byId ? [byId] : projects.filter((p) => p.name.toLowerCase() === wanted);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (matches.length === 0) mustBeReadable('project', wanted, reading);
  const maySee = (item: Project) => reading.maySee(projectTarget(item));
  const seen = projects.filter(maySee);
  const several = matches.filter(maySee);
  if (several.length > 0) {
    const offers = several.slice(0, 5).map(({ name, id }) => ({ label: `${name} (${id})`, values: [String(id)] }));
    throw new NotOne('ambiguous', `Several projects are called ${word}.`, 'Which one?', offers);
  }
  const names = seen.map(({ name }) => name);
  const near = nearNames(wanted, names);
  const hint = didYouMean(near) || 'See /host project list.';
  throw new NotOne('not_found', `There is no project called ${word}.`, hint, near.map(asCandidate));
}

/** Refuses a name whose data could not be read, instead of saying that it does not exist. */
function mustBeReadable(kind: UnreadableItem['kind'], wanted: string, { account, maySee }: Reading): void {
  const odd = account.unreadable.find(
    (item) => item.kind === kind && (item.id.toLowerCase() === wanted || item.id.endsWith(`-${wanted}`)),
  );
  if (odd !== undefined && maySee(unreadableTarget(odd))) {
    throw new Refusal('unavailable', `The provider's response about ${odd.id} cannot be read: ${odd.why}.`, {
      hint: 'Everything else works. Use the provider’s panel for it until this is fixed.',
    });
  }
  const missing = account.unread.find((list) => list === `${kind}s`);
  if (missing === undefined) return;
  throw new Refusal('unavailable', `Finding ${wanted}: the provider did not give the list of ${missing} just now.`, {
    hint: 'Try again in a minute.',
  });
}

const mostOffered = 3;

/** The only name that begins with the word, or the nearest names. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  if (leavesOut(wanted)) return [];
  const starting = names.filter((name) => name.toLowerCase().startsWith(wanted));
  return starting.length === 1 ? starting : allNearest(wanted, names).words.slice(0, mostOffered);
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `Did you mean ${list(names, 'or')}?`;
}

function asCandidate(name: string): Candidate {
  return { label: name, values: [name] };
}
