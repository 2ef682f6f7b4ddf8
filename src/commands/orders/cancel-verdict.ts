import { ProviderError } from '../../core/errors.ts';
import type { Verdict } from '../../core/plan.ts';
import type { Reader } from '../../provider/client.ts';

/** Whether an order is canceled, or marked to be. */
export async function cancelVerdict(id: string, reader: Reader): Promise<Verdict> {
  try {
    const { status, cancel_mark: mark } = await reader.orders.read({ order_id: id });
    if (status === 'canceled') return { is: 'so', text: 'order status: canceled' };
    if (mark === null) return { is: 'unsure', text: `order status: ${status}; the provider does not show its mark` };
    return {
      is: mark ? 'so' : 'not',
      text: mark ? 'cancel mark: set' : `cancel mark: not set, order status: ${status}`,
    };
  } catch (error) {
    // Nobody has published whether a canceled order can still be read.
    if (error instanceof ProviderError && error.kind === 'not_found') {
      return { is: 'so', text: 'the provider has no such order any more' };
    }
    throw error;
  }
}
