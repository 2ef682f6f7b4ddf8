import type { Verdict } from '../../core/plan/plan.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';

/** The verdict for a canceled order. */
export const isCanceled = 'the order is canceled';

/** Reads whether an order is canceled or marked for cancellation. */
export async function cancelVerdict(id: string, reader: Reader): Promise<Verdict> {
  try {
    const { status, cancel_mark: mark } = await reader.orders.read({ order_id: id });
    if (status === 'canceled') return { is: 'so', text: isCanceled };
    if (mark === null)
      return { is: 'unsure', text: `the order is ${status}; the provider does not show whether it is marked` };
    return {
      is: mark ? 'so' : 'not',
      text: mark ? 'the cancellation is set' : `the cancellation is not set; the order is ${status}`,
    };
  } catch (error) {
    // The documentation does not say whether a canceled order can still be read.
    if (error instanceof ProviderError && error.kind === 'not_found') {
      return { is: 'so', text: 'the provider no longer has the order' };
    }
    throw error;
  }
}
