import { openStore, type Store, type StoreOptions } from '../store/database.ts';
import type { Cli } from './cli.ts';

export async function withStore<T>(
  { databaseUrl, auditKeys = [] }: Pick<Cli['config'], 'databaseUrl' | 'auditKeys'>,
  options: Pick<StoreOptions, 'mustExist' | 'writesAudit'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  await using store = await openStore(databaseUrl, { auditKeys, ...options });
  return await work(store);
}
