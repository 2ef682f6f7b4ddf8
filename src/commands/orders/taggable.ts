import {
  type Domain,
  domainTarget,
  namesOf,
  type Order,
  orderTarget,
  type Target,
} from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { type Arg, type CommonArg, scalar } from '../../core/command/args.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { ordersCalled, resolveNames } from '../../core/targets/several-orders.ts';
import { type Reading, resolveDomain, resolveOrder } from '../../core/targets/targets.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { everyKind, kindWord } from './read-order.ts';

/** The provider keeps tags of orders and tags of domains, and an order may have the name of a domain. */
export type Taggable =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'domain'; readonly domain: Domain };

const most = 50;

export function taggableTarget(item: Taggable): Target {
  return item.kind === 'order' ? orderTarget(item.order) : domainTarget(item.domain);
}

/** Servers, other orders and domains. The prefix `server:` or `domain:` decides between two of the same name. */
export function taggables(common: CommonArg): Arg<readonly Taggable[]> {
  const read = (words: readonly string[], reading: Reading) => {
    const resolved = resolveNames(words, reading, everyKind, {
      resolve: (name) => called(name, reading),
      joined: (order): Taggable => ({ kind: 'order', order }),
    });
    const unique = [...new Map(resolved.map((item) => [canonical(item), item])).values()];
    if (unique.length === 0)
      throw new Refusal('bad_value', 'Nothing is named.', { hint: 'Name a server, a domain, or tag:web.' });
    if (unique.length <= most) return unique;
    throw new Refusal('bad_value', `That is ${count(unique.length, 'name')} at once.`, {
      hint: `At most ${most} fit on one card: name fewer.`,
    });
  };
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
  return item.kind === 'order' ? item.order.id : `domain:${item.domain.name}`;
}

/** Asks which one is meant, if a domain and an order share the name. */
export function called(word: string, reading: Reading): readonly Taggable[] {
  const [, kind = '', name = word] = /^(server|order|domain):(.*)$/i.exec(word) ?? [];
  const asDomain = (): Taggable[] => [{ kind: 'domain', domain: resolveDomain(name, reading) }];
  if (kind.toLowerCase() === 'domain') return asDomain();
  if (kind !== '') return [{ kind: 'order', order: resolveOrder(name, reading, everyKind) }];
  const wanted = hostIn(word).toLowerCase().replace(/\.$/, '');
  const domain = reading.account.domains.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (domain === undefined) return ordersOrDomain(word, reading, asDomain);
  const orders = reading.account.orders.filter((order) => namesOf(order).some((own) => own.toLowerCase() === wanted));
  const seen = orders.filter((order) => reading.maySee(orderTarget(order)));
  if (seen.length === 0) return asDomain();
  if (!reading.maySee(domainTarget(domain))) return [{ kind: 'order', order: resolveOrder(word, reading, everyKind) }];
  throw severalKinds(domain, seen);
}

function ordersOrDomain(word: string, reading: Reading, asDomain: () => Taggable[]): readonly Taggable[] {
  try {
    return ordersCalled(word, reading, everyKind).map((order) => ({ kind: 'order', order }));
  } catch (error) {
    const isOffered = error instanceof NotOne && error.candidates.length + error.suggestions.length > 0;
    // Of a name with a dot, the domains with a similar name are the better offer.
    if (!(error instanceof NotOne) || isOffered || !/[^.\d]\.[a-z]/i.test(word)) throw error;
    return asDomain();
  }
}

function severalKinds(domain: Domain, orders: readonly Order[]): NotOne {
  const domainOffer = { label: `Domain ${domain.name}`, values: [`domain:${domain.name}`] };
  const offers = orders.slice(0, 4).map((order) => ({
    label: order.kind === 'other' ? `Order ${order.id}` : `${kindWord(order)} ${order.label} (${order.id})`,
    values: [order.id],
  }));
  return new NotOne('ambiguous', `${domain.name} is a domain and an order.`, 'Which one do you mean?', [
    domainOffer,
    ...offers,
  ]);
}
