import { type Domain, domainTarget, type Order, orderTarget, type Target } from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { type Arg, type CommonArg, scalar } from '../../core/command/args.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { ordersCalled, resolveNames } from '../../core/targets/several-orders.ts';
import { isCalled, type Reading, resolveDomain, resolveOrder } from '../../core/targets/targets.ts';
import { Refusal } from '../../core/view/errors.ts';
import { everyKind, kindWord } from './read-order.ts';

/** The provider keeps tags of orders and tags of domains, and an order may have the name of a domain. */
export type Taggable = Order | Domain;

export function taggableTarget(item: Taggable): Target {
  return 'records' in item ? domainTarget(item) : orderTarget(item);
}

/** Servers, other orders and domains. The prefix `server:` or `domain:` decides between two of the same name. */
export function taggables(common: CommonArg): Arg<readonly Taggable[]> {
  const read = (words: readonly string[], reading: Reading) =>
    resolveNames<Taggable>(
      words,
      { ...reading, kinds: everyKind },
      {
        resolve: (name) => called(name, reading),
        idOf: canonical,
        noun: 'name',
        none: ['Nothing is named.', 'Name a server, a domain, or tag:web.'],
      },
    );
  return {
    ...scalar<readonly Taggable[]>(common, 'search', read),
    source: 'taggable',
    many: true,
    isName: true,
    needsAccount: true,
    show: (values) => values.map(canonical),
    targets: (values) => values.map(taggableTarget),
  };
}

function canonical(item: Taggable): string {
  return wordFor(taggableTarget(item));
}

/** The word that names an order or a domain, also where an order has the name of a domain. */
export function wordFor({ kind, id }: Pick<Target, 'kind' | 'id'>): string {
  return kind === 'domain' ? `domain:${id}` : id;
}

/** The only one of this name; the sentence refuses several. */
export function calledAlone(words: readonly string[], reading: Reading, onSeveral: string): Target {
  const [item, ...others] = called(words.join(' ').trim(), reading);
  if (item !== undefined && others.length === 0) return taggableTarget(item);
  throw new Refusal('bad_value', onSeveral, { hint: 'Name one.' });
}

/** Asks which one is meant, if a domain and an order share the name. */
export function called(word: string, reading: Reading): readonly Taggable[] {
  const [, kind = '', name = word] = /^(server|order|domain):(.*)$/i.exec(word) ?? [];
  const all = { ...reading, kinds: everyKind };
  if (kind.toLowerCase() === 'domain') return [resolveDomain(name, reading)];
  if (kind !== '') return [resolveOrder(name, all)];
  const wanted = hostIn(word).toLowerCase().replace(/\.$/, '');
  const domain = reading.account.domains.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (domain === undefined) return ordersOrDomain(word, reading);
  const orders = reading.account.orders.filter((order) => isCalled(order, wanted));
  const seen = orders.filter((order) => reading.maySee(orderTarget(order)));
  if (seen.length === 0) return [resolveDomain(name, reading)];
  if (!reading.maySee(domainTarget(domain))) return [resolveOrder(word, all)];
  throw severalKinds(domain, seen);
}

function ordersOrDomain(word: string, reading: Reading): readonly Taggable[] {
  try {
    return ordersCalled(word, { ...reading, kinds: everyKind });
  } catch (error) {
    const isOffered = error instanceof NotOne && error.candidates.length + error.suggestions.length > 0;
    // Of a name with a dot, the domains with a similar name are the better offer.
    if (!(error instanceof NotOne) || isOffered || !/[^.\d]\.[a-z]/i.test(word)) throw error;
    return [resolveDomain(word, reading)];
  }
}

function severalKinds(domain: Domain, orders: readonly Order[]): NotOne {
  const offers = orders.slice(0, 4).map((order) => ({
    label: order.kind === 'other' ? `Order ${order.id}` : `${kindWord(order)} ${order.label} (${order.id})`,
    values: [order.id],
  }));
  const all = [{ label: `Domain ${domain.name}`, values: [`domain:${domain.name}`] }, ...offers];
  return new NotOne('ambiguous', `${domain.name} is a domain and an order.`, 'Which one do you mean?', all);
}
