import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../../sandbox/free-port.ts';
import { main as runMain } from '../../../src/cli/main.ts';
import { readSettingsFile } from '../../../src/cli/settings-file.ts';
import { openStore } from '../../../src/store/database.ts';
import { lockFile } from '../../../src/store/sqlite/file-lock.ts';
import { newFolder } from '../../support/process/new-folder.ts';
import { openPseudoTerminal, type PseudoTerminal } from '../../support/process/pseudo-terminal.ts';
import { openSimulators, secretKey } from '../../support/process/simulators.ts';
import { patienceMs } from '../../support/suite/patience.ts';
import { hasAllTests } from '../../support/suite/seed.ts';
import { inPlace } from '../in-place.ts';

// The first run, by a person at a terminal, against the simulated Slack and provider. A setup that starts the bot is a
// process at a real terminal; any other runs in this process, with streams for a terminal.

const main = join(import.meta.dirname, '../../../dist/main.js');

/** Runs a setup in this process, whose streams are the terminal until it ends. */
function openStreams(
  dir: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  isTTY = true,
): PseudoTerminal {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const own = { stdin: process.stdin, stdout: process.stdout };
  const use = (streams: { readonly stdin: object; readonly stdout: object }) => {
    for (const [name, value] of Object.entries(streams))
      Object.defineProperty(process, name, { value, configurable: true });
  };
  let shown = '';
  let seen = 0;
  output.on('data', (text: string) => {
    shown += text;
  });
  const write = (text: string) => output.write(text);
  use({ stdin: Object.assign(input, { isTTY }), stdout: Object.assign(output, { isTTY }) });
  const ended = inPlace(dir, env, () => runMain(words, { out: write, err: write })).finally(() => use(own));
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r', '');
  const type = (keys: string) => void input.write(keys);
  const see = async (wanted: RegExp, withinMs = patienceMs) => {
    const signal = AbortSignal.timeout(withinMs);
    for (;;) {
      const found = wanted.exec(screen().slice(seen));
      if (found !== null) {
        seen += found.index + found[0].length;
        return found[0];
      }
      await once(output, 'data', { signal }).catch(() => {
        throw new Error(`waited in vain for ${wanted} after:\n${screen()}`);
      });
    }
  };
  const answer = async (question: RegExp, keys: string) => {
    await see(question);
    type(`${keys}\r`);
  };
  return { screen, see, type, answer, ended };
}

async function openPlace() {
  const { slack, provider } = await openSimulators();
  const dir = await newFolder('setup');
  // Each setup would validate all messages of this version: one of them is enough.
  const validates = slack.sim.fault({ method: 'blocks.validate', status: 503 });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    NODE_NO_WARNINGS: '1',
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
  };
  const file = join(dir, 'data/hostler.env');
  return {
    slack,
    provider,
    dir,
    env,
    file,
    validates,
    setup: (...words: string[]) => openStreams(dir, env, ['setup', ...words]),
    withoutTerminal: () => openStreams(dir, env, ['setup'], false),
    atTerminal: (...words: string[]) => openPseudoTerminal([process.execPath, main, ...words], { cwd: dir, env }),
    write: async (values: Readonly<Record<string, string>>, more = '') => {
      await mkdir(join(dir, 'data'));
      const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(file, `${more}${lines.join('')}`, { mode: 0o644 });
    },
    settings: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      HOST_API_URL: provider.url,
      HOST_API_KEY: provider.key,
      HOSTLER_ADMINS: 'U0ADMIN001',
      HOSTLER_SECRET_KEY: secretKey,
    },
  };
}

/** The answers of a person, each to the next question that fits. */
async function answers(terminal: PseudoTerminal, all: readonly (readonly [question: RegExp, keys: string])[]) {
  for (const [question, keys] of all) await terminal.answer(question, keys);
}

test('hostler setup goes from no settings to the first message in the channel', async () => {
  const place = await openPlace();
  place.validates();
  const terminal = place.atTerminal('setup', '--name', 'Harbour');
  const link = await terminal.see(/https:\/\/api\.slack\.com\/apps\?\S+(?=\s)/);
  await answers(terminal, [
    [/Bot token \(xoxb-…\): /, place.slack.botToken],
    [/App-level token \(xapp-…\): /, place.slack.appToken],
    [/Address of its API \[https:\/\/fornex\.com\/api\]: /, place.provider.url],
    [/API key: /, place.provider.key],
    [/Admins, .*: /, 'Ada Admin, U0LEAD0001'],
    [/Name of the channel .*: /, 'https://acme.slack.com/archives/C0OPS00001'],
    [/First policy \[1\]: /, '2'],
    [/Who works\? .*: /, '@ops'],
  ]);
  await terminal.see(/✓ views +Slack takes all/);
  await terminal.answer(/Start the bot now\? \(y\/n\) \[y\]: /, '');
  await terminal.see(
    /The first message is in the channel\.[\s\S]*Start it later with: npx hostler --settings data\/hostler\.env/,
  );
  expect(place.slack.sim.transcript('#ops')).toMatch(/Hostler is connected to this channel[\s\S]*\[Servers\]/);

  // A screen may be photographed, so it shows no secret.
  for (const secret of [place.slack.botToken, place.slack.appToken, place.provider.key]) {
    expect(terminal.screen()).not.toContain(secret);
  }
  const { HOSTLER_SECRET_KEY = '', ...written } = readSettingsFile(place.file) ?? {};
  expect(written).toEqual({
    ...place.settings,
    HOSTLER_ADMINS: 'U0ADMIN001,U0LEAD0001',
    HOSTLER_SECRET_KEY: undefined,
  });
  expect(Buffer.from(HOSTLER_SECRET_KEY, 'base64')).toHaveLength(32);
  expect((await stat(place.file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(place.dir, 'data'))).mode & 0o777).toBe(0o700);
  const manifest = parse(await readFile('manifest.yml', 'utf8'));
  const filledIn = JSON.parse(new URL(link).searchParams.get('manifest_json') ?? '');
  expect(new URL(link).searchParams.get('new_app')).toBe('1');
  expect(filledIn).toEqual({
    ...manifest,
    display_information: { ...manifest.display_information, name: 'Harbour' },
    features: { ...manifest.features, bot_user: { ...manifest.features.bot_user, display_name: 'Harbour' } },
  });

  // The bot is in the channel, and the policy applies.
  await place.slack.sim.say('operator', '#ops', '/host restart web-1');
  await place.slack.sim.waitFor((sim) => sim.transcript('#ops').includes('[Cancel]'));
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(0);
  const store = await openStore(join(place.dir, 'data/hostler.db'));
  const rows = await Array.fromAsync(store.audit.exportAll());
  expect(JSON.stringify(rows)).toContain('policy of C0OPS00001 made by hostler setup');
  await store.close();
});

// One whole journey through a terminal is enough for a quick run.
test.skipIf(!hasAllTests)('hostler setup for HTTP puts its address into the manifest; Slack posts to it', async () => {
  const place = await openPlace();
  const { slack, provider } = place;
  const port = await freePort();
  place.env.PORT = String(port);
  place.env.HOSTLER_HOST = '127.0.0.1';
  await place.write({ SLACK_APP_TOKEN: slack.appToken });
  const terminal = place.atTerminal('setup', '--request-url', 'https://hostler.example.com');
  // The token is invalid, so there are no channels yet.
  const link = await terminal.see(/https:\/\/api\.slack\.com\/apps\?\S+(?=\s)/);
  const { settings } = JSON.parse(new URL(link).searchParams.get('manifest_json') ?? '');
  expect(settings).toMatchObject({
    socket_mode_enabled: false,
    event_subscriptions: { request_url: 'https://hostler.example.com/slack/events' },
    interactivity: { request_url: 'https://hostler.example.com/slack/events' },
  });
  await terminal.answer(/Bot token .*: /, slack.botToken);
  await terminal.answer(/Signing secret: /, 'short');
  await terminal.see(/That is not the signing secret as Slack shows it\./);
  await answers(terminal, [
    [/Signing secret: /, slack.signingSecret],
    [/Address of its API .*: /, provider.url],
    [/API key: /, provider.key],
    [/Admins, .*: /, '@admin'],
    [/Name of the channel .*: /, '#ops-private'],
    [/First policy \[1\]: /, ''],
    [/Start the bot now\? .*: /, ''],
  ]);
  await terminal.see(/The first message is in the channel\./);
  await terminal.see(/Slack posts to https:\/\/hostler\.example\.com\/slack\/events: click Retry/);
  expect(slack.sim.transcript('#ops-private')).toContain('Hostler is connected to this channel');
  expect(readSettingsFile(place.file)).toMatchObject({
    SLACK_APP_TOKEN: '',
    SLACK_SIGNING_SECRET: slack.signingSecret,
    HOSTLER_PUBLIC_URL: 'https://hostler.example.com',
  });
  expect(slack.sim.connections()).toBe(0);
  slack.sim.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  expect(await slack.sim.verifyRequestUrl()).toBe(true);
  await slack.sim.say('operator', '#ops-private', '/host list');
  await slack.sim.waitFor(/web-1 \| /, { channel: '#ops-private' });
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(0);
  // A later run knows the address.
  const again = place.setup();
  await again.answer(/Change which\? .*: /, '1');
  expect(await again.see(/https:\/\/api\.slack\.com\/apps\?\S+(?=\s)/)).toBe(link);
  again.type('\u0003');
  expect(await again.ended).toBe(130);
});

test.each([
  [{}, 'http://hostler.example.com', 'The request URL is the public https address of the bot'],
  [{ SLACK_APP_TOKEN: 'xapp-1' }, 'https://hostler.example.com', 'SLACK_APP_TOKEN is set in the environment. Leave it'],
])('hostler setup refuses HTTP mode before it writes anything: %s %s', async (more, url, says) => {
  const place = await openPlace();
  Object.assign(place.env, more);
  const terminal = place.setup('--request-url', url);
  expect(await terminal.ended).toBe(1);
  expect(terminal.screen()).toContain(says);
  expect(terminal.screen()).not.toContain('    at ');
  expect(existsSync(join(place.dir, 'data'))).toBe(false);
});

test('hostler setup shows a wrong value in red with its remedy, and asks for it again', async () => {
  const place = await openPlace();
  const { slack, provider } = place;
  const { scopes } = slack.sim.state();
  slack.sim.setScopes(scopes.filter((scope) => scope !== 'usergroups:read'));
  const terminal = place.setup();
  const asked = async (question: RegExp, keys: string, then: RegExp) => {
    await terminal.answer(question, keys);
    await terminal.see(then);
  };
  const notBot = /That is not a bot token, which begins with xoxb-\./;
  await asked(/Bot token .*: /, slack.appToken, notBot);
  await asked(/Bot token .*: /, 'xoxb-of-somebody-else', /✕ Slack bot token .*→ compare SLACK_BOT_TOKEN/);
  const noScope = /✕ Slack scopes +not granted: usergroups:read → .*Reinstall to Workspace/;
  await asked(/Bot token .*\[as it is\]: /, slack.botToken, noScope);
  slack.sim.setScopes(scopes);
  await asked(/Bot token .*\[as it is\]: /, '', /✓ Slack scopes/);
  await asked(/App-level token .*: /, 'xapp-1-wrong', /✕ Slack connection/);
  await terminal.answer(/App-level token .*: /, slack.appToken);
  await terminal.answer(/Address of its API .*: /, provider.url.replace('/api', '/nowhere'));
  await asked(/API key: /, 'wrong-key-of-provider', /✕ provider key +.*→ HOST_API_URL may lack a part/);
  // Setup repeats only the failed question: a key pasted at another question would be visible on the screen.
  await asked(/Address of its API .*: /, provider.url, /✕ provider key +.*→ compare HOST_API_KEY/);
  await asked(/API key \[as it is\]: /, provider.key, /✓ provider key/);
  const nobody = /Slack knows no one person called @nobody\. Give a name as in Slack, or a member ID\./;
  await asked(/Admins, .*: /, '@nobody, Ada', nobody);
  await asked(/Admins, .*: /, '@guest', /✕ admins +U0GUEST001 is a guest/);
  await terminal.answer(/Admins, .*: /, 'U0ADMIN001');
  const channel = /Name of the channel .*: /;
  await asked(channel, 'the #random channel', /That is no name, no link and no ID of a channel\./);
  const invites = 'type \\/invite @Hostler there';
  await asked(channel, 'C0RANDOM01', new RegExp(`✕ first channel +the bot is not in C0RANDOM01 → ${invites}`));
  await asked(channel, '#random', new RegExp(`✕ first channel +the bot is in no channel named #random → ${invites}`));
  await slack.sim.invite('#random', 'hostler');
  const clear = slack.sim.fault({ method: 'users.conversations', status: 429, retryAfterS: 30 });
  const limited = /✕ first channel +looking up the channels of the bot in Slack: Slack asks to wait 30 s → .*its link/;
  await asked(/Name of the channel .* \[#random\]: /, '', limited);
  clear();
  await asked(/Name of the channel .* \[#random\]: /, '', /✓ first channel +#random, and the bot is in it/);
  await asked(/First policy \[1\]: /, '4', /Give a number from 1 to 3\./);
  await terminal.answer(/First policy \[1\]: /, '2');
  await asked(/Who works\? .*: /, '@ops,@nobody', /Slack knows no one group or person for @nobody\./);
  // Stopping here loses no answer.
  await asked(/Who works\? .*: /, '\u0003', /Stopped\. Answers are kept; hostler setup continues from there\./);
  expect(await terminal.ended).toBe(130);
  expect(readSettingsFile(place.file)).toMatchObject({ ...place.settings, HOSTLER_SECRET_KEY: expect.any(String) });
  const rest = place.setup();
  await answers(rest, [
    [/Change which\? .*: /, ''],
    [/Name of the channel .*: /, 'C0RANDOM01'],
    [/First policy \[1\]: /, '3'],
    [/Start the bot now\? .*: /, 'n'],
  ]);
  await rest.see(/Start it later with: npx hostler --settings data\/hostler\.env/);
  expect(await rest.ended).toBe(0);
});

test('a second run of hostler setup changes the chosen settings and nothing else', async () => {
  const place = await openPlace();
  await place.write(place.settings, '# Our own remark.\nHOSTLER_RATE_PER_MINUTE=7\n');
  const store = await openStore(join(place.dir, 'data/hostler.db'));
  await store.close();
  const before = await readFile(place.file, 'utf8');
  const idle = place.setup();
  await answers(idle, [
    [/Change which\? .*: /, ''],
    [/Name of the channel .*: /, 'C0OPS00001'],
    [/First policy \[1\]: /, ''],
    [/Start the bot now\? .*: /, 'n'],
  ]);
  expect(await idle.ended).toBe(0);
  expect(await readFile(place.file, 'utf8')).toBe(before);
  const terminal = place.setup();
  await answers(terminal, [
    [/Change which\? .*: /, '4'],
    [/Admins, .* \[U0ADMIN001\]: /, '@lead'],
    [/✓ channels +with a policy: #ops[\s\S]*Add a channel\? \(y\/n\) \[n\]: /, ''],
    [/Start the bot now\? .*: /, 'n'],
  ]);
  expect(await terminal.ended).toBe(0);
  expect(await readFile(place.file, 'utf8')).toBe(before.replace('U0ADMIN001', 'U0LEAD0001'));
  expect((await stat(place.file)).mode & 0o777).toBe(0o600);

  // A policy is a decision of a person; starting a second bot on one file is not.
  const bot = await lockFile(join(place.dir, 'data/hostler.db'));
  onTestFinished(bot.release);
  const third = place.setup();
  await answers(third, [
    [/Change which\? .*: /, ''],
    [/Add a channel\? .*: /, 'y'],
    [/Name of the channel .*: /, 'C0OPS00001'],
    [/First policy \[1\]: /, '3'],
    [/the channel has one already, which stays as it is[\s\S]*Start the bot now\? .*: /, 'y'],
  ]);
  await third.see(/A bot runs with this database already\. Restart it/);
  expect(await third.ended).toBe(0);
});

test('hostler setup does not ask for a setting of the environment or of a file, and asks for one that is wrong', async () => {
  const place = await openPlace();
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, HOSTLER_SECRET_KEY, ...rest } = place.settings;
  const inFile = async (name: string, value: string) => {
    await writeFile(join(place.dir, name), `${value}\n`);
    return { [`${name}_FILE`]: join(place.dir, name) };
  };
  // One in the environment, one in a file as a container has it, and one in a file that the file of settings names.
  Object.assign(place.env, { SLACK_APP_TOKEN }, await inFile('HOSTLER_SECRET_KEY', HOSTLER_SECRET_KEY));
  const own = { ...rest, ...(await inFile('SLACK_BOT_TOKEN', SLACK_BOT_TOKEN)) };
  await place.write({ ...own, HOST_API_KEY: 'taken-back-by-provider' });
  const terminal = place.setup();
  await terminal.see(/✕ provider key/);
  await terminal.answer(/Change which\? .*: /, '1,2');
  expect(terminal.screen()).not.toContain('not there yet');
  await terminal.see(
    /1 of 3 {2}The Slack app[\s\S]*SLACK_BOT_TOKEN is read from the file that SLACK_BOT_TOKEN_FILE names\./,
  );
  await terminal.see(/SLACK_APP_TOKEN is set in the environment\./);
  await terminal.answer(/3 of 3 {2}The provider[\s\S]*Address of its API .*: /, '');
  await terminal.answer(/API key \[as it is\]: /, place.provider.key);
  await terminal.see(/Name of the channel .*: /);
  expect(readSettingsFile(place.file)).toEqual(own);
});

test('hostler setup without a terminal prints what is missing, changes nothing and ends with exit code 78', async () => {
  const place = await openPlace();
  const { ended, screen } = place.withoutTerminal();
  expect(await ended).toBe(78);
  for (const name of Object.keys(place.settings)) expect(screen()).toContain(name);
  expect(screen()).toContain('Run hostler setup in a terminal to enter the settings.');
  expect(screen()).not.toContain('    at ');
  expect(existsSync(join(place.dir, 'data'))).toBe(false);
});
