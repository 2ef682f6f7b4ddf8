import { type Account, domainTarget, namesOf, type Order, orderTarget } from '../../core/account/account.ts';
import { isSameAddress } from '../../core/account/ip-address.ts';
import { sayState } from '../../core/plan/say-state.ts';
import { byNumbers } from '../../core/text/words.ts';
import type { FormOption } from '../../core/view/form.ts';
import { foundValue } from '../../core/view/intent.ts';
import { accessAt, channelsOf } from '../access/access.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { readOperationLeniently } from '../operation/read-operation.ts';
import { mayReadOn } from './home-reads.ts';

interface Found {
  readonly words: readonly string[];
  readonly option: FormOption;
}

const most = 50;
/** Searches this many of the latest requests; older ones are found with `/host requests`. */
const requestsRead = 100;
/** Options of each kind before anything is typed. */
const firstOfEach = 10;

/** Finds servers, other orders, domains and requests that this person may see, by a part of their names. */
export async function find(context: EngineContext, actor: string, place: Place, text: string) {
  const wanted = text.trim().toLowerCase();
  const access = await accessAt(context, actor, place);
  const account = context.accountReader.peek() ?? (await context.accountReader.read({ staleOk: true }));
  const orders = (kind: Order['kind']) => ordersIn(account, access, kind);
  const kinds = [
    orders('vps'),
    orders('ds'),
    domainsIn(account, access),
    orders('other'),
    await requestsOf(context, actor),
  ];
  if (wanted === '') return kinds.flatMap((results) => results.slice(0, firstOfEach)).map(({ option }) => option);
  return kinds
    .flat()
    .filter(({ words }) => words.some((word) => holds(word, wanted)))
    .toSorted((a, b) => rankOf(a, wanted) - rankOf(b, wanted))
    .slice(0, most)
    .map(({ option }) => option);
}

/** Matches an address in any notation and anything else by a part. */
export function holds(word: string, wanted: string): boolean {
  return word.toLowerCase().includes(wanted) || (wanted !== '' && isSameAddress(word, wanted));
}

/** Ranks names that begin with the typed text first. */
function rankOf({ words }: Found, wanted: string): number {
  return words.some((word) => word.toLowerCase().startsWith(wanted)) ? 0 : 1;
}

const orderKinds = {
  vps: { noun: 'Server', path: 'status' },
  ds: { noun: 'Dedicated server', path: 'ds show' },
  other: { noun: 'Order', path: 'order' },
} as const;

function ordersIn({ orders }: Account, access: Access, kind: Order['kind']): Found[] {
  const { noun, path } = orderKinds[kind];
  return orders
    .filter((order) => order.kind === kind && access.may('read', orderTarget(order)))
    .toSorted((a, b) => byNumbers(a.label, b.label))
    .map((order) => {
      const description = `${noun} · ${order.addresses[0] ?? order.plan}`;
      const words = [...namesOf(order), ...order.tags];
      return foundBy(words, { do: 'open', line: `${path} ${order.id}` }, order.label, description);
    });
}

function domainsIn({ domains }: Account, access: Access): Found[] {
  return domains
    .filter((domain) => access.may('read', domainTarget(domain)))
    .map(({ name, tags }) => foundBy([name, ...tags], { do: 'open', line: `dns list ${name}` }, name, 'Domain'));
}

async function requestsOf(context: EngineContext, actor: string): Promise<Found[]> {
  const [rows, { accesses }] = await Promise.all([
    context.store.operations.list({ limit: requestsRead }),
    channelsOf(context, actor),
  ]);
  return rows
    .map(readOperationLeniently)
    .filter((operation) => mayReadOn(operation, actor, accesses))
    .map(({ id, plan: { title }, state, rule }) =>
      foundBy([title, id], { do: 'review', operation: id }, title, `Request · ${sayState({ state, rule })}`),
    );
}

function foundBy(
  words: readonly string[],
  intent: Parameters<typeof foundValue>[0],
  label: string,
  description: string,
) {
  return { words, option: { value: foundValue(intent), label, description } };
}
