import { parseDatabaseUrl } from '../../store/address.ts';
import type { Log } from '../context/dependencies.ts';
import { createEmbeddedRuns, type Runs } from './runs.ts';

/** A SQLite file is one process's own; on PostgreSQL a word goes to whichever replica has time. Loads what is used. */
export async function openRuns(databaseUrl: string | undefined, log: Log): Promise<Runs> {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === 'sqlite') return createEmbeddedRuns();
  return (await import('./postgres-runs.ts')).createPostgresRuns(address, log);
}
