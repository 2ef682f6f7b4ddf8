import { setTimeout as sleep } from 'node:timers/promises';
import { type ProviderOptions, type SimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';
import { type SimulatedSlack, type SlackOptions, startSlack } from '../../../sandbox/slack/server.ts';
import { isEnd } from '../../../src/core/plan/operation.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { keysFor } from '../../../src/core/text/keys.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { openStore, type Store } from '../../../src/store/database.ts';
import type { OperationRow } from '../../../src/store/records/operation-row.ts';
import { type CardsOverTime, watchCards } from '../bot/cards-over-time.ts';
import { messagesOfEnd } from '../bot/end-told.ts';
import { openOperations } from '../bot/open-operations.ts';
import { usualPolicy } from '../bot/policy.ts';
import { writesOf } from '../bot/writes.ts';
import { type Engine, migratedDatabase, type TestDatabase } from '../database/databases.ts';
import { patienceMs } from '../suite/patience.ts';
import { type BotProcess, startBotProcess } from './bot-process.ts';
import { type PeopleOverTime, watchPeople } from './people-over-time.ts';
import { secretKey, settingsOf } from './simulators.ts';

/** Everything around the bot and the bot itself as a process: a Slack, a provider, a database, and any number of bots. */

export const opsGroup = 'S0OPS00001';

/** Between two looks at what a test waits for. */
const longestPauseMs = 200;

export type Mode = 'socket' | 'http';

/**
 * A Slack that waits: its three seconds belong to the tests that are about them, and a busy machine takes longer. Not for
 * tests in which the bot is killed, where people repeat what was not answered.
 */
export const patientSlack: SlackOptions = { ackTimeoutMs: patienceMs, triggerLifeMs: patienceMs };

export interface TestSystemOptions {
  readonly mode?: Mode;
  readonly engine?: Engine;
  readonly bots?: number;
  readonly provider?: ProviderOptions;
  readonly slack?: SlackOptions;
  readonly policy?: Policy | null;
  readonly env?: Readonly<Record<string, string>>;
  /** The file to run; the bot's own main file unless said otherwise. */
  readonly main?: string;
  /** A database that is there already, such as one in a PostgreSQL of the test's own. */
  readonly database?: TestDatabase;
}

export interface TestSystem {
  readonly slack: SimulatedSlack;
  readonly provider: SimulatedProvider;
  readonly database: TestDatabase;
  /** A second connection, beside the bots' own. */
  readonly store: Store;
  readonly bots: BotProcess[];
  /** Members of groups and deactivated people at each moment. */
  readonly peopleOverTime: PeopleOverTime;
  readonly cardsOverTime: CardsOverTime;
  /** Starts another bot; in HTTP mode Slack calls the newest. */
  readonly start: (more?: Readonly<Record<string, string>>, main?: string) => Promise<BotProcess>;
  /** SIGKILL at this moment, and a new process in its place. */
  readonly crash: (which?: number) => Promise<BotProcess>;
  readonly allow: (channel: string, policy?: Policy) => Promise<void>;
  readonly policyOf: (channel: string) => Promise<Policy | undefined>;
  /** A separate channel with the usual people, with a policy. */
  readonly channel: (name: string, policy?: Policy | null) => Promise<string>;
  readonly until: <T>(
    look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
    what: string | (() => string),
    withinMs?: number,
  ) => Promise<T>;
  readonly operation: (fits: (row: OperationRow) => boolean, what: string, withinMs?: number) => Promise<OperationRow>;
  /** Waits until only requests that wait for people are open, and all messages delivered; `resting` are left out. */
  readonly settle: (withinMs?: number, resting?: (row: OperationRow) => Promise<boolean>) => Promise<void>;
  /** The writes that the provider received, `POST /vps/34-12345/restart/`. */
  readonly writes: () => string[];
  readonly close: () => Promise<void>;
}

export async function startSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const { mode = 'socket', engine = 'sqlite', bots: count = 1 } = options;
  const slack = await startSlack(options.slack ?? {});
  const provider = await startProvider({ jobMs: 5, ...options.provider });
  const database = options.database ?? (await migratedDatabase(engine));
  // The policies that are saved before the first bot starts need an audit that has begun.
  const keys = [Buffer.from(secretKey, 'base64')];
  const store = await openStore(database.url, { auditKeys: keysFor(keys, 'audit head'), writesAudit: true });
  const policies = createPolicies(store, {
    channel: async (id) => ({ id, name: id, isPrivate: false, isShared: false, isArchived: false, hasBot: true }),
  });
  const bots: BotProcess[] = [];
  const peopleOverTime = watchPeople(slack);
  const cardsOverTime = watchCards(slack);
  const { SLACK_APP_TOKEN, ...settings } = settingsOf(slack, provider);
  const env = {
    ...settings,
    ...(mode === 'socket' ? { SLACK_APP_TOKEN } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    HOSTLER_RATE_PER_MINUTE: '10000',
    DATABASE_URL: database.url,
    ...options.env,
  };

  const start = async (more: Readonly<Record<string, string>> = {}, main = options.main) => {
    const bot = await startBotProcess({ ...env, ...more }, main);
    bots.push(bot);
    if (mode === 'http') slack.sim.setRequestUrl(`http://127.0.0.1:${bot.port}/slack/events`);
    // The bot is ready with its first socket; the second one follows.
    else {
      const isWhole = async () => (await bot.get('/metrics')).text.includes('hostler_sockets_connected 2');
      const alive = () => bots.filter((one) => one.isAlive()).length;
      await until(async () => slack.sim.connections() >= 2 * alive() && (await isWhole()), 'both sockets');
    }
    return bot;
  };

  async function until<T>(
    look: () => T | undefined | false | null | Promise<T | undefined | false | null>,
    what: string | (() => string),
    withinMs = patienceMs,
  ): Promise<T> {
    const beganAt = Date.now();
    for (;;) {
      const found = await Promise.resolve()
        .then(look)
        .catch((error: unknown) => {
          // A database that a test has stopped is one more thing to wait for.
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      if (found !== undefined && found !== false && found !== null) return found;
      const waitedMs = Date.now() - beganAt;
      if (waitedMs > withinMs)
        throw new Error(
          `waited ${withinMs} ms in vain for ${typeof what === 'string' ? what : what()}\n${await describeState()}`,
        );
      // Rows of another process change without an event. A hundred people who wait look at them at the same time, so the
      // longer a wait has taken the longer is the next pause.
      await sleep(Math.min(Math.max(5, waitedMs / 10), longestPauseMs));
    }
  }

  /** Describes the state for the error of a wait that timed out. */
  async function describeState(): Promise<string> {
    const rows = await store.operations.list({ limit: 20 }).catch(() => []);
    const lines = rows.map((row) => `${row.id} ${row.command} ${row.state} ${row.endText ?? ''}`);
    const unfinished = await store.inbox.unfinished(20, 3_600_000).catch(() => []);
    lines.push(...unfinished.map((row) => `taken in and not finished: ${row.key}`));
    const logs = bots.flatMap((bot) =>
      bot.log.filter(({ level }) => level !== 'debug' && level !== 'info').map(({ text }) => text.slice(0, 400)),
    );
    return [...lines, ...logs.slice(-20), slack.sim.transcript('#ops').slice(-2_000)].join('\n');
  }

  /** The work that is not at rest yet, in words. */
  async function unsettled(resting: (row: OperationRow) => Promise<boolean>): Promise<string | undefined> {
    // A stored request of a killed process is resumed when its claim expires.
    const [taken] = await store.inbox.unfinished(1, 3_600_000);
    if (taken !== undefined) return `${taken.key} is taken in`;
    for (const row of await openOperations(store))
      if (row.state !== 'waiting' && !(await resting(row))) return `${row.id} is ${row.state}: ${JSON.stringify(row)}`;
    for (const row of await store.operations.list({ limit: 1_000 })) {
      // A bot releases a turn after it stored how the turn ended.
      if (row.turnUntil > Date.now()) return `${row.id} has a turn under way`;
      if (isEnd(row.state) && (await messagesOfEnd(store, row)) === undefined) return `the end of ${row.id} is not put`;
    }
    const count = await store.messages.pending();
    return count > 0 ? `${count} messages are not delivered` : undefined;
  }

  const system: TestSystem = {
    slack,
    provider,
    database,
    store,
    bots,
    peopleOverTime,
    cardsOverTime,
    start,
    crash: async (which = 0) => {
      const [bot] = bots.splice(which, 1);
      await bot?.end('SIGKILL');
      return start();
    },
    allow: async (channel, policy = usualPolicy(opsGroup)) => {
      const version = (await policies.get(channel))?.version ?? 0;
      if (!(await policies.save(channel, policy, version))) throw new Error(`the policy of ${channel} was not saved`);
    },
    policyOf: policies.get,
    channel: async (name, policy = usualPolicy(opsGroup)) => {
      const ops = slack.sim.state().channels.find((channel) => channel.name === 'ops');
      const { id } = slack.sim.addChannel({ name, members: [...(ops?.members ?? [])] });
      if (policy !== null) await system.allow(id, policy);
      return id;
    },
    until,
    operation: (fits, what, withinMs) =>
      until(async () => (await store.operations.list({ limit: 500 })).find(fits), what, withinMs),
    settle: async (withinMs, resting = async () => false) => {
      let missing = '';
      const isSettled = async () => {
        missing = (await unsettled(resting)) ?? '';
        return missing === '';
      };
      await until(isSettled, () => `everything to settle: ${missing}`, withinMs);
    },
    writes: () => writesOf(provider.sim).map(({ request }) => request),
    close: async () => {
      await Promise.all(bots.map((bot) => bot.end('SIGKILL')));
      await store.close();
      await slack.close();
      await provider.close();
      await database.drop();
    },
  };
  try {
    if (options.policy !== null) await system.allow('C0OPS00001', options.policy ?? usualPolicy(opsGroup));
    for (let n = 0; n < count; n++) await start();
  } catch (error) {
    await system.close();
    throw error;
  }
  return system;
}
