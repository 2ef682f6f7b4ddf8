import { within } from '../../core/async/within.ts';
import { hour, minute } from '../../core/text/words.ts';
import type { EngineDeps } from './dependencies.ts';

const goodForMs = hour;
const againAfterMs = minute;
/** An answer is worth more without a currency than late. */
const answerWithinMs = 2_000;

/**
 * The currency of the account, which the provider says only with the balance. It hardly ever changes, so it is read once
 * for many answers: once an hour, and once a minute while it is unknown. Undefined while the provider does not say it.
 */
export function createKnownCurrency({
  reader,
  log,
  elapsed,
}: Pick<EngineDeps, 'reader' | 'log'> & { readonly elapsed: () => number }): () => Promise<string | undefined> {
  let known: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading = Promise.resolve();

  async function readNow(): Promise<void> {
    try {
      known = (await reader.account.balance()).currency;
    } catch (error) {
      log.warn({ err: error }, 'reading the currency of the account');
    }
  }

  return async () => {
    const now = elapsed();
    if (now - readAt >= (known === undefined ? againAfterMs : goodForMs)) {
      readAt = now;
      reading = readNow();
    }
    if (known === undefined) await within(reading, answerWithinMs);
    return known;
  };
}
