import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimulatedProvider, startProvider } from '../../sandbox/provider/server.ts';
import { type SimulatedSlack, startSlack } from '../../sandbox/slack/server.ts';
import type { SimMessage } from '../../sandbox/slack/state.ts';
import type { SlackChange } from '../../sandbox/slack/workspace.ts';
import { emptyPolicy, type Rule } from '../../src/core/policy/policy.ts';
import { keysFor } from '../../src/core/text/keys.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { requestPath } from '../../src/slack/print-manifest.ts';
import { openStore } from '../../src/store/database.ts';
import { type AppName, type RunningApp, startApp } from './app.ts';
import { leaveCore } from './cores.ts';
import { pause } from './measure.ts';

/**
 * An app with its own simulated Slack. The simulated Slack and provider, and the benchmark, run in this process; the
 * app runs in another one, so that it shares no event loop with the benchmark.
 */
export interface Stage {
  readonly slack: SimulatedSlack;
  readonly app: RunningApp;
  /** Ms from the command's departure from Slack to its acknowledgement. Throws without an acknowledgement. */
  readonly acknowledged: (line: string) => Promise<number>;
  /** Ms from the command to the first message in the channel. One at a time. */
  readonly answered: (line: string) => Promise<number>;
  /** Sends `total` commands, at most `atOnce` at a time; resolves with the time until all are answered. */
  readonly saturated: (line: string, total: number, atOnce: number) => Promise<number>;
  /** Resolves when this number of operations are done, according to their cards. */
  readonly ended: (count: number) => Promise<void>;
  /**
   * Sends the commands and confirms all cards at once; resolves with the ms from each click to its card's first edit.
   */
  readonly confirmed: (lines: readonly string[]) => Promise<readonly number[]>;
  /** The processor time of all processes of the app. */
  readonly cpuMs: () => number;
  /** The number of SQLite's statements; requires `countFile`. */
  readonly statements: () => Promise<number>;
  /** The number of posted messages, public and ephemeral. */
  readonly posted: () => number;
  /** Resolves when `count` messages were posted since, and no further one for a moment. */
  readonly quiet: (since: number, count: number, restMs?: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface StageOptions {
  readonly app: AppName;
  readonly mode?: 'socket' | 'http';
  readonly folder: string;
  /** The provider; only Hostler uses it. */
  readonly provider?: SimulatedProvider;
  readonly databaseUrl?: string;
  /** The file for the number of SQLite's statements (count-statements.ts). */
  readonly countFile?: string;
  /** The number of processes on the database. */
  readonly replicas?: number;
  readonly rules?: Readonly<Partial<Record<'routine' | 'disruptive', Rule>>>;
  /** True if the app gets its own core. */
  readonly hasCore?: boolean;
}

export const channel = 'C0OPS00001';
const admin = 'U0ADMIN001';
/** Enough people that no one reaches the limit of requests a minute. */
const crowd = 60;
const answerWithinMs = 60_000;
let stages = 0;

export async function openStage({ app: name, mode = 'socket', folder, ...options }: StageOptions): Promise<Stage> {
  const slack = await startSlack();
  const people = await fillChannel(slack);
  const databaseUrl = options.databaseUrl ?? join(folder, `${name}-${++stages}.db`);
  if (name === 'hostler') await grantAll(databaseUrl, options.rules ?? {});
  const env = {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    ...(mode === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    ...(name === 'bare' ? {} : hostlerEnv(databaseUrl, options.provider)),
    ...(options.countFile === undefined ? {} : { BENCH_COUNT: options.countFile }),
  };
  const app = await startApp(name, env, options);
  const others: RunningApp[] = [];
  for (let replica = 1; replica < (options.replicas ?? 1); replica++) others.push(await startApp(name, env));
  if (mode === 'http') slack.sim.setRequestUrl(`http://127.0.0.1:${app.port}${requestPath}`);

  let posted = 0;
  let lastPostAt = performance.now();
  const listeners = new Set<() => void>();
  const ended = new Set<string>();
  const unsubscribe = slack.sim.onChange((change) => {
    if (!isPost(change)) return;
    const message = slack.sim.state().messages.findLast(({ ts }) => ts === change.ts);
    if (message !== undefined && isDone(message)) ended.add(message.ts);
    posted += 1;
    lastPostAt = performance.now();
    for (const listener of [...listeners]) listener();
  });

  let sentCount = 0;
  const send = (line: string) => {
    sentCount += 1;
    if (sentCount % 200 === 0) forget(slack);
    // `people` is never empty.
    return slack.sim.say(people[sentCount % people.length] ?? admin, channel, `/host ${line}`);
  };
  const acknowledged = async (line: string) => {
    const { ackedMs, error } = await send(line);
    if (ackedMs === null) throw new Error(`${name}: /host ${line} was not acknowledged: ${error}`);
    return ackedMs;
  };
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        listeners.delete(check);
        reject(new Error(`${name}: ${posted} messages were posted, more are missing, and none came for a while`));
      }, answerWithinMs);
      const check = () => {
        timer.refresh();
        if (!isReached()) return;
        clearTimeout(timer);
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
    });

  return {
    slack,
    app,
    acknowledged,
    answered: async (line) => {
      const before = posted;
      const startedAt = performance.now();
      const answer = until(() => posted > before);
      await Promise.all([acknowledged(line), answer]);
      return lastPostAt - startedAt;
    },
    saturated: async (line, total, atOnce) => {
      const before = posted;
      const startedAt = performance.now();
      let sent = 0;
      let failure: unknown;
      const more = () => {
        while (sent < total && sent - (posted - before) < atOnce) {
          sent += 1;
          acknowledged(line).catch((error) => {
            failure ??= error;
          });
        }
      };
      listeners.add(more);
      more();
      await until(() => posted - before >= total);
      listeners.delete(more);
      if (failure !== undefined) throw failure;
      return performance.now() - startedAt;
    },
    ended: (count) => until(() => ended.size >= count),
    confirmed: (lines) => confirmAll(slack, lines),
    cpuMs: () => [app, ...others].reduce((sum, replica) => sum + replica.cpuMs(), 0),
    statements: async () => {
      const file = options.countFile ?? '';
      await rm(file, { force: true });
      app.signal('SIGUSR2');
      while (!existsSync(file)) await pause(5);
      return Number(await readFile(file, 'utf8'));
    },
    posted: () => posted,
    quiet: async (since, count, restMs = 150) => {
      await until(() => posted - since >= count);
      while (performance.now() - lastPostAt < restMs) await pause(restMs / 3);
    },
    close: async () => {
      unsubscribe();
      await Promise.all([app, ...others].map((replica) => replica.stop()));
      await slack.close();
    },
  };
}

async function confirmAll({ sim }: SimulatedSlack, lines: readonly string[]): Promise<readonly number[]> {
  const cards = () => sim.messages(channel).filter((message) => JSON.stringify(message.blocks).includes('"Cancel"'));
  for (const line of lines) await sim.say(admin, channel, `/host ${line}`);
  while (cards().length < lines.length) await pause(10);
  const clickedAt = new Map<string, number>();
  const tookMs = new Map<string, number>();
  const { promise: areAllEdited, resolve } = Promise.withResolvers<void>();
  const unsubscribe = sim.onChange(({ ts = '' }) => {
    const since = clickedAt.get(ts);
    if (since === undefined || tookMs.has(ts)) return;
    tookMs.set(ts, performance.now() - since);
    if (tookMs.size === lines.length) resolve();
  });
  const clicks = cards().map(({ ts }) => {
    clickedAt.set(ts, performance.now());
    return sim.click(admin, { channel, ts, isMain: true });
  });
  await Promise.all([...clicks, areAllEdited]);
  unsubscribe();
  return [...tookMs.values()];
}

/** Trims the simulated Slack's history, whose growing length would distort the measurement. */
function forget(slack: SimulatedSlack): void {
  const { messages, ephemerals, triggers, responseUrls } = slack.sim.state();
  for (const list of [messages, ephemerals]) list.splice(0, Math.max(0, list.length - 600));
  for (const table of [triggers, responseUrls]) {
    for (const key of Object.keys(table).slice(0, -600)) delete table[key];
  }
}

/** Whether the message is the card of a request that is done. */
export const isDone = ({ text }: Pick<SimMessage, 'text'>): boolean => /: done in \d/.test(text);

const isPost = ({ kind }: SlackChange): boolean => kind === 'message' || kind === 'ephemeral';

/** The same key for all processes, since several may share a database, whose audit is signed with it. */
const secretKey = randomBytes(32).toString('base64');

function hostlerEnv(databaseUrl: string, provider: SimulatedProvider | undefined): Record<string, string> {
  if (provider === undefined) throw new Error('Hostler needs a provider');
  return {
    HOST_API_URL: provider.url,
    HOST_API_KEY: provider.key,
    HOSTLER_ADMINS: admin,
    HOSTLER_SECRET_KEY: secretKey,
    HOSTLER_DNS_PROPAGATION: 'off',
    HOSTLER_RATE_PER_MINUTE: '10000',
    HOSTLER_HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
  };
}

async function fillChannel(slack: SimulatedSlack): Promise<readonly string[]> {
  const added = await Promise.all(
    Array.from({ length: crowd }, (_, n) => slack.sim.addPerson({ name: `person-${n}` })),
  );
  const here = slack.sim.state().channels.find(({ id }) => id === channel);
  here?.members.push(...added.map(({ id }) => id));
  return added.map(({ id }) => id);
}

/** Grants everyone every right in the channel, so that no request is refused. */
async function grantAll(databaseUrl: string, rules: StageOptions['rules'] & object): Promise<void> {
  const auditKeys = keysFor([Buffer.from(secretKey, 'base64')], 'audit head');
  const store = await openStore(databaseUrl, { auditKeys, writesAudit: true });
  const policies = createPolicies(store, { channel: () => Promise.reject(new Error('nobody is connected yet')) });
  if ((await policies.get(channel)) === undefined) {
    const can = ['read', 'billing', 'operate', 'dns', 'organize'] as const;
    await policies.save(
      channel,
      { ...emptyPolicy, grants: [{ to: ['everyone'], can: [...can], on: ['all'] }], rules },
      0,
    );
  }
  await store.close();
}

/** Opens both apps, each with the same kind of Slack; work alternates between them, so that noise affects both. */
export async function openPair(options: {
  readonly mode?: 'socket' | 'http';
  readonly folder: string;
  readonly provider?: SimulatedProvider;
  /** False for measurements of memory, since V8 collects garbage differently on one core. */
  readonly hasCore?: boolean;
}): Promise<{ hostler: Stage; bare: Stage; provider: SimulatedProvider; close: () => Promise<void> }> {
  const provider = options.provider ?? (await startProvider({ seed: { orders: 20 } }));
  const { hasCore = true } = options;
  leaveCore(hasCore);
  const hostler = await openStage({ ...options, app: 'hostler', provider, hasCore });
  const bare = await openStage({ ...options, app: 'bare', hasCore });
  return {
    hostler,
    bare,
    provider,
    close: async () => {
      await Promise.all([hostler.close(), bare.close()]);
      await provider.close();
      leaveCore(false);
    },
  };
}
