import type { TestDatabase } from '../../support/database/databases.ts';

/** Puts the audit back into the state of a database that was just made. */
export async function emptyAudit({ run }: Pick<TestDatabase, 'run'>): Promise<void> {
  await run('delete from audit');
  await run('delete from audit_head');
  await run(`insert into audit_head (id, seq, hash) values (1, 0, '${'0'.repeat(64)}')`);
}
