import { type Context, hasChanged } from '../dialect.ts';
import type { SecretsTable } from '../schema.ts';

/** Secrets that the caller has sealed: the store never sees them. */
export function createSecrets({ db }: Context) {
  return {
    put: (secret: SecretsTable): Promise<unknown> => db.insertInto('secrets').values(secret).execute(),

    /** Deletes the secret and returns it, only to the person it belongs to. */
    claim: (id: string, userId: string, at: number): Promise<SecretsTable | undefined> =>
      db
        .deleteFrom('secrets')
        .where(({ and }) => and({ id, userId }))
        .where('expiresAt', '>', at)
        .returningAll()
        .executeTakeFirst(),

    list: (at: number) => db.selectFrom('secrets').selectAll().where('expiresAt', '>', at).orderBy('id').execute(),

    /** False if the secret was revealed or resealed meanwhile. */
    reseal: (id: string, before: string, after: string): Promise<boolean> =>
      db
        .updateTable('secrets')
        .set({ sealed: after })
        .where(({ and }) => and({ id, sealed: before }))
        .$call(hasChanged),

    /** Deletes the expired secrets and returns each of them once. */
    purge: (at: number): Promise<Omit<SecretsTable, 'sealed'>[]> =>
      db
        .deleteFrom('secrets')
        .where('expiresAt', '<=', at)
        .returning(['id', 'userId', 'operationId', 'title', 'expiresAt'])
        .execute(),
  };
}
