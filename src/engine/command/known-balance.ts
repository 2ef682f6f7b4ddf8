import { ProviderError } from '../../core/errors.ts';
import { minute } from '../../core/words.ts';
import type { EngineContext } from '../context/engine-context.ts';

interface Balance {
  readonly balance: number;
  readonly currency: string;
  /** The orders with a mark to be canceled: they are not paid for again. */
  readonly marked: ReadonlySet<string>;
}

/** The balance on Home, read at most once a minute for all who have it open. */
export interface KnownBalance {
  /** Undefined while the provider does not say it. */
  readonly read: () => Promise<Balance | undefined>;
  /** A request ended: it may have cost something. */
  readonly forget: () => void;
}

const goodForMs = minute;

export function createKnownBalance(getContext: () => EngineContext): KnownBalance {
  let known: { readonly at: number; readonly balance: Promise<Balance | undefined> } | undefined;

  async function readNow(): Promise<Balance | undefined> {
    const { reader, log } = getContext();
    try {
      const [{ balance, currency }, marked] = await Promise.all([
        reader.account.balance(),
        reader.orders.list({ cancel_mark: true }),
      ]);
      return { balance, currency, marked: new Set(marked.map(({ id }) => id)) };
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
    forget: () => {
      known = undefined;
    },
  };
}
