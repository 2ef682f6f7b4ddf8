import { minute } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { BalanceRead } from '../context/last-read.ts';

/** The balance on Home, read at most once a minute for all who have it open. */
export interface KnownBalance {
  /** Undefined while the provider does not say it. */
  readonly read: () => Promise<BalanceRead | undefined>;
  /** The last one that was read, while no request ended since. */
  readonly last: () => BalanceRead | undefined;
  /** A request ended: it may have cost something. */
  readonly forget: () => void;
}

const goodForMs = minute;

export function createKnownBalance(getContext: () => EngineContext): KnownBalance {
  let known: { readonly at: number; readonly balance: Promise<BalanceRead | undefined> } | undefined;
  let last: BalanceRead | undefined;
  let forgotten = 0;

  async function readNow(): Promise<BalanceRead | undefined> {
    const { reader, log, now } = getContext();
    const [readAt, before] = [now(), forgotten];
    try {
      const [balance, marked] = await Promise.all([
        reader.account.balance(),
        reader.orders.list({ cancel_mark: true }),
      ]);
      const read: BalanceRead = { balance, marked, readAt };
      // A request that ended meanwhile may have changed it.
      if (forgotten === before) last = read;
      return read;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ err: error }, 'reading the balance for Home');
      return undefined;
    }
  }

  return {
    read: () => {
      const now = getContext().elapsed();
      if (known === undefined || now - known.at > goodForMs) known = { at: now, balance: readNow() };
      return known.balance;
    },
    last: () => last,
    forget: () => {
      known = undefined;
      last = undefined;
      forgotten += 1;
    },
  };
}
