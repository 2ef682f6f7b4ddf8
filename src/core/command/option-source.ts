import type { Account } from '../account/account.ts';
import type { FormOption } from '../view/form.ts';

/** A search-as-you-type source that only the provider can list. */
export type OptionSource<R> = (query: {
  readonly text: string;
  readonly reader: R;
  readonly account: Account;
  /** The account's currency, for prices; undefined while unknown. */
  readonly currency: () => Promise<string | undefined>;
  /** The value of the argument that the field depends on. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
}) => Promise<readonly FormOption[]>;
