import { flushCompileCache } from 'node:module';
import { startBot } from '../../src/bot.ts';
import { untilSignal } from '../../src/cli/until-signal.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';

// `npm start` in every part but one: polls of jobs and lost answers are a hundred times faster, so that five minutes of
// reading pass in three seconds.

const reading = readConfig(process.env);
if (reading.kind !== 'live') throw new Error('the environment of a story is not a complete configuration');
const log = createLogger({ level: reading.config.logLevel, secrets: reading.config.secrets });
const bot = await startBot(reading.config, log, { timeScale: 0.01 });
// A killed process leaves no cache, and compiling is most of a start.
flushCompileCache();
await untilSignal();
await bot.stop();
