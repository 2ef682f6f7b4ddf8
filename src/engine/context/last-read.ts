import type { Balance } from '../../provider/endpoints/account.ts';
import type { ProviderOrder } from '../../provider/endpoints/orders.ts';
import type { PowerStatus } from '../../provider/endpoints/vps.ts';
import type { ItemList } from '../../provider/items.ts';

/** The last reads of Home, each with its time. */
export interface LastRead {
  readonly power: (server: string) => PowerRead | undefined;
  readonly balance: () => BalanceRead | undefined;
}

export interface PowerRead {
  readonly power: PowerStatus;
  readonly readAt: number;
}

export interface BalanceRead {
  readonly balance: Balance;
  /** The orders with a mark to be canceled: they are not paid for again. */
  readonly marked: ItemList<ProviderOrder>;
  readonly readAt: number;
}
