import { readFileSync } from 'node:fs';
import { keysFor } from './core/text/keys.ts';
import { minute, nearest } from './core/text/words.ts';
import { CliError, codeOf } from './core/view/errors.ts';
import { type LogLevel, type Setting, type SettingName, type SettingValues, settings } from './settings.ts';
import { parseDatabaseUrl } from './store/address.ts';

/** BSD's EX_CONFIG, so that a supervisor can distinguish a wrong configuration from a crash and need not restart. */
export const configExitCode = 78;

const defaultDatabase = './data/hostler.db';

export type LiveConfig = ReturnType<typeof liveConfig>;

type ConfigReading =
  | { readonly kind: 'sandbox'; readonly host: string; readonly port: number; readonly logLevel: LogLevel }
  | { readonly kind: 'live'; readonly config: LiveConfig }
  | { readonly kind: 'problems'; readonly lines: readonly string[] };

type Env = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => string;
const fromDisk: ReadFile = (path) => readFileSync(path, 'utf8');

/**
 * Reads the whole configuration: a valid one, or all of its problems. Pure, except that it reads files of NAME_FILE.
 */
export function readConfig(env: Env, readFile: ReadFile = fromDisk): ConfigReading {
  const lines: string[] = [];
  const secrets: string[] = [];
  const values: Record<string, unknown> = {};
  const isSandbox = env.NODE_ENV !== 'production' && !isConfigured(env);
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { text, value, problem } = readSetting(name, env, readFile);
    if (problem !== undefined) lines.push(problem);
    if (value !== undefined) values[name] = value;
    if (text !== undefined) {
      if (setting.isSecret) secrets.push(...(name === 'DATABASE_URL' ? passwordsOf(text, env) : [text]));
    } else if (problem === undefined && setting.isRequired && !isSandbox)
      lines.push(line(name, setting, `is missing: ${setting.about}`));
  }
  // The loop above stored the output of each setting's own schema.
  const read = values as SettingValues;
  if (!isSandbox && !['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].some((name) => isGiven(name, env))) {
    lines.push(
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing: the first for Socket Mode, the second for HTTP. Example: SLACK_APP_TOKEN=xapp-…',
    );
  }
  const port = portOf(read);
  if (port !== 0 && read.HOSTLER_METRICS_PORT === port && !isSandbox)
    lines.push(
      `HOSTLER_METRICS_PORT is the port of PORT, ${port}: give it another, or leave it out. Example: HOSTLER_METRICS_PORT=9464`,
    );
  if (lines.length > 0) return { kind: 'problems', lines };
  if (isSandbox) {
    return { kind: 'sandbox', host: read.HOSTLER_HOST ?? '127.0.0.1', port: portOf(read), logLevel: levelOf(read) };
  }
  return { kind: 'live', config: liveConfig(read, secrets, env) };
}

const portOf = (read: SettingValues): number => read.PORT ?? 3_000;
const levelOf = (read: SettingValues): LogLevel => read.LOG_LEVEL ?? 'info';

/**
 * The configuration for subcommands that only open the database, which need no tokens. An unreadable setting is an
 * error and not a missing value: another database would be opened, or the audit not signed.
 */
export function readStoreConfig(env: Env, readFile: ReadFile = fromDisk) {
  const lines: string[] = [];
  const read = <Name extends SettingName>(name: Name): SettingValues[Name] => {
    const { value, problem } = readSetting(name, env, readFile);
    if (problem !== undefined) lines.push(problem);
    // The value is the output of this setting's own schema.
    return value as SettingValues[Name];
  };
  const [present, previous] = [read('HOSTLER_SECRET_KEY'), read('HOSTLER_SECRET_KEY_PREVIOUS')];
  // Without a present key the previous key is not used either, or it would sign new rows.
  const keys: readonly Uint8Array[] =
    present === undefined ? [] : [present, ...(previous === undefined ? [] : [previous])];
  const config = {
    databaseUrl: read('DATABASE_URL') ?? defaultDatabase,
    admins: read('HOSTLER_ADMINS') ?? [],
    secretKeys: keys,
    /** Empty without HOSTLER_SECRET_KEY: the end of the audit can then be neither verified nor signed. */
    auditKeys: keysFor(keys, 'audit head'),
  };
  if (lines.length > 0) throw new CliError(lines.join('\n'), { exitCode: configExitCode });
  return config;
}

export type StoreConfig = ReturnType<typeof readStoreConfig>;

/** The settings of a command that asks a bot on another machine. */
export function readCallerConfig(env: Env, readFile: ReadFile = fromDisk) {
  const { HOSTLER_URL: url, HOSTLER_TOKEN: token } = readTexts(['HOSTLER_URL', 'HOSTLER_TOKEN'], env, readFile);
  return { url, token };
}
export type CallerConfig = ReturnType<typeof readCallerConfig>;

/** The account's address and key, for a command that only reads it. */
export function readAccountConfig(env: Env, readFile: ReadFile = fromDisk) {
  const { HOST_API_URL: url, HOST_API_KEY: key } = readTexts(['HOST_API_URL', 'HOST_API_KEY'], env, readFile);
  return { url, key };
}

/** Settings that are texts and have to be there. */
function readTexts<Name extends SettingName>(names: readonly Name[], env: Env, readFile: ReadFile) {
  const lines: string[] = [];
  const read = names.map((name): readonly [Name, string] => {
    const { value, problem } = readSetting(name, env, readFile);
    const setting = settings[name];
    if (value === undefined) lines.push(problem ?? line(name, setting, `is missing: ${setting.about}`));
    return [name, String(value)];
  });
  if (lines.length > 0) throw new CliError(lines.join('\n'), { exitCode: configExitCode });
  // One entry for each of the names.
  return Object.fromEntries(read) as Record<Name, string>;
}

/** Unknown names that look like settings: a typo would silently have no effect. */
export function unknownSettings(env: Env): string[] {
  const names = Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => /^(HOSTLER|SLACK)_/.test(name) && Boolean(env[name]?.trim()) && !names.includes(name))
    .sort()
    .map((name) => {
      const meant = nearest(name, names);
      return `${name} is no setting of Hostler and has no effect${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}

/** Through a proxy, a probe would show the proxy and not the server. */
const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

function liveConfig(read: SettingValues, secrets: readonly string[], env: Env) {
  const isProduction = env.NODE_ENV === 'production';
  const proxy = proxies.find((name) => Boolean(env[name]?.trim()));
  const whyNotProbed =
    proxy === undefined ? undefined : `${proxy} is set, and a probe would not reach the server itself`;
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = read;
  const { HOST_API_URL: url, HOST_API_KEY: key, HOSTLER_ADMINS: admins, HOSTLER_SECRET_KEY: secretKey } = read;
  const { HOSTLER_SECRET_KEY_PREVIOUS: previous, HOSTLER_DNS_PROPAGATION: way = 'on' } = read;
  const { HOSTLER_EVENTS: events = 'on' } = read;
  if (!botToken || !url || !key || !admins || !secretKey) throw new Error('a required setting passed unread');
  /** 32 bytes each: the present key first, then the previous key during a rotation. */
  const secretKeys: readonly [Uint8Array, ...Uint8Array[]] = previous ? [secretKey, previous] : [secretKey];
  const notices = [
    appToken !== undefined &&
      signingSecret !== undefined &&
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode is used, for it needs no address that Slack can reach. For HTTP mode, leave out SLACK_APP_TOKEN.',
    isProduction &&
      read.DATABASE_URL === undefined &&
      `DATABASE_URL is not set: everything is kept in ${defaultDatabase}, which has to be on a disk that stays.`,
    whyNotProbed !== undefined && `${whyNotProbed}: nothing is tried from outside after a restart.`,
    read.HOSTLER_PAUSED === true && 'HOSTLER_PAUSED is set: the bot answers and watches, but starts no request.',
  ].filter((notice) => notice !== false);
  return {
    slack: {
      botToken,
      /** Set in Socket Mode. In HTTP mode `signingSecret` is set instead, which verifies Slack's requests. */
      appToken,
      signingSecret: appToken === undefined ? signingSecret : undefined,
      apiUrl: read.SLACK_API_URL,
      // Socket Mode without webhooks needs no connections from other machines.
      host:
        read.HOSTLER_HOST ??
        (appToken !== undefined && read.HOSTLER_PUBLIC_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
      port: portOf(read),
    },
    provider: { url, key },
    metrics: {
      port: read.HOSTLER_METRICS_PORT,
      host: read.HOSTLER_METRICS_HOST ?? '127.0.0.1',
      token: read.HOSTLER_METRICS_TOKEN,
    },
    admins,
    secretKeys,
    databaseUrl: read.DATABASE_URL ?? defaultDatabase,
    /** PostgreSQL connections of this replica. */
    databaseConnections: read.HOSTLER_DATABASE_CONNECTIONS ?? 10,
    publicUrl: read.HOSTLER_PUBLIC_URL,
    auditChannel: read.HOSTLER_AUDIT_CHANNEL,
    requestsPerMinute: read.HOSTLER_RATE_PER_MINUTE ?? 30,
    /** True: the bot starts no requests. */
    isPaused: read.HOSTLER_PAUSED ?? false,
    /** Undefined: no name server is asked. */
    nameServers: way === 'off' ? undefined : { allowsPrivate: way === 'private' },
    /** Undefined: no event is posted. */
    events: events === 'off' ? undefined : { allowsPrivate: events === 'private' },
    /** Why no service is tried from outside; undefined if the bot tries them. */
    whyNotProbed: read.HOSTLER_LOOK_OUTSIDE === 'off' ? 'HOSTLER_LOOK_OUTSIDE is off' : whyNotProbed,
    answersWithinMs: read.HOSTLER_ANSWERS_WITHIN ?? 5 * minute,
    logLevel: levelOf(read),
    /** Values that the logger redacts. */
    secrets: [...new Set(secrets)],
    /** Lines for the log at the start. */
    notices,
  };
}

interface SettingReading {
  readonly text?: string;
  readonly value?: unknown;
  /** The problem as a line with a correct example. */
  readonly problem?: string;
}

function readSetting(name: string, env: Env, readFile: ReadFile): SettingReading {
  const setting = (settings as Record<string, Setting<unknown>>)[name];
  if (setting === undefined) throw new Error(`there is no setting ${name}`);
  const { text, problem } = textOf(name, env, readFile);
  if (problem !== undefined) return { problem: line(name, setting, problem) };
  if (text === undefined) return {};
  const read = setting.read.safeParse(text);
  if (read.success) return { text, value: read.data };
  const wanted = read.error.issues[0]?.message ?? 'as it should be';
  return { text, problem: line(name, setting, `is not ${wanted}`) };
}

function line(name: string, setting: Setting<unknown>, wrong: string): string {
  return `${name} ${wrong}. Example: ${name}=${setting.example}`;
}

/** Counts typos such as SLACK_BOT_TOKN too: the operator wants the bot, not the sandbox. */
function isConfigured(env: Env): boolean {
  const required = Object.entries<Setting<unknown>>(settings).filter(([, setting]) => setting.isConfiguration);
  if (required.some(([name]) => isGiven(name, env))) return true;
  return Object.entries(env).some(([name, value]) => /^(SLACK_|HOST_API)/.test(name) && Boolean(value?.trim()));
}

/** False for an empty value: compose files and CI pass unset variables as empty. */
export function isGiven(name: string, env: Env): boolean {
  return Boolean(env[name]?.trim()) || Boolean(env[`${name}_FILE`]?.trim());
}

/** The value of a setting, from itself or from the file that NAME_FILE names. */
export function textOf(name: string, env: Env, readFile: ReadFile): { text?: string; problem?: string } {
  const text = env[name]?.trim();
  const path = env[`${name}_FILE`]?.trim();
  if (text && path) return { problem: `is given twice, as itself and as ${name}_FILE: keep one` };
  if (!path) return text ? { text } : {};
  try {
    const content = readFile(path).trim();
    return content === '' ? { problem: `is empty in the file that ${name}_FILE names` } : { text: content };
  } catch (error) {
    // The message has neither the path nor the error's text, since someone may have put the secret itself there.
    const code = codeOf(error);
    return { problem: `cannot be read from the file that ${name}_FILE names${code && ` (${code})`}` };
  }
}

/** The passwords in an address. Its host and path are not secret, and the log names them. */
function passwordsOf(databaseUrl: string, env: Env): string[] {
  try {
    const address = parseDatabaseUrl(databaseUrl, env);
    if (address.engine === 'sqlite' || address.password === '') return [];
    const written = /:([^:@/?#]*)@/.exec(databaseUrl)?.[1] ?? '';
    return [...new Set([databaseUrl, written, address.password])];
  } catch {
    // Any part of an unreadable address may be the password.
    return [databaseUrl];
  }
}
