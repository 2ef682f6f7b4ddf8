import type { SimulatedProvider } from '../../../sandbox/provider/server.ts';
import { alertRules } from '../../../src/alerts/all.ts';
import type { loadCommands } from '../../../src/commands/load-commands.ts';
import { sources } from '../../../src/commands/option-sources.ts';
import type { EventPoster } from '../../../src/core/command/event-poster.ts';
import type { NameServers } from '../../../src/core/dns/asked.ts';
import { noProber, type Prober } from '../../../src/core/probe/services.ts';
import { defined } from '../../../src/core/text/defined.ts';
import { minute } from '../../../src/core/text/words.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { recordingZones } from '../../../src/engine/zones/zone-recorder.ts';
import { createAccountReader } from '../../../src/provider/account-reader.ts';
import { createProvider, readerOf } from '../../../src/provider/client.ts';
import { createInventory } from '../../../src/provider/inventory.ts';
import { createTransport } from '../../../src/provider/transport.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/database.ts';
import type { TestDatabase } from '../database/databases.ts';
import { patienceMs } from '../suite/patience.ts';
import { type FakeSlack, people } from './fake-slack.ts';
import type { WriteKiller } from './kill-after-write.ts';
import type { Transcript } from './transcript.ts';

/** The engine with its own connections and its own memory, as one process of the bot is. */

/** The settings of the bot that a test chooses. */
export interface ReplicaConfig {
  readonly requestsPerMinute?: number;
  readonly publicUrl?: string;
  /** Whether the bot is paused; `pause` sets it for the next process. */
  readonly isPaused?: boolean;
  readonly auditChannel?: string;
  readonly secretKeys?: readonly [Uint8Array, ...Uint8Array[]];
}

/** The differences between two processes of the bot, such as a new version. */
export interface ProcessOptions {
  readonly timeScale?: number;
  /** The time limit for a response. */
  readonly headersTimeoutMs?: number;
  /** Follows changes of DNS records at these name servers. */
  readonly nameServers?: NameServers;
  /** Posts events. */
  readonly eventPoster?: EventPoster;
  /** Tries the servers from outside. */
  readonly prober?: Prober;
  /** Sees each statement that the process sends. */
  readonly onQuery?: StoreOptions['onQuery'];
  /** The clock of PostgreSQL, which a test cannot move; without it the clock of the process. */
  readonly leaseClock?: StoreOptions['leaseClock'];
  readonly version?: string;
  readonly commands?: Commands;
}

/** The end of a process, and what the next one finds. */
export interface Fate {
  /** Decides after which write it is killed. */
  readonly mortal?: WriteKiller | undefined;
  /** As a process does that starts with a SQLite file, which serves one process. */
  readonly releasesClaims?: boolean;
}

type Commands = Awaited<ReturnType<typeof loadCommands>>;

interface ReplicaOptions extends ProcessOptions, Fate {
  readonly provider: SimulatedProvider;
  readonly database: TestDatabase;
  readonly commands: Commands;
  readonly workspace: FakeSlack;
  readonly messages: Transcript;
  readonly now: () => number;
  readonly changed: () => void;
  readonly log: string[];
  readonly config: ReplicaConfig;
  readonly onOutdated: () => void;
}

export type Replica = Awaited<ReturnType<typeof openReplica>>;

export async function openReplica(options: ReplicaOptions) {
  const { provider, database, messages, now, changed, mortal } = options;
  let isKilled = false;
  const isDead = () => isKilled || mortal?.isDead() === true;
  const note = (line: string) => {
    if (!isDead()) options.log.push(line);
  };
  // Each connection costs the server of the tests 30 ms of processor time.
  const few = { poolSize: 3, provenAtStart: 1 };
  const opened = await openStore(database.url, {
    now,
    ...few,
    ...defined({ onQuery: options.onQuery, leaseClock: options.leaseClock }),
  });
  if (options.releasesClaims === true) await opened.leases.releaseAll();
  const claims = { begun: 0, underWay: 0 };
  const guarded = mortal === undefined ? opened : mortal.guardAll(opened);
  const store = { ...guarded, turns: countingClaims(guarded.turns, claims) };
  const transport = createTransport({
    baseUrl: provider.url,
    apiKey: provider.key,
    headersTimeoutMs: options.headersTimeoutMs ?? patienceMs,
    retryDelayMs: 5,
  });
  const client = createProvider(transport);
  const log = {
    debug: () => {},
    info: () => {},
    warn: (fields: object, message: string) => note(`warn ${message} ${say(fields)}`),
    error: (fields: object, message: string) => note(`error ${message} ${say(fields)}`),
  };
  const reader = recordingZones(readerOf(client), { store, now, log });
  const running = createEngine(
    {
      store,
      provider: client,
      takeWriteSlot: transport.takeWriteSlot,
      reader,
      accountReader: createAccountReader(createInventory(reader, { now })),
      commands: options.commands,
      alertRules: alertRules,
      nameServers: options.nameServers,
      prober: options.prober ?? noProber('this test has no servers'),
      eventPoster: options.eventPoster ?? { whyNot: () => undefined, post: async () => 200 },
      answersWithinMs: 5 * minute,
      optionSources: sources,
      directory: options.workspace.directory,
      messenger: {
        postEphemeral: async (...words) => (isDead() ? undefined : messages.desk.postEphemeral(...words)),
        answer: async (...words) => !isDead() && messages.desk.answer(...words),
        replace: async (...words) => !isDead() && messages.desk.replace(...words),
      },
      settings: {
        version: options.version ?? '0.0.0-test',
        admins: [people.admin ?? ''],
        secretKeys: [new Uint8Array(32).fill(7)],
        requestsPerMinute: 1_000,
        publicUrl: undefined,
        isPaused: false,
        auditChannel: undefined,
        ...options.config,
      },
      now,
      log,
      meter: { request: changed, operation: changed, watched: changed },
    },
    { timeScale: options.timeScale ?? 0.01, onOutdated: options.onOutdated },
  );
  await running.start();
  const stopDelivering = messages.deliver(running);
  let isHalted = false;
  const halt = async () => {
    if (isHalted) return;
    isHalted = true;
    stopDelivering();
    await running.stop();
    await transport.close();
  };
  return {
    ...running,
    store,
    claims,
    takeWriteSlot: transport.takeWriteSlot,
    isDead,
    /** The killed process loses its memory; its connection to the database stays open for the test. */
    halt,
    stop: async () => {
      await halt();
      await store.close();
    },
    /** Looks like a killed process from outside: from this moment on none of its calls reaches the database. */
    kill: async () => {
      isKilled = true;
      isHalted = true;
      stopDelivering();
      void transport.close();
      await store.close().catch(() => undefined);
      await running.stop().catch(() => undefined);
    },
  };
}

function countingClaims(turns: Store['turns'], claims: { begun: number; underWay: number }): Store['turns'] {
  const counting =
    <A extends unknown[], R>(claim: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      claims.begun += 1;
      claims.underWay += 1;
      return claim(...args).finally(() => {
        claims.underWay -= 1;
      });
    };
  return { ...turns, claim: counting(turns.claim), claimDue: counting(turns.claimDue) };
}

function say(fields: object): string {
  const err = 'err' in fields ? fields.err : undefined;
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(fields);
}
