import type { SweepContext } from '../core/alert/alert.ts';
import { ProviderError } from '../core/view/errors.ts';
import type { Reader } from '../provider/client.ts';

/** One read a sweep, shared with the balance rule: whether the provider answers us. */
export async function checkApi({ reader, once }: SweepContext<Reader>): Promise<ProviderError | undefined> {
  try {
    await once('balance', () => reader.account.balance());
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}
