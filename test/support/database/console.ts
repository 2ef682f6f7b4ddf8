import { Client } from 'pg';

/** A separate connection to PostgreSQL. */
export interface Console {
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Commits after the work, and rolls back after its error. */
  inTransaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openConsole(url: string): Promise<Console> {
  // Tests end the server under it, too.
  const client = new Client(url).on('error', () => {});
  await client.connect();
  return {
    run: async (text, values = []) => (await client.query(text, [...values])).rows,
    async inTransaction(work) {
      await client.query('begin');
      try {
        const result = await work();
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    },
    close: () => client.end(),
  };
}
