import { readSettingsFile } from '../../src/cli/settings-file.ts';
import { readConfig } from '../../src/config.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { compareAnswers } from './provider.ts';
import { probe } from './slack.ts';

/**
 * `npm --prefix proof run live [-- FILE]` measures a live workspace, then compares a live account with the provider's
 * document. The settings come from the file or the environment.
 */

const [file] = process.argv.slice(2);
const reading = readConfig({ ...(file === undefined ? {} : readSettingsFile(file)), ...process.env });
if (reading.kind !== 'live')
  throw new Error('The settings of the bot are needed: npm --prefix proof run live -- data/hostler.env');
const { slack, admins, provider } = reading.config;
console.log(await probe(slack, admins[0] ?? ''));
const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
if (!(await compareAnswers(transport, console.log))) process.exitCode = 1;
await transport.close();
