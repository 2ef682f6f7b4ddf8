import { createMemory } from '../../core/async/memory.ts';
import { within } from '../../core/async/within.ts';
import { hour, minute } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** A response without a currency is better than a late one. */
const answerWithinMs = 2_000;

/**
 * The currency of the account, which the provider returns only with the balance. It rarely changes, so it is read once
 * an hour, and once a minute while unknown.
 */
export function createKnownCurrency({ reader, log, elapsed }: Pick<EngineContext, 'elapsed' | 'log' | 'reader'>) {
  const reads = createMemory<void>({ lifeMs: hour, now: elapsed });
  let currency: string | undefined;

  async function readNow(): Promise<void> {
    try {
      currency = (await reader.account.balance()).currency;
    } catch (error) {
      log.warn({ err: error }, 'could not read the currency of the account');
    }
  }

  return async () => {
    const reading = reads.get('currency', readNow, currency === undefined ? minute : hour);
    if (currency === undefined) await within(reading, answerWithinMs);
    return currency;
  };
}
