import { hash, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bot, startBot } from '../../src/bot.ts';
import type { Cli } from '../../src/cli/cli.ts';
import { untilSignal } from '../../src/cli/until-signal.ts';
import { configExitCode, type LiveConfig, readConfig } from '../../src/config.ts';
import { isEnd, timedStates } from '../../src/core/plan/operation.ts';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import { CliError } from '../../src/core/view/errors.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { readOperationLeniently } from '../../src/engine/operation/read-operation.ts';
import { createLogger } from '../../src/log.ts';
import { OptionError } from '../claim-port.ts';
import type { AccountCopy } from '../copy/copy.ts';
import { freePort } from '../free-port.ts';
import { drillNames, type Holding } from '../page-server/situations.ts';
import { offOnPurpose } from '../provider/seed/account.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox.ts';
import { seedIds } from '../slack/seed.ts';
import { openCopy } from './open-copy.ts';
import { bookSchema } from './read-book.ts';

const dataDir = './data/sandbox';
const mostScheduled = 100;

/** `hostler sandbox` ignores the settings of a bot. It opens the made-up account, or a copy of another one. */
export async function runSandboxCommand({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({
    // Without a name, chance decides.
    args: argv.map((word, n) => (word === '--drill' && !/^\w/.test(argv[n + 1] ?? '') ? '--drill=any' : word)),
    options: {
      copy: { type: 'boolean' },
      from: { type: 'string' },
      save: { type: 'string' },
      drill: { type: 'string' },
      port: { type: 'string' },
    },
  });
  const { HOSTLER_HOST, PORT, LOG_LEVEL } = process.env;
  const reading = readConfig({ HOSTLER_HOST, LOG_LEVEL, PORT: values.port ?? PORT });
  if (reading.kind === 'problems') throw new CliError(reading.lines.join('\n'), { exitCode: configExitCode });
  if (reading.kind !== 'sandbox') throw new Error('the settings of the sandbox were read as those of a bot');
  const drill =
    values.drill === 'any'
      ? drillNames[randomInt(drillNames.length)]
      : drillNames.find((name) => name === values.drill);
  if (values.drill !== undefined && drill === undefined)
    throw new CliError(`--drill ${values.drill} is no drill. There are: ${drillNames.join(', ')}.`);
  const copy = await openCopy(values, print);
  // As `hostler start`, the process does not wait for the timers of libraries.
  process.exit(await runSandbox(reading, print, { copy, ...(drill === undefined ? {} : { drill }) }));
}

/** Runs the real bot with a simulated Slack and a simulated provider on one machine. */
export async function runSandbox(
  { host, port }: { host: string; port: number; logLevel: string },
  print: (line: string) => void,
  { copy, ...more }: Pick<SandboxOptions, 'copy' | 'drill' | 'jobMs'> = {},
): Promise<number> {
  using folder = copy === undefined ? undefined : temporaryFolder();
  const wanted = folder?.path ?? process.env.HOSTLER_SANDBOX_DIR ?? dataDir;
  const options = { host, port, dataDir: wanted, log: print, copy, ...more };
  const sandbox = await startSandbox(options).catch((error: unknown) => {
    throw error instanceof OptionError ? new CliError(error.message) : error;
  });
  try {
    const stop = await startBotIn(sandbox);
    const stopped = untilSignal();
    print(`Hostler's sandbox is at ${sandbox.url}`);
    await stopped;
    await stop();
    return 0;
  } finally {
    await sandbox.close();
  }
}

/** The folder of a copy, which nobody else may read and which is removed at the end. */
function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'hostler-copy-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the real bot in a sandbox, also each time that the sandbox starts over. Resolves with the function that stops it. */
export async function startBotIn(sandbox: Sandbox): Promise<() => Promise<void>> {
  const botPort = await freePort();
  const reading = readConfig({
    ...sandbox.env,
    // The address for the simulated provider's reports of new servers, and for trying monitoring's hooks.
    HOSTLER_PUBLIC_URL: `http://127.0.0.1:${botPort}`,
    PORT: String(botPort),
    DATABASE_URL: join(sandbox.dataDir, 'hostler.db'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  });
  if (reading.kind !== 'live') throw new CliError('the sandbox could not be configured');
  const config: LiveConfig = { ...reading.config, slack: { ...reading.config.slack, host: '127.0.0.1' } };
  let bot = await openBot(sandbox, config);
  sandbox.onStartOver(async () => {
    sandbox.machine.begin();
    await bot.stop();
    await bot.forget();
    return async () => {
      bot = await openBot(sandbox, config);
    };
  });
  sandbox.onBot({
    nextHour: () => nextHourOf(bot),
    held: (person) => heldBy(bot, person),
    endOf: async (request) => {
      const state = (await bot.store.operations.find(request))?.state;
      return state !== undefined && isEnd(state) ? state : undefined;
    },
  });
  return async () => {
    sandbox.machine.begin();
    await bot.stop();
  };
}

async function openBot(sandbox: Sandbox, config: LiveConfig) {
  const log = createLogger({ level: config.logLevel, secrets: config.secrets });
  const { now, nameServersAt, proberAt } = sandbox;
  const bot = await startBot(config, log, { now, nameServersAt, proberAt });
  const policies = createPolicies(bot.store, bot.directory);
  for (const channel of sandbox.policyChannels) {
    if ((await policies.get(channel)) !== undefined) continue;
    await policies.save(channel, sandboxPolicy(sandbox.team.group), 0);
    await bot.store.values.write('power', { [offOnPurpose]: { usual: 'off', seen: 'off' } }, sandbox.now());
  }
  if (sandbox.copy !== undefined) await writeBook(bot, sandbox.copy, now());
  const secret = hash('sha256', `machine ${sandbox.env.HOSTLER_SECRET_KEY}`);
  const row = { id: 'machines', kind: 'token', name: 'ci', tokenHash: hash('sha256', secret) } as const;
  const rights = { channel: sandbox.team.channel, createdBy: seedIds.operator, mayWrite: 1 };
  // As `/host token add ci writes=yes` does. The row is there after a restart, even if the token was revoked.
  await bot.store.hooks.add({ ...row, ...rights, expiresAt: now() + 365 * 86_400_000 }).catch(() => false);
  sandbox.machine.begin({ url: config.publicUrl ?? '', token: `hst_machines.${secret}` });
  return bot;
}

/** Writes what the bot of the copied account remembers: policies, saved plans, and servers that are off. */
async function writeBook({ store, directory }: Bot, copy: AccountCopy, now: number): Promise<void> {
  const { policies, plans } = bookSchema.parse(copy);
  const saved = createPolicies(store, directory);
  for (const [channel, policy] of Object.entries(policies))
    if ((await saved.get(channel)) === undefined) await saved.save(channel, policy, 0);
  await store.values.write('plans', plans, now);
  const off = copy.vps.filter(({ power }) => power === 'off');
  const usual = { usual: 'off', seen: 'off' };
  await store.values.write('power', Object.fromEntries(off.map(({ id }) => [id, usual])), now);
}

/** The next hour of a scheduled request or the next end of a countdown. */
async function nextHourOf({ store }: Pick<Bot, 'store'>): Promise<number | undefined> {
  const waiting = await store.operations.list({ states: timedStates, limit: mostScheduled });
  const moments = waiting.flatMap(({ state, startsAt, readyAt }) => (state === 'cooling' ? readyAt : startsAt) ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

async function heldBy({ store, directory }: Bot, person: string): Promise<Holding[]> {
  const [requests, tokens, policies] = await Promise.all([
    store.operations.list({ requester: person, open: true, limit: mostScheduled }),
    store.hooks.listAll('token'),
    createPolicies(store, directory).all(),
  ]);
  const grants = [...policies].flatMap(([channel, { grants }]) => grants.map((grant) => ({ channel, ...grant })));
  return [
    ...requests.map(readOperationLeniently).map(({ id, plan, state }) => {
      const isPending = !timedStates.includes(state);
      return { id, kind: 'request' as const, text: `the request “${plan.title}”`, isPending };
    }),
    ...tokens
      .filter(({ createdBy }) => createdBy === person)
      .map(({ id, name }) => ({ id, kind: 'token' as const, text: `the token ${name}` })),
    ...grants
      .filter(({ to }) => to.includes(`user:${person}`))
      .map(({ channel, can }) => ({ id: channel, kind: 'right' as const, text: `the right to ${can.join(', ')}` })),
  ];
}

/** A typical first policy: everyone reads, the ops group works, a second person approves dangerous actions. */
function sandboxPolicy(ops: string): Policy {
  return policySchema.parse({
    grants: [
      { to: ['everyone'], can: ['read'] },
      {
        to: [`group:${ops}`],
        can: ['read', 'billing', 'operate', 'dns', 'organize', 'destroy', 'secrets', 'spend', 'tickets'],
      },
    ],
    rules: {
      dangerous: { approve: 1, by: [`group:${ops}`] },
      destructive: { approve: 1, by: [`group:${ops}`], typed: true, wait: '5m' },
    },
  });
}
