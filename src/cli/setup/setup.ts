import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { configExitCode } from '../../config.ts';
import { CliError } from '../../core/view/errors.ts';
import { printManifest, requestPath } from '../../slack/print-manifest.ts';
import { parseDatabaseUrl } from '../../store/address.ts';
import type { Store } from '../../store/database.ts';
import { lockFile } from '../../store/sqlite/file-lock.ts';
import { sayFinding } from '../check/check.ts';
import type { CheckResult } from '../check/check-result.ts';
import { checkViews } from '../check/check-views.ts';
import { type Cli, reasonOf } from '../cli.ts';
import { usualSettingsFile } from '../settings-file.ts';
import { runLive } from '../start.ts';
import { askSettings, runChecks, withScene } from './ask-settings.ts';
import { openDraft, type SettingsDraft } from './draft.ts';
import { channelsWithPolicy, openFirstChannel } from './first-channel.ts';
import { type SetupStep, stepsFor } from './setup-steps.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const postedWithinMs = 15_000;
const lookEveryMs = 100;

/** Guides a person at a terminal through the first setup, up to a message in the first channel. */
export async function runSetup({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      settings: { type: 'string', default: usualSettingsFile },
      name: { type: 'string', default: 'Hostler' },
      'request-url': { type: 'string' },
    },
  });
  const draft = openDraft(values.settings, process.env);
  const requestUrl = values['request-url'];
  // Fails here for a name or an address that Slack would refuse, before the first question.
  appLink(values.name, requestUrl);
  if (!process.stdin.isTTY || !process.stdout.isTTY) return sayMissing(draft, print);
  if (requestUrl !== undefined) chooseHttp(draft, requestUrl);
  const isHttp = requestUrl !== undefined || isHttpMode(draft);
  const link = () => appLink(values.name, isHttp ? addressOf(draft) : undefined);
  const terminal = openTerminal();
  try {
    const sayViews = checkViewsInBackground(draft.of('SLACK_API_URL'));
    const chosen = await chooseSteps(stepsFor({ isHttp }), draft, terminal);
    for (const [n, step] of chosen.entries()) {
      terminal.say(`\n${n + 1} of ${chosen.length}  ${step.title}`);
      for (const line of step.how({ link })) terminal.say(line);
      await askSettings(step, draft, terminal);
    }
    makeSecretKey(draft, terminal);
    const message = await firstChannel(draft, terminal);
    terminal.say('');
    await sayViews(terminal);
    terminal.say(`\nThe settings are in ${draft.file}, for this user only.`);
    const isWanted = /^y/i.test(await terminal.prompt('Start the bot now? (y/n)', 'y'));
    terminal.close();
    return isWanted ? await start(draft, message, print) : sayHowToStart(draft, print);
  } finally {
    terminal.close();
  }
}

/** Without a terminal, prints the problems that a start would print. */
function sayMissing(draft: SettingsDraft, print: Cli['print']): number {
  const problems = draft.problems();
  for (const line of problems) print(line);
  if (problems.length === 0) print('Nothing is missing. npx hostler check tests all settings.');
  else print('Run hostler setup in a terminal to enter the settings.');
  return problems.length === 0 ? 0 : configExitCode;
}

/** All steps the first time. Later the steps with missing or failing settings, and those that the person chooses. */
async function chooseSteps(all: readonly SetupStep[], draft: SettingsDraft, terminal: Terminal) {
  const isSet = (step: SetupStep) => step.asks.every(({ name }) => draft.of(name) !== '');
  if (!all.some(isSet)) return all;
  const wanted = new Set(all.filter((step) => !isSet(step)));
  await withScene(draft, async (scene) => {
    for (const [n, step] of all.entries()) {
      const findings = isSet(step) ? await runChecks(step.checks, scene) : [];
      if (findings.some(({ is }) => is === 'bad')) wanted.add(step);
      terminal.say(`${n + 1}  ${step.title}${isSet(step) ? '' : ' (not there yet)'}`);
      for (const finding of findings) terminal.say(`   ${sayFinding(finding)}`);
    }
  });
  const typed = await terminal.prompt('Change which? Numbers with commas between, or Enter for none');
  for (const number of typed.split(/[\s,]+/)) {
    const step = all[Number(number) - 1];
    if (step !== undefined) wanted.add(step);
  }
  return all.filter((step) => wanted.has(step));
}

/** Creates the secret key once: values that are sealed with it are lost with another key. */
function makeSecretKey(draft: SettingsDraft, terminal: Terminal): void {
  if (draft.fixedBy('HOSTLER_SECRET_KEY') !== undefined || draft.of('HOSTLER_SECRET_KEY') !== '') return;
  draft.save({ HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') });
  const text = 'made; keep a copy with your other secrets';
  terminal.say(sayFinding({ is: 'good', about: 'secret key', text }));
}

/** Resolves with the key of a message that the bot has to post. */
async function firstChannel(draft: SettingsDraft, terminal: Terminal): Promise<string | undefined> {
  const channels = await channelsWithPolicy(draft);
  if (channels !== undefined) {
    terminal.say(sayFinding({ is: 'good', about: 'channels', text: `with a policy: ${channels}` }));
    if (!/^y/i.test(await terminal.prompt('Add a channel? (y/n)', 'n'))) return undefined;
  }
  terminal.say('\nThe channel');
  terminal.say('Type /invite @Hostler in the channel where your team works.');
  return openFirstChannel(draft, terminal);
}

/** Starts the bot as `hostler start` does, unless one is already running. */
async function start(draft: SettingsDraft, message: string | undefined, print: Cli['print']): Promise<number> {
  const config = draft.config();
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.engine === 'sqlite') {
    try {
      (await lockFile(address.file, { waitMs: 0 })).release();
    } catch {
      print('A bot runs with this database already. Restart it, and it uses these settings.');
      return 0;
    }
  }
  return runLive(config, async ({ store }) => {
    if (message !== undefined) print(await sayPosted(store, message));
    // Slack sent its challenge when the app was created, before the bot could answer it.
    if (message !== undefined && isHttpMode(draft))
      print(
        `Slack posts to ${new URL(requestPath, addressOf(draft)).href}: click Retry beside it under Event Subscriptions in Slack's app settings.`,
      );
    print('The bot runs. Ctrl+C stops it.');
    sayHowToStart(draft, print);
  });
}

function sayHowToStart({ file }: SettingsDraft, print: Cli['print']): number {
  print(`Start it later with: npx hostler --settings ${file}`);
  return 0;
}

/** Waits until the bot has posted the message, and returns a sentence about the result. */
async function sayPosted(store: Store, key: string): Promise<string> {
  for (const until = performance.now() + postedWithinMs; performance.now() < until; await sleep(lookEveryMs)) {
    const message = await store.messages.find(key);
    if (message?.ts) return 'The first message is in the channel.';
    if (message?.state === 'dead') return `Slack refused the first message: ${message.error ?? 'no reason given'}.`;
  }
  return 'The first message is not in the channel yet; the bot posts it when Slack takes it.';
}

/** A link to Slack's "Create an app" with the manifest; with an address, the manifest is for HTTP mode. */
function appLink(name: string, requestUrl?: string): string {
  const link = new URL('https://api.slack.com/apps');
  link.searchParams.set('new_app', '1');
  link.searchParams.set('manifest_json', JSON.stringify(parse(printManifest({ name, requestUrl }))));
  // %20 is a space everywhere, a plus is one only in forms.
  return link.href.replaceAll('+', '%20');
}

/**
 * Validates this version's messages with Slack while the person answers questions, since it takes long and needs no
 * token. A refusal does not stop setup, because the bot draws such a message plainer.
 */
function checkViewsInBackground(apiUrl: string): (terminal: Terminal) => Promise<void> {
  const findings: CheckResult[] = [];
  const all = (async () => {
    for await (const finding of checkViews(apiUrl === '' ? undefined : apiUrl, undefined)) findings.push(finding);
  })().catch((error: unknown) => {
    findings.push({ is: 'note', about: 'views', text: `not checked: ${reasonOf(error)}` });
  });
  return async (terminal) => {
    await all;
    for (const finding of findings) terminal.say(sayFinding(finding));
  };
}

/** HTTP mode has a signing secret, no app-level token, and the address that Slack posts to. */
const isHttpMode = (draft: SettingsDraft): boolean =>
  draft.of('SLACK_APP_TOKEN') === '' && draft.of('SLACK_SIGNING_SECRET') !== '';

/** Writes the address and removes the app-level token, which would take precedence over the signing secret. */
function chooseHttp(draft: SettingsDraft, requestUrl: string): void {
  const fixed = (['SLACK_APP_TOKEN', 'HOSTLER_PUBLIC_URL'] as const).find((name) => draft.fixedBy(name) !== undefined);
  if (fixed !== undefined) throw new CliError(`${fixed} is set in the environment. Leave it out for --request-url.`);
  if (draft.of('SLACK_APP_TOKEN') !== '') draft.save({ SLACK_APP_TOKEN: '' });
  draft.save({ HOSTLER_PUBLIC_URL: requestUrl });
}

function addressOf(draft: SettingsDraft): string {
  const { publicUrl } = draft.config();
  if (publicUrl !== undefined) return publicUrl;
  throw new CliError('Give the address that Slack posts to: hostler setup --request-url https://hostler.example.com.');
}
