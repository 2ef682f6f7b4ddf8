import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../../sandbox/free-port.ts';
import { readSettingsFile } from '../../../src/cli/settings-file.ts';
import { openStore } from '../../../src/store/database.ts';
import { openPseudoTerminal, type PseudoTerminal } from '../../support/pseudo-terminal.ts';
import { openSimulators, secretKey } from '../../support/simulators.ts';

// The first run, by a person at a terminal, against the simulated Slack and provider.

const main = join(import.meta.dirname, '../../../dist/main.js');

async function openPlace() {
  const { slack, provider } = await openSimulators();
  const dir = await mkdtemp(join(tmpdir(), 'hostler-setup-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
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
    setup: (...words: string[]) => openPseudoTerminal([process.execPath, main, 'setup', ...words], { cwd: dir, env }),
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

type Place = Awaited<ReturnType<typeof openPlace>>;

async function answerAll(terminal: PseudoTerminal, { slack, provider }: Place): Promise<void> {
  await terminal.answer(/Bot token \(xoxb-…\): /, slack.botToken);
  await terminal.answer(/App-level token \(xapp-…\): /, slack.appToken);
  await terminal.answer(/Address of its API \[https:\/\/fornex\.com\/api\]: /, provider.url);
  await terminal.answer(/API key: /, provider.key);
  await terminal.answer(/Admins, .*: /, 'Ada Admin, U0LEAD0001');
}

test('hostler setup goes from no settings to the first message in the channel', async () => {
  const place = await openPlace();
  const terminal = place.setup('--name', 'Harbour');
  const link = await terminal.see(/https:\/\/api\.slack\.com\/apps\?\S+(?=\s)/);
  await answerAll(terminal, place);
  await terminal.answer(/Name of the channel .*: /, 'https://acme.slack.com/archives/C0OPS00001');
  await terminal.answer(/First policy \[1\]: /, '2');
  await terminal.answer(/Who works\? .*: /, '@ops');
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
  expect(rows.map((row) => JSON.stringify(row))).toContainEqual(
    expect.stringContaining('policy of C0OPS00001 made by hostler setup'),
  );
  await store.close();

  // The file starts the bot by itself.
  const again = openPseudoTerminal([process.execPath, main, '--settings', 'data/hostler.env'], {
    cwd: place.dir,
    env: place.env,
  });
  await again.see(/is ready/);
});

test('hostler setup for HTTP mode puts the address into the manifest, and Slack posts to the bot', async () => {
  const place = await openPlace();
  const { slack, provider } = place;
  const port = await freePort();
  place.env.PORT = String(port);
  place.env.HOSTLER_HOST = '127.0.0.1';
  await place.write({ SLACK_APP_TOKEN: slack.appToken });
  const terminal = place.setup('--request-url', 'https://hostler.example.com');
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
  await terminal.answer(/Signing secret: /, slack.signingSecret);
  await terminal.answer(/Address of its API .*: /, provider.url);
  await terminal.answer(/API key: /, provider.key);
  await terminal.answer(/Admins, .*: /, '@admin');
  await terminal.answer(/Name of the channel .*: /, '#ops-private');
  await terminal.answer(/First policy \[1\]: /, '');
  await terminal.answer(/Start the bot now\? .*: /, '');
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
  await terminal.answer(/Bot token .*: /, slack.appToken);
  await terminal.see(/That is not a bot token, which begins with xoxb-\./);
  await terminal.answer(/Bot token .*: /, 'xoxb-of-somebody-else');
  await terminal.see(/✕ Slack bot token .*→ compare SLACK_BOT_TOKEN/);
  await terminal.answer(/Bot token .*\[as it is\]: /, slack.botToken);
  await terminal.see(/✕ Slack scopes +not granted: usergroups:read → .*Reinstall to Workspace/);
  slack.sim.setScopes(scopes);
  await terminal.answer(/Bot token .*\[as it is\]: /, '');
  await terminal.see(/✓ Slack scopes/);
  await terminal.answer(/App-level token .*: /, 'xapp-1-wrong');
  await terminal.see(/✕ Slack connection/);
  await terminal.answer(/App-level token .*: /, slack.appToken);
  await terminal.answer(/Address of its API .*: /, provider.url.replace('/api', '/nowhere'));
  await terminal.answer(/API key: /, 'wrong-key-of-provider');
  await terminal.see(/✕ provider key +.*→ HOST_API_URL may lack a part/);
  // Setup repeats only the failed question: a key pasted at another question would be visible on the screen.
  await terminal.answer(/Address of its API .*: /, provider.url);
  await terminal.see(/✕ provider key +.*→ compare HOST_API_KEY/);
  await terminal.answer(/API key \[as it is\]: /, provider.key);
  await terminal.see(/✓ provider key/);
  await terminal.answer(/Admins, .*: /, '@nobody, Ada');
  await terminal.see(/Slack knows no one person called @nobody\. Give a name as in Slack, or a member ID\./);
  await terminal.answer(/Admins, .*: /, '@guest');
  await terminal.see(/✕ admins +U0GUEST001 is a guest/);
  await terminal.answer(/Admins, .*: /, 'U0ADMIN001');
  await terminal.answer(/Name of the channel .*: /, 'the #random channel');
  await terminal.see(/That is no name, no link and no ID of a channel\./);
  await terminal.answer(/Name of the channel .*: /, 'C0RANDOM01');
  await terminal.see(/✕ first channel +the bot is not in C0RANDOM01 → type \/invite @Hostler there/);
  await terminal.answer(/Name of the channel .*: /, '#random');
  await terminal.see(/✕ first channel +the bot is in no channel named #random → type \/invite @Hostler there/);
  await slack.sim.invite('#random', 'hostler');
  slack.sim.fault({ method: 'users.conversations', status: 429, retryAfterS: 30 });
  await terminal.answer(/Name of the channel .* \[#random\]: /, '');
  await terminal.see(
    /✕ first channel +looking up the channels of the bot in Slack: Slack asks to wait 30 s → .*its link/,
  );
  slack.sim.clearFaults();
  await terminal.answer(/Name of the channel .* \[#random\]: /, '');
  await terminal.see(/✓ first channel +#random, and the bot is in it/);
  await terminal.answer(/First policy \[1\]: /, '4');
  await terminal.see(/Give a number from 1 to 3\./);
  await terminal.answer(/First policy \[1\]: /, '2');
  await terminal.answer(/Who works\? .*: /, '@ops,@nobody');
  await terminal.see(/Slack knows no one group or person for @nobody\./);
  // Stopping here loses no answer.
  await terminal.see(/Who works\? .*: /);
  terminal.type('\u0003');
  await terminal.see(/Stopped\. Answers are kept; hostler setup continues from there\./);
  expect(await terminal.ended).toBe(130);
  expect(readSettingsFile(place.file)).toMatchObject({ ...place.settings, HOSTLER_SECRET_KEY: expect.any(String) });
  const rest = place.setup();
  await rest.answer(/Change which\? .*: /, '');
  await rest.answer(/Name of the channel .*: /, 'C0RANDOM01');
  await rest.answer(/First policy \[1\]: /, '3');
  await rest.answer(/Start the bot now\? .*: /, 'n');
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
  await idle.answer(/Change which\? .*: /, '');
  await idle.answer(/Name of the channel .*: /, 'C0OPS00001');
  await idle.answer(/First policy \[1\]: /, '');
  await idle.answer(/Start the bot now\? .*: /, 'n');
  expect(await idle.ended).toBe(0);
  expect(await readFile(place.file, 'utf8')).toBe(before);

  const terminal = place.setup();
  await terminal.answer(/Change which\? .*: /, '4');
  await terminal.answer(/Admins, .* \[U0ADMIN001\]: /, '@lead');
  await terminal.see(/✓ channels +with a policy: #ops/);
  await terminal.answer(/Add a channel\? \(y\/n\) \[n\]: /, '');
  await terminal.answer(/Start the bot now\? .*: /, 'n');
  expect(await terminal.ended).toBe(0);
  expect(await readFile(place.file, 'utf8')).toBe(before.replace('U0ADMIN001', 'U0LEAD0001'));
  expect((await stat(place.file)).mode & 0o777).toBe(0o600);

  // A policy is a decision of a person; starting a second bot on one file is not.
  const bot = openPseudoTerminal([process.execPath, main, '--settings', 'data/hostler.env'], {
    cwd: place.dir,
    env: place.env,
  });
  await bot.see(/is ready/);
  const third = place.setup();
  await third.answer(/Change which\? .*: /, '');
  await third.answer(/Add a channel\? .*: /, 'y');
  await third.answer(/Name of the channel .*: /, 'C0OPS00001');
  await third.answer(/First policy \[1\]: /, '3');
  await third.see(/the channel has one already, which stays as it is/);
  await third.answer(/Start the bot now\? .*: /, 'y');
  await third.see(/A bot runs with this database already\. Restart it/);
  expect(await third.ended).toBe(0);
});

test('hostler setup does not ask for a setting of the environment, and asks for one that is wrong', async () => {
  const place = await openPlace();
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, ...rest } = place.settings;
  await place.write({ ...rest, HOST_API_KEY: 'taken-back-by-provider' });
  Object.assign(place.env, { SLACK_BOT_TOKEN, SLACK_APP_TOKEN });
  const terminal = place.setup();
  await terminal.see(/✕ provider key/);
  await terminal.answer(/Change which\? .*: /, '1');
  await terminal.see(/1 of 2 {2}The Slack app[\s\S]*SLACK_BOT_TOKEN is set in the environment\./);
  await terminal.answer(/2 of 2 {2}The provider[\s\S]*Address of its API .*: /, '');
  await terminal.answer(/API key \[as it is\]: /, place.provider.key);
  await terminal.see(/Name of the channel .*: /);
  expect(readSettingsFile(place.file)).toEqual(rest);
});

test('hostler setup does not ask for a setting whose value is in a file', async () => {
  const place = await openPlace();
  const { SLACK_BOT_TOKEN, HOST_API_KEY, HOSTLER_SECRET_KEY, ...rest } = place.settings;
  const inFiles = { SLACK_BOT_TOKEN, HOST_API_KEY, HOSTLER_SECRET_KEY };
  for (const [name, value] of Object.entries(inFiles)) await writeFile(join(place.dir, name), `${value}\n`);
  const named = (names: readonly string[]) => names.map((name) => [`${name}_FILE`, join(place.dir, name)]);
  // Two of them in the environment, as a container has them, and one in the file of settings.
  Object.assign(place.env, Object.fromEntries(named(['SLACK_BOT_TOKEN', 'HOSTLER_SECRET_KEY'])));
  await place.write({ ...rest, ...Object.fromEntries(named(['HOST_API_KEY'])) });
  const before = readSettingsFile(place.file);
  const terminal = place.setup();
  await terminal.answer(/Change which\? .*: /, '1,2,3');
  expect(terminal.screen()).not.toContain('not there yet');
  await terminal.see(/SLACK_BOT_TOKEN is read from the file that SLACK_BOT_TOKEN_FILE names\./);
  await terminal.answer(/App-level token .*: /, '');
  await terminal.answer(/Address of its API .*: /, '');
  await terminal.see(/HOST_API_KEY is read from the file that HOST_API_KEY_FILE names\./);
  await terminal.see(/Name of the channel .*: /);
  expect(readSettingsFile(place.file)).toEqual(before);
});

test('hostler setup without a terminal prints what is missing, changes nothing and ends with exit code 78', async () => {
  const place = await openPlace();
  const child = spawn(process.execPath, [main, 'setup'], { cwd: place.dir, env: place.env, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(child, 'exit');
  expect(code).toBe(78);
  for (const name of Object.keys(place.settings)) expect(said).toContain(name);
  expect(said).toContain('Run hostler setup in a terminal to enter the settings.');
  expect(said).not.toContain('    at ');
  expect(existsSync(join(place.dir, 'data'))).toBe(false);
});
