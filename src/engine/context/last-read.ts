import type { Balance } from '../../provider/endpoints/account.ts';
import type { ProviderOrder } from '../../provider/endpoints/orders.ts';
import type { PowerStatus } from '../../provider/endpoints/vps.ts';
import type { ItemList } from '../../provider/items.ts';

/** The last reads for Home, each with its time. */
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
  /** Orders marked for cancellation, which will not be billed again. */
  readonly marked: ItemList<ProviderOrder>;
  readonly readAt: number;
}
