import type { Context } from '../dialect.ts';
import type { SecretsTable } from '../schema.ts';

export type SecretRow = SecretsTable;

interface NewSecret {
  id: string;
  userId: string;
  operationId?: string;
  title: string;
  /** Sealed by the caller: the store never sees the secret. */
  sealed: string;
  expiresAt: number;
}

export function createSecrets({ db }: Context) {
  return {
    async put({ operationId, ...secret }: NewSecret): Promise<void> {
      await db
        .insertInto('secrets')
        .values({ ...secret, operationId: operationId ?? null })
        .execute();
    },

    /** Deletes the secret and returns it, only to the person it belongs to. */
    claim: (id: string, userId: string, at: number): Promise<SecretRow | undefined> =>
      db
        .deleteFrom('secrets')
        .where('id', '=', id)
        .where('userId', '=', userId)
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst(),

    list: (at: number): Promise<SecretRow[]> =>
      db.selectFrom('secrets').selectAll().where('expiresAt', '>', at).orderBy('id').execute(),

    /** False if the secret was revealed or resealed meanwhile. */
    async reseal(id: string, before: string, after: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('secrets')
        .set({ sealed: after })
        .where('id', '=', id)
        .where('sealed', '=', before)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Deletes the expired secrets and returns each of them once. */
    purge: (at: number): Promise<Omit<SecretRow, 'sealed'>[]> =>
      db
        .deleteFrom('secrets')
        .where('expiresAt', '<=', at)
        .returning(['id', 'userId', 'operationId', 'title', 'expiresAt'])
        .execute(),
  };
}
