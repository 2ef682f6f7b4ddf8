import type { ProviderAnswer } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import type { OrderKind, SimOrder } from '../model.ts';
import { paginated } from '../paginate.ts';

/**
 * The three order lists, filtered by cancel mark and sorted by id or expiry. Ignores invalid values, as the framework
 * does.
 */
export function listOrders(
  call: ProviderRequestCall,
  kind: OrderKind | undefined,
  present: (order: SimOrder) => unknown,
): ProviderAnswer {
  const ordering = call.query.get('ordering') ?? 'id';
  const field = ordering.replace(/^-/, '');
  let orders = call.provider.ordersBy(kind, field === 'expired' ? 'expired' : 'id');
  if (/^-(id|expired)$/.test(ordering)) orders = orders.toReversed();
  const mark = call.query.get('cancel_mark')?.toLowerCase();
  if (mark === 'true' || mark === 'false') orders = orders.filter((order) => String(order.hasCancelMark) === mark);
  return paginated(call, orders, present);
}
