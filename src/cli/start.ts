import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Bot, startBot } from '../bot.ts';
import { configExitCode, type LiveConfig, readConfig } from '../config.ts';
import { aside } from '../core/async/aside.ts';
import { CliError } from '../core/view/errors.ts';
import { createLogger } from '../log.ts';
import { type Cli, sandboxPart } from './cli.ts';
import { limitStop, untilSignal } from './until-signal.ts';

/** EX_TEMPFAIL of sysexits.h: a newer version has taken over. */
const outdatedExitCode = 75;

export async function runStart({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { port: { type: 'string' } } });
  const env = values.port === undefined ? process.env : { ...process.env, PORT: values.port };
  const reading = readConfig(env);
  if (reading.kind === 'problems') throw new CliError(reading.lines.join('\n'), { exitCode: configExitCode });
  if (reading.kind === 'sandbox') {
    const { runSandbox } = await sandboxPart(() => import('../../sandbox/cli/sandbox.ts'));
    // As in runLive, the process does not wait for the timers of libraries.
    process.exit(await runSandbox(reading, print));
  }
  return runLive(reading.config);
}

export async function runLive(config: LiveConfig, onReady?: (bot: Bot) => Promise<void>): Promise<never> {
  const log = createLogger({ level: config.logLevel, secrets: config.secrets });
  for (const notice of config.notices) log.warn(notice);
  // Listens before opening anything: a container's first process ignores signals without a listener.
  const onForced = () =>
    // Unfinished work stays in the database, as after a kill.
    log.warn('stopping: some work is unfinished after ten seconds; the next process continues it');
  const signaled = untilSignal(onForced);
  const outdated = Promise.withResolvers<number>();
  const ending = Promise.race([signaled.then(() => 0), outdated.promise]);
  const stopping = ending.then((exitCode) => {
    if (exitCode === outdatedExitCode) {
      log.warn('a newer version has changed the schema: this process ends');
      limitStop(onForced);
    }
    log.info('stopping: finishing running work');
  });
  aside(stopping, log, 'stopping');
  let onUnhandled = () => {};
  // By default Node would end the process. An unhandled rejection is a bug, but no reason to stop serving people.
  process.on('unhandledRejection', (error) => {
    onUnhandled();
    log.error({ err: error, incident: randomBytes(4).toString('hex') }, 'unhandled error: bug in the bot');
  });
  const onOutdated = () => outdated.resolve(outdatedExitCode);
  const bot = await startBot(config, log, { onOutdated }).catch((error: unknown) => {
    throw error instanceof Error && error.cause !== undefined ? new CliError(error.message) : error;
  });
  onUnhandled = bot.onUnhandled;
  if (onReady !== undefined) aside(onReady(bot), log, 'ready');
  const exitCode = await ending;
  await bot.stop();
  log.info('stopped');
  // The process does not wait for a library's timers (socket-mode 3.1: half a minute for the end of a lost connection).
  process.exit(exitCode);
}
