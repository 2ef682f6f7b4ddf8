import type { SweepContext } from '../core/alert/alert-rule.ts';
import { ProviderError } from '../core/view/errors.ts';
import type { Reader } from '../provider/client.ts';

/** Tests once a sweep whether the provider answers; shares the read with the balance rule. */
export async function checkApi({ reader, once }: SweepContext<Reader>): Promise<ProviderError | undefined> {
  try {
    await once('balance', () => reader.account.balance());
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}
