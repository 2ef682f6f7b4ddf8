import { ProviderError } from '../../core/errors.ts';
import { money } from '../../core/words.ts';
import type { Reader } from '../../provider/client.ts';

/** Plans come with bare numbers; the currency is the account's. Without it the numbers stay bare. */
export async function priceWriter(reader: Reader): Promise<(price: number) => string> {
  try {
    const { currency } = await reader.account.balance();
    return (price) => money(price, currency);
  } catch (error) {
    if (error instanceof ProviderError) return (price) => price.toLocaleString('en-US', { maximumFractionDigits: 4 });
    throw error;
  }
}

/** A price of a part of a cent, as disks have them per GB. */
export function finePrice(price: number, write: (price: number) => string): string {
  return write(1).replace('1', price.toLocaleString('en-US', { maximumFractionDigits: 4 }));
}
