import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import { orLate } from '../core/async/within.ts';
import { StoreUnavailable } from '../core/view/errors.ts';
import { parseDatabaseUrl, type StoreAddress } from './address.ts';
import { type Answers, createAnswers } from './answers.ts';
import { type Audit, createAudit } from './audit/audit.ts';
import type { ShorterAudit } from './audit/audit-append.ts';
import { createSignatures, type Signatures, unwritable } from './audit/signatures.ts';
import { type Context, clockOf, dialects, type SqlDialect } from './dialect.ts';
import { createGlass, type GlassRecords } from './glass.ts';
import { createLeases, type Leases } from './leases.ts';
import { createLiveness, type Liveness } from './liveness.ts';
import { isOutdated, migrate, noDatabase } from './migrate.ts';
import { createPresence, type Presence } from './presence.ts';
import { type Alerts, createAlerts } from './records/alerts.ts';
import { type Cards, createCards } from './records/cards.ts';
import { type Channels, createChannels } from './records/channels.ts';
import { type Claims, createClaims } from './records/claims.ts';
import { createDurations, type Durations } from './records/durations.ts';
import { createForms, type Forms } from './records/forms.ts';
import { createFreezes, type Freezes } from './records/freezes.ts';
import { createHooks, type Hooks } from './records/hooks.ts';
import { createInbox, type Inbox } from './records/inbox.ts';
import { createLocks, type Locks } from './records/locks.ts';
import { createMessageStore, type MessageStore } from './records/messages.ts';
import { createOperations, type Operations } from './records/operations.ts';
import { createSecrets, type Secrets } from './records/secrets.ts';
import { createSteps, type Steps } from './records/steps.ts';
import { createTurns, type Turns } from './records/turns.ts';
import { createValues, type Values } from './records/values.ts';
import { createVotes, type Votes } from './records/votes.ts';
import { createZoneVersions, type ZoneVersions } from './records/zone-versions.ts';
import { createRetention, type Retention } from './retention.ts';
import type { Schema } from './schema.ts';

export interface Store {
  engine: SqlDialect['engine'];
  /** The database's address for logs, without credentials. */
  label: string;
  now: () => number;
  inbox: Inbox;
  operations: Operations;
  steps: Steps;
  turns: Turns;
  liveness: Liveness;
  votes: Votes;
  answers: Answers;
  glass: GlassRecords;
  locks: Locks;
  leases: Leases;
  freezes: Freezes;
  messages: MessageStore;
  cards: Cards;
  audit: Audit;
  secrets: Secrets;
  signatures: Signatures;
  forms: Forms;
  durations: Durations;
  values: Values;
  channels: Channels;
  alerts: Alerts;
  hooks: Hooks;
  presence: Presence;
  zoneVersions: ZoneVersions;
  claims: Claims;
  retention: Retention;
  /** True when a newer version has changed the schema: this process must stop. */
  isOutdated(): Promise<boolean>;
  /** Throws StoreUnavailable when the database does not answer. */
  ping(): Promise<void>;
  /** How far this machine's clock is ahead of the database's; 0 if both are the same clock. */
  skewMs(): Promise<number>;
  /** Closes the store after all pending writes. */
  close(): Promise<void>;
}

/** A statement as it was sent, for measurements. The parameters contain what people wrote. */
export interface StoreQuery {
  sql: string;
  parameters: readonly unknown[];
  durationMs: number;
  isError: boolean;
}

export interface StoreOptions {
  now?: () => number;
  /** Sign the end of the audit: the first key signs, all keys verify. Without a key the end is not signed. */
  auditKeys?: readonly Uint8Array[];
  /** The clock that decides leases: by default the database's, or `now` if given. */
  leaseClock?: 'database' | 'now';
  onQuery?: (query: StoreQuery) => void;
  /** Begins the audit of a new database, and refuses one whose audit is signed with a key that is not among `auditKeys`. */
  writesAudit?: boolean;
  /** Called when the database has lost, or holds another version of, the audit row that this process wrote last. */
  onShorterAudit?: (shorter: ShorterAudit) => void;
  /** Refuses a missing database, or one that the bot has not set up, instead of creating it. */
  mustExist?: boolean;
  /** PostgreSQL only: the most connections that this store opens. */
  poolSize?: number;
  /** PostgreSQL only: connections to open at the start, so that a server with too few of them is noticed then. */
  provenAtStart?: number;
  connectTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** Replaces the driver: the simulation decides when each statement runs. */
  dialect?: Dialect;
}

const pingTimeoutMs = 3_000;

/** Opens the database that DATABASE_URL names and brings its schema up to date. */
export async function openStore(databaseUrl: string | undefined, options: StoreOptions = {}): Promise<Store> {
  const { now = Date.now, leaseClock = options.now === undefined ? 'database' : 'now', onQuery } = options;
  const address = parseDatabaseUrl(databaseUrl);
  const { engine, label } = address;
  const { mustExist = false, writesAudit = false } = options;
  if (mustExist && address.engine === 'sqlite') {
    const { isFile } = await import('./sqlite/file.ts');
    if (!isFile(address.file)) throw noDatabase(label);
  }
  const dialect = await openDialect(address, options);
  const db = new Kysely<Schema>({
    dialect,
    plugins: [new CamelCasePlugin()],
    ...(onQuery !== undefined && {
      log: ({ level, query, queryDurationMillis }) =>
        onQuery({
          sql: query.sql,
          parameters: query.parameters,
          durationMs: queryDurationMillis,
          isError: level === 'error',
        }),
    }),
  });
  const context: Context = {
    db,
    dialect: dialects[engine],
    now,
    clock: clockOf(engine, now, leaseClock),
  };
  const signatures = createSignatures(context, options.auditKeys);
  try {
    await migrate(context, label, mustExist);
    await signatures.begin(writesAudit);
    const refusal = writesAudit ? await signatures.refusal() : undefined;
    if (refusal !== undefined) throw new StoreUnavailable(`opening ${label}: ${unwritable[refusal]}`);
  } catch (error) {
    await db.destroy();
    throw error;
  }

  const inbox = createInbox(context);
  const audit = createAudit(context, options);
  return {
    engine,
    label,
    now,
    inbox,
    operations: createOperations(context),
    steps: createSteps(context),
    turns: createTurns(context),
    liveness: createLiveness(context),
    votes: createVotes(context),
    answers: createAnswers(context),
    glass: createGlass(context),
    locks: createLocks(context),
    leases: createLeases(context),
    freezes: createFreezes(context),
    messages: createMessageStore(context),
    cards: createCards(context),
    audit,
    secrets: createSecrets(context),
    signatures,
    forms: createForms(context),
    durations: createDurations(context),
    values: createValues(context),
    channels: createChannels(context),
    alerts: createAlerts(context),
    hooks: createHooks(context),
    presence: createPresence(context),
    zoneVersions: createZoneVersions(context),
    claims: createClaims(context),
    retention: createRetention(context),
    isOutdated: () => isOutdated(db),
    ping: () => ping(db, label),
    skewMs: () => skewMs(db, engine, now),
    async close() {
      await Promise.all([inbox.drain(), audit.drain()]);
      await db.destroy();
    },
  };
}

/** Loads only the driver of the database in use. */
async function openDialect(
  address: StoreAddress,
  {
    dialect: ownDialect,
    poolSize = 10,
    provenAtStart = 2,
    connectTimeoutMs = 5_000,
    // Below the lease of a turn (runner.ts), or an answer could be later than the lease that it is about.
    queryTimeoutMs = 5_000,
  }: StoreOptions,
): Promise<Dialect> {
  if (ownDialect !== undefined) return ownDialect;
  if (address.engine === 'sqlite') {
    const { createSqliteDialect } = await import('./sqlite/dialect.ts');
    return createSqliteDialect(address.file);
  }
  const { createPostgresDialect } = await import('./postgres/dialect.ts');
  return createPostgresDialect(address, { poolSize, provenAtStart, connectTimeoutMs, queryTimeoutMs });
}

async function skewMs(db: Kysely<Schema>, engine: Store['engine'], now: () => number): Promise<number> {
  if (engine === 'sqlite') return 0;
  const before = now();
  const { rows } = await sql<{
    at: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`.execute(db);
  return Math.round((before + now()) / 2 - (rows[0]?.at ?? before));
}

async function ping(db: Kysely<Schema>, label: string): Promise<void> {
  await orLate(sql`select 1`.execute(db), pingTimeoutMs, () => {
    return new StoreUnavailable(`pinging ${label}: no answer within ${pingTimeoutMs / 1000} s`);
  });
}
