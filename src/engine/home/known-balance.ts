import { minute } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { BalanceRead } from '../context/last-read.ts';

/** The balance on Home, read at most once a minute for all Homes. */
export interface KnownBalance {
  /** Undefined if the provider does not return it. */
  readonly read: () => Promise<BalanceRead | undefined>;
  /** The last balance; undefined if a request has ended since it was read. */
  readonly last: () => BalanceRead | undefined;
  /** Drops the balance after the end of a request, which may have been billed. */
  readonly forget: () => void;
}

const goodForMs = minute;

export function createKnownBalance(getContext: () => EngineContext): KnownBalance {
  let cached: { readonly at: number; readonly balance: Promise<BalanceRead | undefined> } | undefined;
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
      // A request that ended during the read may have changed the balance.
      if (forgotten === before) last = read;
      return read;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ err: error }, 'could not read the balance for Home');
      return undefined;
    }
  }

  return {
    read: () => {
      const now = getContext().elapsed();
      if (cached === undefined || now - cached.at > goodForMs) cached = { at: now, balance: readNow() };
      return cached.balance;
    },
    last: () => last,
    forget: () => {
      cached = undefined;
      last = undefined;
      forgotten += 1;
    },
  };
}
