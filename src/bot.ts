import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { alertRules } from './alerts/all.ts';
import { loadCommands } from './commands/load-commands.ts';
import { sources } from './commands/option-sources.ts';
import { possibleWith } from './commands/without-files.ts';
import type { LiveConfig } from './config.ts';
import { parse } from './core/grammar/parse.ts';
import { endStates } from './core/plan/operation.ts';
import { noProber } from './core/probe/services.ts';
import { keysFor } from './core/text/keys.ts';
import { ProviderError } from './core/view/errors.ts';
import { createEngine } from './engine/engine.ts';
import { recordingZones } from './engine/zones/zone-recorder.ts';
import { createHookRoutes } from './http/hook-routes.ts';
import { createMetrics, createProcessMetrics } from './http/metrics.ts';
import { createRoutes, isLocalHost } from './http/routes.ts';
import { openServer } from './http/server.ts';
import { startWatchdog } from './http/watchdog.ts';
import type { Logger } from './log.ts';
import { createEventPoster, noEvents } from './outside/event-poster.ts';
import { createNameServers, type NameServersOptions } from './outside/name-servers.ts';
import { createProber, type ProberOptions } from './outside/prober.ts';
import { createAccountReader } from './provider/account-reader.ts';
import { createProvider, type Reader, readerOf } from './provider/client.ts';
import { createInventory } from './provider/inventory.ts';
import { createTransport } from './provider/transport.ts';
import { openSlack, type SlackConnection } from './slack/open-slack.ts';
import { parseDatabaseUrl } from './store/address.ts';
import { openStore } from './store/database.ts';
import { lockFile } from './store/sqlite/file-lock.ts';
import { version } from './version.ts';

/** Clock skew worth a warning, since people read this machine's times. Leases use the database's clock. */
const loggedSkewMs = 5_000;

export type Bot = Awaited<ReturnType<typeof startBot>>;

interface BotOptions {
  readonly timeScale?: number;
  /** The sandbox's clock can be set forward. */
  readonly now?: () => number;
  /** Another place of the name servers than the internet. */
  readonly nameServersAt?: Pick<NameServersOptions, 'port' | 'resolver'>;
  /** Another place of the servers. */
  readonly proberAt?: ProberOptions;
  /** Called once, when a newer version has changed the schema; the caller must stop the bot. */
  readonly onOutdated?: () => void;
}

/** Wires the parts of the bot. If one cannot be opened, closes the others and throws an error of one line. */
export async function startBot(
  config: LiveConfig,
  log: Logger,
  { timeScale = 1, now = Date.now, nameServersAt, proberAt, onOutdated = () => {} }: BotOptions = {},
) {
  const metrics = createMetrics();
  const undo: (() => Promise<unknown> | unknown)[] = [];
  /** Accepts no new work, finishes running work, and leaves the rest in the database. */
  const close = async () => {
    for (const step of undo.reverse())
      await Promise.resolve(step()).catch((error: unknown) => log.warn({ err: error }, 'stopping'));
  };
  try {
    const address = parseDatabaseUrl(config.databaseUrl);
    if (address.engine === 'sqlite') {
      const lock = await lockFile(address.file, {
        onWait: (holder) => log.warn({ holder }, 'starting: another process has the database; waiting for it to end'),
      });
      undo.push(() => lock.release());
    }
    const store = await openStore(config.databaseUrl, {
      poolSize: config.databaseConnections,
      provenAtStart: config.databaseConnections,
      auditKeys: keysFor(config.secretKeys, 'audit head'),
      writesAudit: true,
      onShorterAudit: (shorter) =>
        log.error(
          shorter,
          'the audit became shorter: rows were removed; its end stays unsigned, see hostler audit verify',
        ),
      ...(now === Date.now ? {} : { now }),
    });
    undo.push(() => store.close());
    await store.leases.releaseAll();
    const transport = createTransport({
      baseUrl: config.provider.url,
      apiKey: config.provider.key,
      onCall: ({ endpoint, effect, status, kind, ms }) => {
        metrics.providerCalls.inc({ endpoint, status: String(status ?? kind ?? 'none') });
        metrics.providerSeconds.observe({ effect }, ms / 1_000);
      },
    });
    undo.push(() => transport.close());
    const provider = createProvider(transport);
    const nameServers = config.nameServers && createNameServers({ ...config.nameServers, ...nameServersAt });
    undo.push(() => nameServers?.stop());
    const reader = recordingZones(readerOf(provider), { store, now, log });
    const [slack, loaded] = await Promise.all([
      openSlack(config.slack, log, {
        hooks: {
          onCall: (method, outcome) => metrics.slackCalls.inc({ method, outcome }),
          onRefusal: ({ block, surface, error }) => metrics.slackRefusals.inc({ block, surface, error }),
          onSignatureFailure: () => metrics.signatureFailures.inc(),
          onAcknowledged: (ms) => metrics.acknowledgement.observe(ms / 1_000),
        },
        now,
      }),
      loadCommands(),
      checkProvider(reader, log),
    ]);
    const commands = possibleWith(loaded, slack.scopes);
    // Compiles the patterns of the grammar now, not while the first person waits.
    parse('restart web-1 in 5 minutes', commands);
    const running = createEngine(
      {
        store,
        provider,
        takeWriteSlot: transport.takeWriteSlot,
        reader,
        accountReader: createAccountReader(createInventory(reader, { now })),
        commands,
        alertRules,
        nameServers,
        prober: config.whyNotProbed === undefined ? createProber(proberAt) : noProber(config.whyNotProbed),
        eventPoster: config.events === undefined ? noEvents : createEventPoster(config.events),
        answersWithinMs: config.answersWithinMs,
        optionSources: sources,
        directory: slack.directory,
        messenger: slack.messenger,
        settings: {
          version,
          admins: config.admins,
          secretKeys: config.secretKeys,
          requestsPerMinute: config.requestsPerMinute,
          isPaused: config.isPaused,
          publicUrl: config.publicUrl,
          knownSecrets: config.secrets,
          auditChannel: config.auditChannel,
        },
        now,
        log,
        meter: {
          request: (kind, outcome) => metrics.requests.inc({ kind, outcome }),
          operation: (command, end) => metrics.operations.inc({ command, end }),
          watched: (lagMs) => metrics.watchLag.observe(lagMs / 1_000),
        },
      },
      { timeScale, onOutdated },
    );
    await running.start();
    undo.push(() => running.stop());
    let connection: SlackConnection | undefined;
    const actions = commands.filter((command) => command.kind === 'action').map((command) => command.path);
    metrics.countFromZero(actions, endStates);
    const processMetrics = createProcessMetrics(version);
    const watchdog = startWatchdog(running, (why) => {
      log.fatal({ why }, 'this process stands still and ends itself; the next one goes on from the rows');
      process.exit(1);
    });
    undo.push(() => watchdog.stop());
    const skewMs = await store.skewMs();
    if (Math.abs(skewMs) > loggedSkewMs)
      log.warn(
        { skewMs },
        "the clock of this machine and the database's differ; what people read may name wrong times",
      );
    const routesFor = createRoutes({
      metrics,
      processMetrics,
      store,
      running,
      slackState: () => connection?.state(),
      watchdog,
      now,
      owner: hostname(),
    });
    undo.push(metrics.watchEventLoop());
    const { port: metricsPort, host: metricsHost, token } = config.metrics;
    if (metricsPort !== undefined) {
      const routes = routesFor({ isLocal: isLocalHost(metricsHost), token });
      const listener = await openServer(
        routes,
        { port: metricsPort, host: metricsHost },
        (error) => log.error({ err: error }, 'could not answer a request for metrics'),
        (client) => log.warn({ client }, 'too many connections to the port of the metrics: the oldest are closed'),
      );
      undo.push(() => listener.close(1_000));
    }
    // If the metrics have their own listener, this one shows no internal figures.
    const isLocal = metricsPort === undefined && isLocalHost(config.slack.host);
    const routes = routesFor({ isLocal, token: metricsPort === undefined ? token : undefined });
    connection = await slack.connect(running.engine, running.outbox, [...routes, ...createHookRoutes(running)]);
    undo.push(() => connection.stop());
    log.info(
      { port: connection.port, database: store.label, mode: connection.state().mode },
      `Hostler ${version} is ready`,
    );
    /** Removes the database files of a stopped bot, so that the sandbox can start over. */
    const forget = async () => {
      if (address.engine !== 'sqlite') return;
      for (const ending of ['', '-wal', '-shm', '.lock', '.lock-journal'])
        await rm(`${address.file}${ending}`, { force: true });
    };
    /** Counts an unhandled error. */
    const onUnhandled = () => metrics.unhandled.inc();
    return { port: connection.port, store, directory: slack.directory, onUnhandled, stop: close, forget };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Refuses a wrong API key or address at the start; an unavailable provider only causes a warning. */
async function checkProvider(reader: Reader, log: Logger): Promise<void> {
  try {
    await reader.account.info();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'auth' || error.kind === 'forbidden') {
      throw new Error(
        `starting: the provider refuses HOST_API_KEY: ${error.words} Make a new key in its panel and set it.`,
        { cause: error },
      );
    }
    if (error.kind === 'unavailable' || error.kind === 'throttled') {
      log.warn({ words: error.words }, 'starting: the provider does not answer; commands will say so until it does');
      return;
    }
    throw new Error(
      `starting: HOST_API_URL does not lead to the provider's API: ${error.words} Example: https://fornex.com/api`,
      { cause: error },
    );
  }
}
