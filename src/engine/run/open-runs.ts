import { parseDatabaseUrl } from '../../store/address.ts';
import type { Log } from '../context/dependencies.ts';
import { createEmbeddedRuns, type Runs } from './runs.ts';

/**
 * On SQLite there is one process; on PostgreSQL a job reaches whichever replica has time. Loads only the one that is
 * used.
 */
export async function openRuns(databaseUrl: string | undefined, log: Log): Promise<Runs> {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === 'sqlite') return createEmbeddedRuns();
  return (await import('./postgres-runs.ts')).createPostgresRuns(address, log);
}
