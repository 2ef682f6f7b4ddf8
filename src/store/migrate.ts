import { type Kysely, type SqlBool, sql } from 'kysely';
import { StoreUnavailable } from '../core/view/errors.ts';
import { type Context, dialects, type SqlDialect } from './dialect.ts';
import { first } from './migrations/0001-first.ts';
import type { Schema } from './schema.ts';

/**
 * Migrations run forward only. A released migration is never edited; a later one corrects it. An unreleased one that is
 * edited gets another name, by which the database of an earlier build is recognized.
 */
const migrations = [first];

/** The tables that migrations create, which are all but that of the schema's version. */
export const tables = migrations
  .flatMap(({ statements }) => statements(dialects.sqlite))
  .flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []);

export const newestSchema = Math.max(...migrations.map(({ version }) => version));

/** Applies all missing migrations in one transaction under one lock: a second replica waits, then finds all applied. */
export async function migrate({ db, dialect, now }: Context, label: string, mustExist = false): Promise<void> {
  if (mustExist && (await dialect.table('schema_version').execute(db)).rows.length === 0) throw noDatabase(label);
  await db.transaction().execute(async (transaction) => {
    await dialect.lockSchema(transaction);
    const applied = await appliedTo(transaction, dialect);
    const own = (version: number) => migrations.find((migration) => migration.version === version);
    if (applied.some(({ version, name }) => version <= newestSchema && own(version)?.name !== name)) {
      throw new StoreUnavailable(
        `opening ${label}: an unreleased build made this database; start with an empty database, or restore a backup of a release`,
      );
    }
    const present = Math.max(0, ...applied.map(({ version }) => version));
    if (present > newestSchema) {
      throw new StoreUnavailable(
        `opening ${label}: its schema is version ${present} and this Hostler knows ${newestSchema}; start the newer Hostler again, or restore a backup from before the upgrade`,
      );
    }
    for (const { version, name, statements } of migrations) {
      if (version <= present) continue;
      for (const statement of statements(dialect)) await sql.raw(statement).execute(transaction);
      await transaction.insertInto('schemaVersion').values({ version, name, appliedAt: now() }).execute();
    }
  });
}

export const noDatabase = (label: string) =>
  new StoreUnavailable(
    `opening ${label}: Hostler has not set up this database, and this command does not; set DATABASE_URL to the database that the bot uses`,
  );

/** Whether a newer version has changed the schema since this process opened it. */
export async function isOutdated(db: Kysely<Schema>): Promise<boolean> {
  const row = await db
    .selectFrom('schemaVersion')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  return (row?.version ?? 0) > newestSchema;
}

/** A condition that leaves rows to a newer version, once it has changed the schema. */
export const isCurrent = sql<SqlBool>`(select max(version) from schema_version) <= ${newestSchema}`;

async function appliedTo(transaction: Kysely<Schema>, { text }: SqlDialect) {
  await sql`create table if not exists schema_version (version bigint primary key, name ${sql.raw(text)} not null, applied_at bigint not null)`.execute(
    transaction,
  );
  return transaction.selectFrom('schemaVersion').select(['version', 'name']).execute();
}
