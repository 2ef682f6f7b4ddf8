import { z } from 'zod';
import type { ProviderData } from '../model.ts';
import { numbers } from '../numbers.ts';
import { emptyState } from '../snapshot.ts';
import { seedAccount } from './account.ts';
import { seedMany } from './many.ts';

export const seedSchema = z.union([
  z.enum(['account', 'empty']),
  z.strictObject({ orders: z.int().min(1).max(numbers.ordersSeedMax) }),
]);
export type ProviderSeed = z.infer<typeof seedSchema>;

export function seedState(seed: ProviderSeed, now: number): ProviderData {
  if (seed === 'empty') return emptyState();
  return seed === 'account' ? seedAccount(now) : seedMany(seed.orders, now);
}
