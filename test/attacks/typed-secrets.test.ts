import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { emptyAccount } from '../../src/core/account/account.ts';
import { confirm, formIn, sayAndPress } from '../engine/told.ts';
import { ops, opsGroup, people } from '../support/bot/fake-slack.ts';
import { ticketPolicy } from '../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot/test-bot.ts';

// People type secrets in the wrong place: a private key instead of a public one, a token in a reason. No later reader
// of the database, the log or the audit may find them there.

const body = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW';
const privateKey = `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`;
const token = 'xoxb-111111111111-canarycanarycanary';
const apiKey = 'canarykk.0123456789abcdef0123456789abcdef';

const start = (more: TestBotOptions = {}) => startTestBot(more);

/** All files of the bot, its log and its messages in channels. */
function expectNowhere(bot: TestBot, secret: string): void {
  const { url } = bot.database;
  const files = readdirSync(dirname(url)).filter((file) => file.startsWith(basename(url)));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files)
    expect([file, readFileSync(join(dirname(url), file)).includes(secret)]).toEqual([file, false]);
  expect(bot.log.join('\n')).not.toContain(secret);
  for (const { view } of bot.posted) expect(JSON.stringify(view)).not.toContain(secret);
}

/** The rows after the end of the request; SQLite's log keeps old pages until it is overwritten. */
async function expectInNoRow(bot: TestBot, secret: string): Promise<void> {
  const tables = await bot.database.run("select name from sqlite_master where type = 'table'");
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables)
    expect([name, JSON.stringify(await bot.database.run(`select * from "${String(name)}"`))]).toEqual([
      name,
      expect.not.stringContaining(secret),
    ]);
  expect(bot.log.join('\n')).not.toContain(secret);
}

async function settled(bot: TestBot): Promise<void> {
  await bot.until(async () => (await bot.store.inbox.unfinished(5, 3_600_000)).length === 0);
}

const test = base.extend('bot', () => start());

describe('a private key', () => {
  const lines = [
    `ssh-key add "Ada laptop" ${privateKey}`,
    `ssh-key add title="Ada laptop" key="${privateKey}" --default`,
    // Phones replace several dashes by one, and no end line follows.
    `ssh-key add "Ada laptop" —BEGIN RSA PRIVATE KEY—\n${body}`,
    `ssh-key add "Ada laptop" PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${body}`,
    `freeze here "${privateKey}"`,
    `dns set example.com _note TXT "${privateKey}"`,
    `nonsense ${privateKey}`,
  ];
  test('a typed private key is refused as one, and no word of it is in a message, row or log', async ({ bot }) => {
    await bot.say('lead', lines[0] ?? '');
    await settled(bot);
    expect(bot.transcript()).toMatch(/This is a private key, not a public one/);
    for (const line of lines) {
      await bot.say('admin', line);
      await bot.say('operator', line);
      await settled(bot);
      expectNowhere(bot, body);
    }
  });

  test('a private key in a form, or in a line that opens a form, is in no message, row or log', async ({ bot }) => {
    const form = formIn(await bot.open('lead', { line: `ssh-key add key="${privateKey}"` }));
    expect(JSON.stringify(form)).not.toContain(body);
    expectNowhere(bot, body);
    const answer = await bot.submit('lead', form, { title: 'Ada laptop', key: privateKey });
    expect(JSON.stringify(answer)).not.toContain(body);
    expect(JSON.stringify(answer)).toMatch(/private/i);
    expectNowhere(bot, body);
  });
});

describe('a token', () => {
  const lines = [`dns set example.com _note TXT "${token}"`, `freeze here "Api-Key ${apiKey}"`, `find "${token}"`];

  test('a token in a line that is refused, answered or not understood is in no row', async ({ bot }) => {
    for (const line of lines) await bot.say('reader', line);
    await settled(bot);
    for (const secret of ['canarycanary', 'canarykk']) await expectInNoRow(bot, secret);
  });

  test('a token in a line for which access is asked is in no row, and no admin is sent it', async ({ bot }) => {
    const line = `ticket open "login" "the token is ${token} and password: hunter2hunter2"`;
    await bot.say('lead', line);
    // The button would send the line to Slack again.
    expect(bot.transcript()).not.toContain('Ask for access');
    await bot.click('lead', { label: 'Ask for access', intent: { do: 'ask-access', line } });
    await bot.until(() => bot.posted.some(({ key }) => key.startsWith('access:')), 'the message to the admin');
    await settled(bot);
    expect(JSON.stringify(bot.posted)).toContain('[removed]');
    expect(JSON.stringify(bot.posted)).not.toMatch(/canarycanary|hunter2/);
    for (const secret of ['canarycanary', 'hunter2']) await expectInNoRow(bot, secret);
  });

  test('a token in the reason of a declined access is in no row, and is not sent to the requester', async ({ bot }) => {
    await sayAndPress(bot, 'lead', 'ticket open "login" "please"', 'Ask for access');
    await bot.until(() => bot.posted.some(({ key }) => key.startsWith('access:')), 'the message to the admin');
    await bot.submit('admin', formIn(await bot.open('admin', { button: 'Decline…' })), {
      words: `take mine: ${token}`,
    });
    await bot.until(() => bot.posted.some(({ key }) => key.startsWith('access-end:')), 'the end');
    await settled(bot);
    expect(JSON.stringify(bot.posted)).not.toContain('canarycanary');
    await expectInNoRow(bot, 'canarycanary');
  });

  test('a token in a request that was carried out is not in the audit', async ({ bot }) => {
    await bot.say('operator', `freeze here "Api-Key ${apiKey}"`);
    await bot.until(async () => (await bot.store.audit.list({ kind: 'asked', limit: 5 })).length > 0);
    await settled(bot);
    expect(JSON.stringify(await bot.store.audit.list({ limit: 100 }))).not.toContain(apiKey);
  });

  test('a token in a line that was read too late is neither in the audit nor in the reply', async ({ bot }) => {
    const request = {
      id: 'left-over',
      actor: people.operator ?? '',
      place: { channel: ops, kind: 'channel' },
      at: bot.now(),
      ask: { kind: 'line', line: `freeze here "${token}"` },
    };
    const claim = { owner: 'a process that ended', forMs: 1 };
    await bot.store.inbox.receive({ key: request.id, body: JSON.stringify(request), claim });
    bot.skip(11 * 60_000);
    await bot.takeUp();
    await bot.until(() => bot.posted.some(({ key }) => key === 'stale:left-over'), 'the answer');
    expect(bot.transcript(people.operator)).toContain('/host freeze here "[removed]');
    await expectInNoRow(bot, 'canarycanary');
  });
});

describe('a text that people read', async () => {
  const commands = await loadCommands();
  /** The free texts of changes that are data and stay as typed, by what needs them so. */
  const data = {
    'the provider keeps it': [
      ...['dns add value', 'dns edit value', 'dns set value', 'dns replace new', 'dns nameservers nameservers'],
      ...['dns domain-add name', 'dns domain-add ip', 'create like', 'create tags', 'tag tags', 'rename name'],
      ...['project create name', 'project create comment', 'project edit name', 'project edit comment'],
      ...['ssh-key add title'],
    ],
    'the secrets of each line are removed as its command says': ['plan lines', 'plan save lines'],
    'it is looked up, and a text that is not found is refused': [
      ...['dns add host', 'dns set host', 'dns edit host', 'dns edit record', 'dns remove record', 'dns replace old'],
      ...['dns restore names', 'unfreeze freeze'],
    ],
    'the plan refuses a text that it does not know': [
      ...['access rule rule', 'access rule window', 'alerts on at', 'alerts on on', 'alerts quiet zone', 'digest when'],
      'events add address',
    ],
  };
  const servers = ['mail-1', 'ci-1', 'db-1', 'db-2', 'vpn-1', 'wiki-1'];
  /** Each command that has words for people, and a command whose reason they read, with a person who may use it. */
  const typed: Readonly<Record<string, readonly [string, (words: string, n: number) => string]>> = {
    pin: ['operator', (words, n) => `pin ${servers[n]} ${words}`],
    freeze: ['operator', (words, n) => `freeze tag:t${n} ${words}`],
    'alerts hook add': ['admin', (words) => `alerts hook add json ${words}`],
    'ticket open': ['operator', (words) => `ticket open ${words} ${words}`],
    plan: ['operator', (words, n) => `restart ${servers[n]} then ticket open ${words} ${words}`],
    'plan save': ['operator', (words, n) => `plan save p${n} 'ticket open ${words} ${words}'`],
    'token add': ['operator', (words, n) => `token add t${n} ${words}`],
    'dns add': ['operator', (words, n) => `dns add example.com h${n} A 192.0.2.9 because ${words}`],
  };
  const hidden = ['password: *', 'Bearer *', 'postgres://u:*@db/x', 'https://hooks.slack.com/services/*'];
  const secrets = [apiKey, token, ...hidden.map((text) => text.replace('*', 'canarycanary'))];
  const isForPeople = (path: string, name: string) =>
    name === '@reason' || commands.find((command) => command.path === path)?.args[name]?.isForPeople === true;

  test('each free text of a change is for people, or is data', () => {
    const takesAnything = (arg: (typeof commands)[number]['args'][string]) => {
      try {
        arg.read(['see', 'password:', 'canarycanary'], { account: emptyAccount, maySee: () => false });
        return ['text', 'multiline'].includes(arg.widget);
      } catch {
        return false;
      }
    };
    const texts = commands.flatMap(({ kind, path, args }) =>
      Object.entries(args).flatMap(([name, arg]) => (kind === 'action' && takesAnything(arg) ? [{ path, name }] : [])),
    );
    const others = texts.filter(({ path, name }) => !isForPeople(path, name));
    expect(others.map(({ path, name }) => `${path} ${name}`).toSorted()).toEqual(Object.values(data).flat().toSorted());
    const forPeople = texts.filter(({ path, name }) => isForPeople(path, name)).map(({ path }) => path);
    expect(Object.keys(typed)).toEqual(expect.arrayContaining(forPeople));
  });

  const ways = ['typed', 'in its form'] as const;
  const paths = Object.entries(typed).flatMap(([path, rest]) => ways.map((way) => [path, way, ...rest] as const));
  test.each(paths)('a secret in the text of %s, %s, is in no message, row or log', async (path, way, person, line) => {
    const bot = await start({ policy: ticketPolicy(opsGroup), config: { publicUrl: 'https://bot.example' } });
    for (const [n, secret] of secrets.entries()) {
      if (way === 'typed') await bot.say(person, line(`"see ${secret}"`, n));
      else await fillIn(bot, { person, path, line: line(`"open ${secret}"`, n), words: `see ${secret}` });
      // Two changes to the pins of a channel wait for each other.
      await settled(bot);
      await bot.settle();
    }
    const rows = JSON.stringify(await bot.database.run('select * from operations'));
    expect(rows.match(/see [^"]*\[removed\]/g)?.length, bot.transcript()).toBeGreaterThanOrEqual(secrets.length);
    expect(JSON.stringify(bot.posted)).not.toMatch(/canary/);
    await expectInNoRow(bot, 'canary');
  });
  /** Opens the form with a secret in its line, and sends it with another. */
  async function fillIn(bot: TestBot, { person = '', path = '', line = '', words = '' }: Record<string, string>) {
    const form = formIn(await bot.open(person, { line }));
    expect(JSON.stringify(form)).not.toMatch(/canary/);
    const sentBy = (field: (typeof form.fields)[number]) => {
      const sent = sentFor('initial' in field ? field.initial : undefined);
      if (field.name === 'lines' && typeof sent === 'string') return sent.replaceAll('open [removed]', words);
      return isForPeople(path, field.name) ? words : sent;
    };
    const values = Object.fromEntries(form.fields.map((field) => [field.name, sentBy(field)]));
    expect(await bot.submit(person, form, values)).toEqual({ kind: 'accepted' });
  }

  test('the text of a record is not altered', async ({ bot }) => {
    await confirm(bot, 'operator', 'dns set example.com _note TXT "password: canarycanary"');
    expect(JSON.stringify(await bot.provider.sim.requests())).toContain('password: canarycanary');
  });
});

/** The value that a form sends for a field that was filled in. */
function sentFor(initial: unknown): string | string[] {
  if (Array.isArray(initial)) return initial.map((each) => (typeof each === 'object' ? each.value : String(each)));
  if (typeof initial === 'object' && initial !== null && 'value' in initial) return String(initial.value);
  return initial === undefined || typeof initial === 'boolean' ? '' : String(initial);
}
