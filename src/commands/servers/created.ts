import { z } from 'zod';
import type { Receipt, Verdict } from '../../core/plan/plan.ts';
import { list } from '../../core/text/words.ts';
import { ifReadable } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import { verdictOf } from '../outcome.ts';
import { type CreationBody, creationBody } from './creation-parts.ts';
import { powerOf } from './see-servers.ts';

export const creationStep = z.object({
  body: creationBody,
  /** Earlier orders that could be mistaken for the new one. */
  known: z.array(z.string()),
  /** The balance before the order; null if it could not be read. */
  balance: z.number().nullable(),
});
type CreationStep = z.infer<typeof creationStep>;

/** The id of the new order, if the provider named it. */
export function orderIn(receipt: Receipt | undefined): string | undefined {
  return z.object({ orderId: z.string() }).safeParse(receipt?.data).data?.orderId;
}

/** Verifies that the order is active and the server is on. */
export async function createdOrder(reader: Reader, receipt: Receipt | undefined): Promise<Verdict> {
  const id = orderIn(receipt);
  if (id === undefined) return { is: 'unsure', text: 'the provider named no order' };
  const { status, ipaddress_set } = await reader.vpsOrders.read({ order_id: id });
  if (status === 'canceled' || status === 'blocked' || status === 'disabled') {
    return { is: 'not', text: `order ${id} is ${status}: the server was not made`, isFinal: true };
  }
  const power = status === 'active' ? await powerOf(reader, id) : 'unknown';
  const addresses = ipaddress_set.length === 0 ? '' : `, ${ipaddress_set.join(', ')}`;
  const isOn = status === 'active' && power === 'on';
  return verdictOf(isOn, `order ${id} is ${status}, and the power is ${power}${addresses}`);
}

/**
 * Reads the orders that could be mistaken for the new one, and the balance. The list is required: without it, a lost
 * response could not be resolved.
 */
export async function beforeCreation(body: CreationBody, reader: Reader): Promise<Omit<CreationStep, 'body'>> {
  const [orders, balance] = await Promise.all([reader.vpsOrders.list(), ifReadable(reader.account.balance())]);
  const earlier = orders.filter((order) => order.name === (body.name ?? '')).map((order) => order.id);
  return { known: earlier, balance: balance?.balance ?? null };
}

/**
 * Resolves a lost response, for which only an order is proof: exactly one new order with the requested properties.
 * Without one, the balance shows whether something was paid.
 */
export async function lookForOrder({ body, known: earlier, balance }: CreationStep, reader: Reader): Promise<Verdict> {
  const tags = body.tags ?? [];
  const all = await reader.vpsOrders.list();
  const fresh = all.filter(
    (order) =>
      !earlier.includes(order.id) &&
      order.name === (body.name ?? '') &&
      order.status !== 'canceled' &&
      tags.every((tag) => order.tags.includes(tag)),
  );
  const called = body.name === undefined ? 'without a name' : `called ${body.name}`;
  const [only] = fresh;
  if (only !== undefined && fresh.length === 1) {
    return { is: 'so', text: `order ${only.id} is there, new and ${called}: it is ${only.status}` };
  }
  if (fresh.length > 1) {
    return { is: 'unsure', text: `several new orders ${called} are there: ${list(fresh.map((order) => order.id))}` };
  }
  const odd = all.unreadable.find(({ id }) => !earlier.includes(id));
  if (odd !== undefined) return { is: 'unsure', text: `order ${odd.id} is new, and what it is cannot be read` };
  return paidFor(`no new order ${called} is in the account`, balance, reader);
}

async function paidFor(none: string, before: number | null, reader: Reader): Promise<Verdict> {
  const now = await ifReadable(reader.account.balance());
  if (now === undefined) return { is: 'unsure', text: `${none}, and the balance could not be read` };
  // A higher balance means that someone paid in, which may hide a payment.
  if (before !== null && now.balance === before) {
    return { is: 'not', text: `${none}, and the balance is what it was right before` };
  }
  const fall = before === null ? '' : `: it is ${now.balance < before ? 'lower' : 'higher'} than right before`;
  return { is: 'unsure', text: `${none}, yet the balance does not rule it out${fall}` };
}
