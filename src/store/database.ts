import { CamelCasePlugin, type CompiledQuery, type Dialect, Kysely, sql } from 'kysely';
import { orLate } from '../core/async/within.ts';
import { defined } from '../core/text/defined.ts';
import { StoreUnavailable } from '../core/view/errors.ts';
import { parseDatabaseUrl, type StoreAddress } from './address.ts';
import { createAudit } from './audit/audit.ts';
import type { ShorterAudit } from './audit/audit-append.ts';
import { createSignatures, unwritable } from './audit/signatures.ts';
import { type Context, clockOf, dialects } from './dialect.ts';
import { createGlass } from './glass.ts';
import { createLeases } from './leases.ts';
import { createLiveness } from './liveness.ts';
import { isOutdated, migrate, noDatabase } from './migrate.ts';
import type { PostgresOptions } from './postgres/dialect.ts';
import { createPresence } from './presence.ts';
import { createAlerts } from './records/alerts.ts';
import { createCards } from './records/cards.ts';
import { createChannels } from './records/channels.ts';
import { createDurations } from './records/durations.ts';
import { createEvents } from './records/events.ts';
import { createForms } from './records/forms.ts';
import { createFreezes } from './records/freezes.ts';
import { createHooks } from './records/hooks.ts';
import { createInbox } from './records/inbox.ts';
import { createLocks } from './records/locks.ts';
import { createMessageStore } from './records/messages.ts';
import { createOperations } from './records/operations.ts';
import { createSecrets } from './records/secrets.ts';
import { createSteps } from './records/steps.ts';
import { createTurns } from './records/turns.ts';
import { createValues } from './records/values.ts';
import { createVotes } from './records/votes.ts';
import { createZoneVersions } from './records/zone-versions.ts';
import { createResponseTimes } from './response-times.ts';
import { createRetention } from './retention.ts';
import type { Schema } from './schema.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

export interface StoreOptions extends Partial<PostgresOptions> {
  now?: () => number;
  /** Sign the end of the audit: the first key signs, all keys verify. Without a key the end is not signed. */
  auditKeys?: readonly Uint8Array[];
  /** The clock that decides leases: by default the database's, or `now` if given. */
  leaseClock?: 'database' | 'now';
  /** Called with each statement, for measurements. Its parameters contain what people wrote. */
  onQuery?: (query: CompiledQuery) => void;
  /** Begins the audit of a new database, and refuses one whose audit is signed with a key that is not among `auditKeys`. */
  writesAudit?: boolean;
  /** Called when the database has lost, or holds another version of, the audit row that this process wrote last. */
  onShorterAudit?: (shorter: ShorterAudit) => void;
  /** Refuses a missing database, or one that the bot has not set up, instead of creating it. */
  mustExist?: boolean;
  /** Replaces the driver: the simulation decides when each statement runs. */
  dialect?: Dialect;
}

const pingTimeoutMs = 3_000;

/** Opens the database that DATABASE_URL names and brings its schema up to date. */
export async function openStore(databaseUrl: string | undefined, options: StoreOptions = {}) {
  const { now = Date.now, leaseClock = options.now === undefined ? 'database' : 'now', onQuery } = options;
  const address = parseDatabaseUrl(databaseUrl);
  const { engine, label } = address;
  const { mustExist = false, writesAudit = false } = options;
  const dialect = await openDialect(address, options);
  const log = onQuery && (({ query }: { query: CompiledQuery }) => onQuery(query));
  const db = new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()], ...defined({ log }) });
  const context: Context = { db, dialect: dialects[engine], now, clock: clockOf(engine, now, leaseClock) };
  const records = createRecords(context, options);
  const { signatures, inbox, audit } = records;
  try {
    await migrate(context, label, mustExist);
    await signatures.begin(writesAudit);
    const refusal = writesAudit ? await signatures.refusal() : undefined;
    if (refusal !== undefined) throw new StoreUnavailable(`opening ${label}: ${unwritable[refusal]}`);
  } catch (error) {
    await db.destroy();
    throw error;
  }

  const close = async () => {
    await Promise.all([inbox.drain(), audit.drain()]);
    await db.destroy();
  };
  return {
    ...records,
    engine,
    /** The database's address for logs, without credentials. */
    label,
    now,
    /** True when a newer version has changed the schema: this process must stop. */
    isOutdated: () => isOutdated(db),
    /** Throws StoreUnavailable when the database does not answer. */
    async ping(): Promise<void> {
      await orLate(sql`select 1`.execute(db), pingTimeoutMs, () => {
        return new StoreUnavailable(`pinging ${label}: no answer within ${pingTimeoutMs / 1000} s`);
      });
    },
    /** How far this machine's clock is ahead of the database's; 0 if both are the same clock. */
    async skewMs(): Promise<number> {
      if (engine === 'sqlite') return 0;
      const before = now();
      const clock = sql<{ at: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
      const { rows } = await clock.execute(db);
      return Math.round((before + now()) / 2 - (rows[0]?.at ?? before));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createRecords(context: Context, options: StoreOptions) {
  return {
    inbox: createInbox(context),
    operations: createOperations(context),
    steps: createSteps(context),
    turns: createTurns(context),
    liveness: createLiveness(context),
    votes: createVotes(context),
    responseTimes: createResponseTimes(context),
    glass: createGlass(context),
    locks: createLocks(context),
    leases: createLeases(context),
    freezes: createFreezes(context),
    messages: createMessageStore(context),
    events: createEvents(context),
    cards: createCards(context),
    secrets: createSecrets(context),
    forms: createForms(context),
    durations: createDurations(context),
    values: createValues(context),
    channels: createChannels(context),
    alerts: createAlerts(context),
    hooks: createHooks(context),
    presence: createPresence(context),
    zoneVersions: createZoneVersions(context),
    retention: createRetention(context),
    audit: createAudit(context, options),
    signatures: createSignatures(context, options.auditKeys),
  };
}

/** A query ends before the lease of a turn (runner.ts), or an answer could be later than the lease that it is about. */
const usualPool: PostgresOptions = { poolSize: 10, provenAtStart: 2, connectTimeoutMs: 5_000, queryTimeoutMs: 5_000 };

/** Loads only the driver of the database in use. */
async function openDialect(address: StoreAddress, options: StoreOptions): Promise<Dialect> {
  if (options.dialect !== undefined) return options.dialect;
  if (address.engine === 'sqlite') {
    const { isFile } = await import('./sqlite/file.ts');
    if (options.mustExist && !isFile(address.file)) throw noDatabase(address.label);
    const { createSqliteDialect } = await import('./sqlite/dialect.ts');
    return createSqliteDialect(address.file);
  }
  const { createPostgresDialect } = await import('./postgres/dialect.ts');
  return createPostgresDialect(address, { ...usualPool, ...options });
}
