import { type Order, orderTarget } from '../../core/account/account.ts';
import type { Power, SeenServer } from '../../core/account/trouble.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';

/** Power takes one request for each server: with more servers than this, only those on the page are read. */
export const powerReadsMost = 60;
/** A list of fifty must not block other requests. */
const readAtOnce = 6;

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

export type ReadServer = SeenServer & { readonly power: Power };

/** Reads the power of these servers, and whether those that are off are so as usual. */
export async function seeServers(
  orders: readonly Order[],
  { reader, bot }: Pick<ReadContext<Reader>, 'bot' | 'reader'>,
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
export async function seeServersToShow(
  orders: readonly Order[],
  context: Pick<ReadContext<Reader>, 'bot' | 'reader'>,
): Promise<ReadServer[]> {
  const errors: ProviderError[] = [];
  const seen = await seeServers(orders, context, (error) => errors.push(error));
  const [first] = errors;
  if (first?.kind === 'unavailable' && errors.length === orders.length) throw first;
  return seen;
}

/** The virtual servers that this person may read, by name. */
export function serversOf(orders: readonly Order[], may: ReadContext<Reader>['may']): Order[] {
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
