import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configExitCode, type LiveConfig, readAccountConfig, readConfig, readStoreConfig } from '../src/config.ts';
import { settings, settingsHelp } from '../src/settings.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));

/** The required settings only. */
const least = {
  SLACK_BOT_TOKEN: 'xoxb-canary-bot',
  SLACK_APP_TOKEN: 'xapp-1-canary-app',
  HOST_API_URL: 'https://api.provider.example/v1/',
  HOST_API_KEY: 'canary-api-key',
  HOSTLER_ADMINS: 'U012AB3CD',
  HOSTLER_SECRET_KEY: key.toString('base64'),
};

const noFiles = (): string => {
  throw Object.assign(new Error('no such file: canary-path'), { code: 'ENOENT' });
};

type Env = Record<string, string | undefined>;

function live(more: Env = {}, files: Record<string, string> = {}): LiveConfig {
  const reading = readConfig({ ...least, ...more }, (path) => files[path] ?? noFiles());
  if (reading.kind !== 'live') throw new Error(JSON.stringify(reading));
  return reading.config;
}

function problems(env: Env, files: Record<string, string> = {}): readonly string[] {
  const reading = readConfig(env, (path) => files[path] ?? noFiles());
  return reading.kind === 'problems' ? reading.lines : [];
}

describe('when the sandbox starts', () => {
  test('the sandbox starts when nothing is configured', () => {
    expect(readConfig({}, noFiles)).toEqual({ kind: 'sandbox', host: '127.0.0.1', port: 3_000, logLevel: 'info' });
  });

  test('the sandbox can have a port and a log level', () => {
    const env = { PORT: '0', LOG_LEVEL: 'DEBUG', HOSTLER_HOST: '0.0.0.0', NODE_ENV: 'development', PATH: '/bin' };
    expect(readConfig(env, noFiles)).toEqual({ kind: 'sandbox', host: '0.0.0.0', port: 0, logLevel: 'debug' });
  });

  test('the sandbox does not start with a wrong port', () => {
    expect(problems({ PORT: 'http' })).toEqual(['PORT is not a whole number from 0 to 65535. Example: PORT=3000']);
  });

  test('the sandbox does not start in production', () => {
    expect(problems({ NODE_ENV: 'production' })).toHaveLength(6);
  });

  const meant = [
    ...Object.entries(settings)
      .filter(([, setting]) => setting.isConfiguration)
      .flatMap(([name]) => [name, `${name}_FILE`]),
    'SLACK_BOT_TOKN',
    'SLACK_CLIENT_ID',
    'HOST_API_TOKEN',
  ];
  test.each(meant)('the sandbox does not start when only %s is set', (name) => {
    expect(readConfig({ [name]: 'something' }, noFiles).kind).toBe('problems');
  });

  test('the sandbox starts when all variables are empty', () => {
    const names = Object.keys(settings);
    const empty = [...names.map((name) => [name, '']), ...names.map((name) => [`${name}_FILE`, ' '])];
    expect(readConfig(Object.fromEntries(empty), noFiles).kind).toBe('sandbox');
  });
});

describe('the settings of a bot', () => {
  test('a bot needs few settings, and the others have defaults', () => {
    expect(live()).toEqual({
      slack: {
        botToken: 'xoxb-canary-bot',
        appToken: 'xapp-1-canary-app',
        signingSecret: undefined,
        apiUrl: undefined,
        host: '127.0.0.1',
        port: 3_000,
      },
      metrics: { port: undefined, host: '127.0.0.1', token: undefined },
      provider: { url: 'https://api.provider.example/v1', key: 'canary-api-key' },
      admins: ['U012AB3CD'],
      secretKeys: [new Uint8Array(key)],
      databaseUrl: './data/hostler.db',
      databaseConnections: 10,
      publicUrl: undefined,
      auditChannel: undefined,
      requestsPerMinute: 30,
      nameServers: { allowsPrivate: false },
      events: { allowsPrivate: false },
      whyNotProbed: undefined,
      answersWithinMs: 300_000,
      isPaused: false,
      logLevel: 'info',
      secrets: ['xoxb-canary-bot', 'xapp-1-canary-app', 'canary-api-key', key.toString('base64')],
      notices: [],
    });
  });

  test('a bot reads all its settings', () => {
    const config = live({
      SLACK_APP_TOKEN: undefined,
      SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      SLACK_API_URL: 'http://127.0.0.1:3001/api',
      HOST_API_URL: 'http://provider:8080',
      HOSTLER_ADMINS: ' U012AB3CD, W045EF6GH\nU012AB3CD ',
      HOSTLER_SECRET_KEY: key.toString('hex').toUpperCase(),
      HOSTLER_PUBLIC_URL: 'https://hostler.example.com/',
      HOSTLER_AUDIT_CHANNEL: 'C012AB3CD',
      HOSTLER_RATE_PER_MINUTE: '5',
      HOSTLER_DNS_PROPAGATION: 'private',
      HOSTLER_EVENTS: 'private',
      HOSTLER_LOOK_OUTSIDE: 'off',
      HOSTLER_ANSWERS_WITHIN: '10m',
      HOSTLER_PAUSED: '1',
      HOSTLER_HOST: '::1',
      DATABASE_URL: 'postgres://hostler:s%21cret-pw@db:5432/hostler',
      PORT: '8080',
      LOG_LEVEL: 'warn',
    });
    expect(config).toMatchObject({
      slack: {
        appToken: undefined,
        signingSecret: '0123456789abcdef0123456789abcdef',
        apiUrl: 'http://127.0.0.1:3001/api/',
        host: '::1',
        port: 8080,
      },
      provider: { url: 'http://provider:8080' },
      admins: ['U012AB3CD', 'W045EF6GH'],
      secretKeys: [new Uint8Array(key)],
      publicUrl: 'https://hostler.example.com',
      auditChannel: 'C012AB3CD',
      requestsPerMinute: 5,
      isPaused: true,
      whyNotProbed: 'HOSTLER_LOOK_OUTSIDE is off',
      answersWithinMs: 600_000,
      logLevel: 'warn',
    });
    expect(config.secrets).toEqual(expect.arrayContaining(['s%21cret-pw', 's!cret-pw', config.databaseUrl]));
  });

  test('the password of a database is a secret for the log, and a path is not', () => {
    expect(live({ DATABASE_URL: '/data/hostler.db' }).secrets).not.toContain('/data/hostler.db');
    const { secrets } = live({ DATABASE_URL: 'postgres://hostler@/hostler?host=/run/postgresql&password=canary-pw' });
    expect(secrets).toContain('canary-pw');
  });

  test('a bot with both tokens uses Socket Mode, and says so', () => {
    const config = live({ SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef' });
    expect(config.slack).toMatchObject({ appToken: 'xapp-1-canary-app', signingSecret: undefined });
    expect(config.notices).toEqual([expect.stringMatching(/both set: Socket Mode is used/)]);
    expect(config.secrets).toContain('0123456789abcdef0123456789abcdef');
  });

  test('a bot behind a proxy tries nothing from outside, and says so', () => {
    const { whyNotProbed, notices } = live({ https_proxy: 'http://proxy.internal:3128' });
    expect(whyNotProbed).toBe('https_proxy is set, and a probe would not reach the server itself');
    expect(notices).toEqual([`${whyNotProbed}: nothing is tried from outside after a restart.`]);
  });

  test('a bot in production says where its database is when DATABASE_URL is not set', () => {
    expect(live({ NODE_ENV: 'production' }).notices).toEqual([expect.stringMatching(/^DATABASE_URL is not set/)]);
    expect(live({ NODE_ENV: 'production', DATABASE_URL: '/data/hostler.db' }).notices).toEqual([]);
  });

  test('the key can be base64 for URLs, and without padding', () => {
    expect(live({ HOSTLER_SECRET_KEY: key.toString('base64url') }).secretKeys).toEqual([new Uint8Array(key)]);
  });
});

describe('settings in files', () => {
  test.each(Object.keys(settings))('%s can be in a file', (name) => {
    const given: Env = {
      ...least,
      SLACK_SIGNING_SECRET: '0123456789abcdef',
      HOSTLER_SECRET_KEY_PREVIOUS: key.toString('hex'),
      HOSTLER_METRICS_PORT: '9464',
      HOSTLER_METRICS_HOST: '::1',
      HOSTLER_DATABASE_CONNECTIONS: '20',
      HOSTLER_METRICS_TOKEN: '0123456789abcdef0123',
      SLACK_API_URL: 'https://slack.example/api/',
      HOSTLER_PUBLIC_URL: 'https://hostler.example.com',
      HOSTLER_AUDIT_CHANNEL: 'C012AB3CD',
      HOSTLER_RATE_PER_MINUTE: '5',
      HOSTLER_DNS_PROPAGATION: 'private',
      HOSTLER_EVENTS: 'private',
      HOSTLER_LOOK_OUTSIDE: 'off',
      HOSTLER_ANSWERS_WITHIN: '10m',
      HOSTLER_PAUSED: '1',
      HOSTLER_HOST: '::1',
      DATABASE_URL: '/data/hostler.db',
      PORT: '8080',
      HOSTLER_URL: 'https://hostler.example.com',
      HOSTLER_TOKEN: 'hst_abcdefgh.canary-secret',
      LOG_LEVEL: 'warn',
    };
    const inFile = { ...given, [name]: undefined, [`${name}_FILE`]: '/run/secrets/it' };
    expect(live(inFile, { '/run/secrets/it': `${given[name]}\n` })).toEqual(live(given));
  });

  test('files of settings are read from the disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hostler-config-'));
    try {
      const path = join(folder, 'key');
      await writeFile(path, 'key-from-a-file\n');
      const reading = readConfig({ ...least, HOST_API_KEY: undefined, HOST_API_KEY_FILE: path });
      expect(reading).toMatchObject({ kind: 'live', config: { provider: { key: 'key-from-a-file' } } });
      // The subcommands that only open the database read it, too: a policy test needs the admins.
      await writeFile(path, 'U012AB3CD U0OTHER01\n');
      expect(readStoreConfig({ HOSTLER_ADMINS_FILE: path }).admins).toEqual(['U012AB3CD', 'U0OTHER01']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a subcommand that only opens the database refuses settings that it cannot read, all at once', () => {
    const env = {
      DATABASE_URL_FILE: '/missing',
      HOSTLER_SECRET_KEY: 'canary',
      HOSTLER_SECRET_KEY_PREVIOUS: 'x',
      HOSTLER_SECRET_KEY_PREVIOUS_FILE: '/missing',
      HOSTLER_ADMINS: 'ada',
      // Not a setting of these subcommands.
      PORT: 'canary',
    };
    const said = () => readStoreConfig(env, noFiles);
    expect(said).toThrow(/^DATABASE_URL cannot be read from the file that DATABASE_URL_FILE names \(ENOENT\)/m);
    expect(said).toThrow(/^HOSTLER_SECRET_KEY is not 32 bytes/m);
    expect(said).toThrow(/^HOSTLER_SECRET_KEY_PREVIOUS is given twice/m);
    expect(said).toThrow(/^HOSTLER_ADMINS /m);
    expect(said).toThrow(expect.objectContaining({ exitCode: configExitCode }));
    expect(said).not.toThrow(/canary/);
    expect(said).not.toThrow(/PORT/);
    expect(readStoreConfig({}, noFiles)).toMatchObject({ databaseUrl: './data/hostler.db', admins: [], auditKeys: [] });
  });

  test.each([
    ['zeros', Buffer.alloc(32)],
    ['one byte, repeated', Buffer.alloc(32, 0x41)],
    ['a word, repeated', Buffer.from('deadbeef'.repeat(8), 'hex')],
  ])('a secret key that is not random is refused with the way to make one: %s', (_, key) => {
    const wrong = 'is not random: make one with openssl rand -base64 32. Example: ';
    for (const text of [key.toString('base64'), key.toString('hex')]) {
      expect(problems({ ...least, HOSTLER_SECRET_KEY: text, HOSTLER_SECRET_KEY_PREVIOUS: text })).toEqual([
        `HOSTLER_SECRET_KEY ${wrong}HOSTLER_SECRET_KEY=$(openssl rand -base64 32)`,
        `HOSTLER_SECRET_KEY_PREVIOUS ${wrong}HOSTLER_SECRET_KEY_PREVIOUS=the old HOSTLER_SECRET_KEY`,
      ]);
    }
  });

  test('a file that cannot be read, is empty, or is set twice is reported', () => {
    const env = {
      ...least,
      HOST_API_KEY: undefined,
      HOST_API_KEY_FILE: '/missing',
      SLACK_BOT_TOKEN: undefined,
      SLACK_BOT_TOKEN_FILE: '/empty',
      SLACK_APP_TOKEN_FILE: '/full',
    };
    expect(problems(env, { '/empty': ' \n', '/full': 'xapp-1-x' })).toEqual([
      'SLACK_BOT_TOKEN is empty in the file that SLACK_BOT_TOKEN_FILE names. Example: SLACK_BOT_TOKEN=xoxb-…',
      'SLACK_APP_TOKEN is given twice, as itself and as SLACK_APP_TOKEN_FILE: keep one. Example: SLACK_APP_TOKEN=xapp-…',
      'HOST_API_KEY cannot be read from the file that HOST_API_KEY_FILE names (ENOENT). Example: HOST_API_KEY=the key as the provider shows it',
    ]);
  });
});

describe('wrong settings', () => {
  test('the port of the metrics is another than PORT', () => {
    const metrics = /^HOSTLER_METRICS_PORT is the port of PORT, 3000: give it another, or leave it out\./;
    expect(problems({ ...least, HOSTLER_METRICS_PORT: '3000' })).toEqual([expect.stringMatching(metrics)]);
    expect(problems({ ...least, HOSTLER_METRICS_PORT: '3000', PORT: '3001' })).toEqual([]);
    expect(problems({ ...least, HOSTLER_METRICS_PORT: '0', PORT: '0' })).toEqual([]);
  });

  test('all wrong settings are reported at once, each with a correct example', () => {
    expect(problems({ SLACK_API_URL: 'nowhere', HOSTLER_RATE_PER_MINUTE: '0', PORT: '70000' })).toEqual([
      "SLACK_BOT_TOKEN is missing: the bot's token, from OAuth & Permissions in Slack's app settings. Example: SLACK_BOT_TOKEN=xoxb-…",
      'SLACK_API_URL is not an https:// address without user, query and fragment (http:// only to this machine or a name without dots). Example: SLACK_API_URL=http://localhost:3001/api/',
      "HOST_API_URL is missing: the address of the provider's API. Example: HOST_API_URL=https://api.provider.example/v1",
      "HOST_API_KEY is missing: the provider's API key. Example: HOST_API_KEY=the key as the provider shows it",
      'HOSTLER_ADMINS is missing: the Slack user ids of the admins, separated by commas. Example: HOSTLER_ADMINS=U012AB3CD,U045EF6GH',
      'HOSTLER_SECRET_KEY is missing: 32 random bytes as base64 or hex: encrypts secrets that the bot shows once, such as a new password. Example: HOSTLER_SECRET_KEY=$(openssl rand -base64 32)',
      'HOSTLER_RATE_PER_MINUTE is not a whole number from 1 to 10000. Example: HOSTLER_RATE_PER_MINUTE=30',
      'PORT is not a whole number from 0 to 65535. Example: PORT=3000',
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing: the first for Socket Mode, the second for HTTP. Example: SLACK_APP_TOKEN=xapp-…',
    ]);
    expect(configExitCode).toBe(78);
  });

  const rows: [name: keyof typeof settings, ...values: string[]][] = [
    ['SLACK_BOT_TOKEN', 'xoxp-canary', 'xapp-canary', 'canary', 'xoxb-', 'xoxb-with canary'],
    ['SLACK_APP_TOKEN', 'xoxb-canary', 'canary'],
    ['SLACK_SIGNING_SECRET', 'canary', 'canary canary canary canary'],
    ['SLACK_API_URL', 'http://canary.example/api/', 'ftp://canary', 'canary'],
    ['HOST_API_URL', 'http://canary.example', 'https://user:canary@api.example', 'https://api.example/?canary=1'],
    ['HOST_API_KEY', 'canary', 'a canary in a cage', 'canary\u00e9\u00e9\u00e9'],
    ['HOSTLER_ADMINS', 'canary', 'U012AB3CD,@canary', ','],
    [
      'HOSTLER_SECRET_KEY',
      'canary',
      'canary'.repeat(9),
      key.subarray(1).toString('base64'),
      key.subarray(1).toString('hex'),
    ],
    ['HOSTLER_PUBLIC_URL', 'canary.example.com', 'https://canary:canary@example.com'],
    ['HOSTLER_AUDIT_CHANNEL', '#canary', 'U012AB3CD'],
    ['HOSTLER_RATE_PER_MINUTE', '0', '-1', '1.5', 'canary', '99999'],
    ['DATABASE_URL', 'mysql://canary:canary@db/x', 'postgres://u:can%ary@db/x'],
    ['HOSTLER_DATABASE_CONNECTIONS', '1', '201', 'canary'],
    ['HOSTLER_HOST', 'http://canary', 'a canary'],
    ['PORT', 'canary', '65536', '1e3'],
    ['LOG_LEVEL', 'canary', 'verbose'],
  ];
  test.each(rows)('wrong values of %s are reported', (name, ...values) => {
    for (const value of values) {
      const lines = problems({ ...least, [name]: value });
      expect(lines, value).toHaveLength(1);
      expect(lines[0]).toMatch(new RegExp(`^${name} is not .+ Example: ${name}=`));
      expect(lines[0]).not.toContain('canary');
    }
  });

  test('an error message repeats neither a value nor a path', () => {
    const value = fc.string({ unit: fc.constantFrom(...'canaryX0-:/@.%='), maxLength: 40 }).map((text) => `Qz7${text}`);
    const name = fc.constantFrom(...Object.keys(settings).flatMap((key) => [key, `${key}_FILE`]));
    const property = fc.property(fc.dictionary(name, value), (env) => {
      for (const line of problems(env)) expect(line).not.toContain('Qz7');
    });
    fc.assert(property, { numRuns: 300 });
  });
});

test('the help lists every setting, and every example is valid', () => {
  const help = settingsHelp();
  for (const name of Object.keys(settings)) expect(help).toContain(`${name}=`);
  expect(help).toContain('NAME_FILE');
  expect(help).not.toContain('undefined');
  for (const [name, setting] of Object.entries(settings)) {
    if (!setting.isSecret) expect(setting.read.safeParse(setting.example).success, name).toBe(true);
  }
});

test('a command that only reads the account needs its address and key, and names the missing one', () => {
  const env = { HOST_API_URL: 'https://api.provider.example/v1', HOST_API_KEY: 'abcdefgh.1234' };
  expect(readAccountConfig(env)).toEqual({ url: 'https://api.provider.example/v1', key: 'abcdefgh.1234' });
  expect(() => readAccountConfig({ HOST_API_URL: 'http://api.provider.example' })).toThrow(
    /^HOST_API_URL is not .+\nHOST_API_KEY is missing: the provider's API key\. Example: /,
  );
});
