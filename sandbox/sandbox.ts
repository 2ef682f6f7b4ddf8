import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { claimPort } from './claim-port.ts';
import type { AccountCopy } from './copy/copy.ts';
import { slackOfCopy, teamOf } from './copy/slack-of-copy.ts';
import { stateOfCopy } from './copy/state-of-copy.ts';
import { originOf } from './http.ts';
import { type OwnFolder, takeFolder } from './own-folder.ts';
import { createActs } from './page-server/acts.ts';
import { createDrill } from './page-server/drill.ts';
import { createLive } from './page-server/live.ts';
import { createMachine } from './page-server/machine.ts';
import type { PageContext } from './page-server/parts.ts';
import { createPageServer } from './page-server/server.ts';
import type { BotFacts, DrillName, DrillScene } from './page-server/situations.ts';
import { createSwitches } from './page-server/switches.ts';
import type { ReadMarks } from './page-server/workspace.ts';
import { type Listeners, startListeners } from './provider/listeners.ts';
import { type SimulatedNameServers, startNameServers } from './provider/name-servers.ts';
import { numbers } from './provider/numbers.ts';
import { type ProviderOptions, type SimulatedProvider, startProvider } from './provider/server.ts';
import { seedIds } from './slack/seed.ts';
import { type SimulatedSlack, startSlack } from './slack/server.ts';
import { openStateFile, setAside } from './state-file.ts';

export interface SandboxOptions {
  readonly port: number;
  readonly host: string;
  /** The folder that stores the workspace and the account between starts. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** The duration of the provider's jobs. */
  readonly jobMs?: ProviderOptions['jobMs'];
  /** The drill that starts as soon as the bot is there. */
  readonly drill?: DrillName;
  /** A copy of another account, instead of the made-up one. */
  readonly copy?: AccountCopy | undefined;
}

/** Stops the bot. The returned function starts it with the new state. */
type StartOver = () => Promise<(() => Promise<void>) | void>;

export interface Sandbox {
  readonly url: string;
  /** The requested folder, or one beside it. */
  readonly dataDir: string;
  /** The bot's settings. */
  readonly env: Readonly<Record<string, string>>;
  readonly nameServersAt: Pick<SimulatedNameServers, 'port' | 'resolver'>;
  /** The place of the account's servers, as seen from outside. */
  readonly proberAt: Pick<Listeners, 'at' | 'ca'> & Pick<SimulatedNameServers, 'resolver'>;
  readonly slack: SimulatedSlack;
  readonly provider: SimulatedProvider;
  readonly machine: PageContext['machine'];
  /** Channels that start with the usual policy; none in a copy with policies. */
  readonly policyChannels: readonly string[];
  /** The channel and the user group of the people who operate servers. */
  readonly team: DrillScene['team'];
  readonly copy: AccountCopy | undefined;
  /** The sandbox's time: real time plus the time skipped with "time forward". */
  readonly now: () => number;
  onStartOver(listener: StartOver): void;
  /** Gives the page the facts that only the bot has. */
  onBot(facts: BotFacts): void;
  close(): Promise<void>;
}

const policyChannels = [seedIds.opsChannel, seedIds.privateChannel];
/** Long enough to see a job run, short enough to wait for it. */
const usualJobMs = { min: 5_000, max: 9_000 };

const savedSchema = z.object({
  version: z.literal(1),
  slack: z.unknown(),
  // The simulation wrote this and checks its version; the restore finds errors inside.
  provider: z.custom<NonNullable<ProviderOptions['state']>>((value) => typeof value === 'object' && value !== null),
  providerKey: z.string().min(8),
  secretKey: z.string().min(32),
  marks: z.record(z.string(), z.record(z.string(), z.string())),
});
type Saved = z.infer<typeof savedSchema>;

/** Starts the simulated Slack, the simulated provider and their page. The caller starts the bot. */
export async function startSandbox({
  port,
  host,
  dataDir: wanted,
  log = () => {},
  copy,
  jobMs = copy === undefined ? usualJobMs : numbers.jobMs,
  drill: firstDrill,
}: SandboxOptions): Promise<Sandbox> {
  const page = createPageServer(host);
  const pagePort = await claimPort(page.server, port, host);
  let folder: OwnFolder;
  try {
    folder = takeFolder(wanted, String(pagePort));
  } catch (error) {
    page.server.close();
    throw error;
  }
  const dataDir = folder.path;
  if (dataDir !== wanted) log(`Another sandbox is open in ${wanted}; this one is kept in ${dataDir}`);
  const path = join(dataDir, 'sandbox.json');
  const file = openStateFile(path, content, log);
  const read = savedSchema.safeParse(file.read());
  let saved: Saved | undefined = read.data;

  const start = async () => {
    const provider = await startProvider({
      jobMs,
      ...(copy === undefined ? {} : { seed: stateOfCopy(copy), features: { createVps: copy.mayCreateServers } }),
      ...(saved === undefined ? {} : { key: saved.providerKey, state: saved.provider }),
    });
    const slack = await startSlack({
      clock: () => provider.sim.now(),
      seed: copy === undefined ? {} : (slackOfCopy(copy) ?? {}),
      ...(saved === undefined ? {} : { state: saved.slack }),
    });
    return { provider, slack };
  };
  const simulators = await start().catch((error: unknown) => {
    if (saved === undefined) throw error;
    setAside(path, log);
    saved = undefined;
    return start();
  });
  const { provider, slack } = simulators;
  const nameServers = await startNameServers(provider.sim);
  const listening = await startListeners(provider.sim);
  const secretKey = saved?.secretKey ?? randomBytes(32).toString('base64');
  const marks: ReadMarks = saved?.marks ?? {};
  const team = teamOf(copy);
  if (saved === undefined) await greet(slack, copy, team.channel);

  function content(): Saved {
    return {
      version: 1,
      slack: slack.snapshot(),
      provider: provider.snapshot(),
      providerKey: provider.key,
      secretKey,
      marks,
    };
  }

  const hasPolicies = copy !== undefined && Object.keys(copy.policies).length > 0;
  const listeners: StartOver[] = [];
  let bot: BotFacts | undefined;
  const switches = createSwitches(slack, provider, () => live.touch('switches'));
  const drill = createDrill({ slack, provider, switches: () => switches, bot: () => bot, team }, () =>
    live.touch('drill'),
  );
  const scene: PageContext = {
    slack,
    provider,
    switches: () => switches,
    drill: () => drill,
    machine: createMachine(() => live.touch('app')),
    marks,
    nowMs: () => provider.sim.now(),
    bot: () => bot,
    copied: copy && { of: copy.account.name, atMs: copy.at },
  };
  const live = createLive(scene);
  slack.sim.onChange(() => file.touch());
  provider.sim.onChange(() => file.touch());

  async function startOver(): Promise<void> {
    drill.clear();
    const starts = await Promise.all(listeners.map((listener) => listener()));
    provider.sim.reset();
    slack.sim.reset();
    switches.clear();
    for (const person of Object.keys(marks)) delete marks[person];
    await greet(slack, copy, team.channel);
    for (const startAgain of starts) await startAgain?.();
    live.reload();
  }

  page.begin({ scene, live, acts: createActs(scene, live, () => file.touch()), startOver });
  // Saves the keys before the bot creates a database, which could not be opened again without them.
  file.save();

  return {
    dataDir,
    url: originOf(host, pagePort),
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      HOST_API_URL: provider.url,
      HOST_API_KEY: provider.key,
      HOSTLER_ADMINS: seedIds.admin,
      HOSTLER_SECRET_KEY: secretKey,
      HOSTLER_DNS_PROPAGATION: 'private',
    },
    nameServersAt: nameServers,
    proberAt: { at: listening.at, ca: listening.ca, resolver: nameServers.resolver },
    slack,
    provider,
    machine: scene.machine,
    policyChannels: hasPolicies ? [] : policyChannels,
    team,
    copy,
    now: () => provider.sim.now(),
    onStartOver: (listener) => void listeners.push(listener),
    onBot(facts) {
      bot = facts;
      if (firstDrill !== undefined)
        drill.start(firstDrill).catch((error: unknown) => log(error instanceof Error ? error.message : String(error)));
    },
    async close() {
      drill.clear();
      file.close();
      live.close();
      nameServers.close();
      listening.close();
      page.server.closeAllConnections();
      page.server.close();
      await Promise.all([slack.close(), provider.close()]);
      folder.release();
    },
  };
}

/** Posts first messages, since an empty workspace looks broken. */
async function greet({ sim }: SimulatedSlack, copy: AccountCopy | undefined, channel: string): Promise<void> {
  if (copy !== undefined) {
    const of = copy.account.name || 'your account';
    const words = `This is a copy of ${of}. Nothing that you do here reaches the provider. Type /host to begin.`;
    await sim.say('admin', channel, words);
    return;
  }
  await sim.say('admin', '#general', 'Welcome. Hostler looks after our servers; it listens in #ops. Type /host there.');
  await sim.say('lead', '#ops', 'web-1 has been slow since this morning. Could somebody restart it?');
  await sim.say('reader', '#dev', 'Does anybody know which address staging is on now?');
}
