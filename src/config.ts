import { readFileSync } from 'node:fs';
import { keysFor } from './core/keys.ts';
import { type LogLevel, type Setting, type SettingValues, settings } from './settings.ts';
import { parseDatabaseUrl } from './store/address.ts';

/** BSD's EX_CONFIG: a supervisor can tell "configured wrongly" from "crashed", and need not start it again. */
export const configExitCode = 78;

const defaultDatabase = './data/hostler.db';

export interface LiveConfig {
  readonly slack: {
    readonly botToken: string;
    /** Socket Mode; else the secret that requests over HTTP are signed with. Only one of the two is ever set. */
    readonly appToken: string | undefined;
    readonly signingSecret: string | undefined;
    readonly apiUrl: string | undefined;
    readonly host: string;
    readonly port: number;
  };
  readonly provider: { readonly url: string; readonly key: string };
  readonly metrics: { readonly port: number | undefined; readonly host: string; readonly token: string | undefined };
  readonly admins: readonly string[];
  /** 32 bytes each: the present one first, then the one before it while it is being rotated. */
  readonly secretKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly databaseUrl: string;
  /** On PostgreSQL, of this replica. */
  readonly databaseConnections: number;
  readonly publicUrl: string | undefined;
  readonly auditChannel: string | undefined;
  readonly requestsPerMinute: number;
  /** It begins nothing. */
  readonly isPaused: boolean;
  readonly logLevel: LogLevel;
  /** For the logger to strike out. */
  readonly secrets: readonly string[];
  /** Worth a line in the log at the start. */
  readonly notices: readonly string[];
}

export type ConfigReading =
  | { readonly kind: 'sandbox'; readonly host: string; readonly port: number; readonly logLevel: LogLevel }
  | { readonly kind: 'live'; readonly config: LiveConfig }
  | { readonly kind: 'problems'; readonly lines: readonly string[] };

type Env = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => string;

/** Everything at once: what runs, or all that is wrong. Pure but for reading the files that NAME_FILE names. */
export function readConfig(env: Env, readFile: ReadFile = (path) => readFileSync(path, 'utf8')): ConfigReading {
  const lines: string[] = [];
  const secrets: string[] = [];
  const values: Record<string, unknown> = {};
  const isSandbox = env.NODE_ENV !== 'production' && !isConfigured(env);
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const given = textOf(name, env, readFile);
    if (given.problem !== undefined) lines.push(line(name, setting, given.problem));
    else if (given.text !== undefined) {
      const read = setting.read.safeParse(given.text);
      if (read.success) values[name] = read.data;
      else lines.push(line(name, setting, `is not ${read.error.issues[0]?.message ?? 'as it should be'}`));
      if (setting.isSecret) secrets.push(...(name === 'DATABASE_URL' ? passwordsOf(given.text, env) : [given.text]));
    } else if (setting.isRequired && !isSandbox) lines.push(line(name, setting, `is missing: ${setting.about}`));
  }
  // The loop above gave each name what its own schema made of the text.
  const read = values as SettingValues;
  if (!isSandbox && !['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'].some((name) => isGiven(name, env))) {
    lines.push(
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing: the first for Socket Mode, the second for HTTP. Example: SLACK_APP_TOKEN=xapp-…',
    );
  }
  if (lines.length > 0) return { kind: 'problems', lines };
  if (isSandbox) {
    return { kind: 'sandbox', host: read.HOSTLER_HOST ?? '127.0.0.1', port: portOf(read), logLevel: levelOf(read) };
  }
  return { kind: 'live', config: liveConfig(read, secrets, env.NODE_ENV === 'production') };
}

const portOf = (read: SettingValues): number => read.PORT ?? 3_000;
const levelOf = (read: SettingValues): LogLevel => read.LOG_LEVEL ?? 'info';

/** For the subcommands that only open the database: they need no token, and work where none is. */
export function readStoreConfig(env: Env): StoreConfig {
  const given = (name: keyof SettingValues) => textOf(name, env, (path) => readFileSync(path, 'utf8')).text;
  const keyOf = (name: 'HOSTLER_SECRET_KEY' | 'HOSTLER_SECRET_KEY_PREVIOUS') =>
    settings[name].read.safeParse(given(name) ?? '').data;
  const [present, previous] = [keyOf('HOSTLER_SECRET_KEY'), keyOf('HOSTLER_SECRET_KEY_PREVIOUS')];
  // The previous key alone would sign what is new.
  const keys = present === undefined ? [] : [present, ...(previous === undefined ? [] : [previous])];
  return {
    databaseUrl: given('DATABASE_URL') ?? './data/hostler.db',
    admins: (given('HOSTLER_ADMINS') ?? '').split(/[\s,]+/).filter((id) => id !== ''),
    secretKeys: keys,
    auditKeys: keysFor(keys, 'audit head'),
    keepDays: settings.HOSTLER_KEEP_DAYS.read.safeParse(given('HOSTLER_KEEP_DAYS') ?? '365').data,
  };
}

interface StoreConfig {
  readonly secretKeys: readonly Uint8Array[];
  readonly databaseUrl: string;
  readonly admins: readonly string[];
  /** None without HOSTLER_SECRET_KEY: then the end of the audit cannot be checked, nor signed. */
  readonly auditKeys: readonly Uint8Array[];
  /** Undefined when it is given and is no such number. */
  readonly keepDays: number | undefined;
}

function liveConfig(read: SettingValues, secrets: readonly string[], isProduction: boolean): LiveConfig {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = read;
  const { HOST_API_URL: url, HOST_API_KEY: key, HOSTLER_ADMINS: admins, HOSTLER_SECRET_KEY: secretKey } = read;
  if (!botToken || !url || !key || !admins || !secretKey) throw new Error('a required setting passed unread');
  const notices: string[] = [];
  if (appToken !== undefined && signingSecret !== undefined) {
    notices.push(
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode is used, for it needs no address that Slack can reach. For HTTP mode, leave out SLACK_APP_TOKEN.',
    );
  }
  if (isProduction && read.DATABASE_URL === undefined) {
    notices.push(
      `DATABASE_URL is not set: everything is kept in ${defaultDatabase}, which has to be on a disk that stays.`,
    );
  }
  if (read.HOSTLER_PAUSED === true) {
    notices.push('HOSTLER_PAUSED is set: the bot answers and watches, and begins nothing.');
  }
  return {
    slack: {
      botToken,
      appToken,
      signingSecret: appToken === undefined ? signingSecret : undefined,
      apiUrl: read.SLACK_API_URL,
      // Socket Mode without webhooks hears nobody from outside.
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
    secretKeys: [secretKey, ...(read.HOSTLER_SECRET_KEY_PREVIOUS ? [read.HOSTLER_SECRET_KEY_PREVIOUS] : [])],
    databaseUrl: read.DATABASE_URL ?? defaultDatabase,
    databaseConnections: read.HOSTLER_DATABASE_CONNECTIONS ?? 14,
    publicUrl: read.HOSTLER_PUBLIC_URL,
    auditChannel: read.HOSTLER_AUDIT_CHANNEL,
    requestsPerMinute: read.HOSTLER_RATE_PER_MINUTE ?? 30,
    isPaused: read.HOSTLER_PAUSED ?? false,
    logLevel: levelOf(read),
    secrets: [...new Set(secrets)],
    notices,
  };
}

function line(name: string, setting: Setting<unknown>, wrong: string): string {
  return `${name} ${wrong}. Example: ${name}=${setting.example}`;
}

/** A slip such as SLACK_BOT_TOKN counts as well: whoever wrote it does not want a sandbox. */
function isConfigured(env: Env): boolean {
  const known = Object.entries<Setting<unknown>>(settings).filter(([, setting]) => setting.isConfiguration);
  if (known.some(([name]) => isGiven(name, env))) return true;
  return Object.entries(env).some(([name, value]) => /^(SLACK_|HOST_API)/.test(name) && Boolean(value?.trim()));
}

/** Empty is not given: compose files and CI pass on variables that nobody set. */
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
    // Neither the path nor the error's text: somebody may have put the secret itself there.
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
    return { problem: `cannot be read from the file that ${name}_FILE names${code}` };
  }
}

/** Of an address: its path and its host are no secrets, and the log names them. */
function passwordsOf(databaseUrl: string, env: Env): string[] {
  try {
    const address = parseDatabaseUrl(databaseUrl, env);
    if (address.engine === 'sqlite' || address.password === '') return [];
    const written = /:([^:@/?#]*)@/.exec(databaseUrl)?.[1] ?? '';
    return [...new Set([databaseUrl, written, address.password])];
  } catch {
    // Unreadable: anything in it may be the password.
    return [databaseUrl];
  }
}
