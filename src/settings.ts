import { z } from 'zod';
import { withinSchema } from './core/policy/policy.ts';
import { parseSpan, withoutEnd } from './core/text/words.ts';
import { parseDatabaseUrl } from './store/address.ts';
import { BadAddress } from './store/postgres/postgres-address.ts';

/** All settings. The help, the docs and the error messages are generated from this table. */

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The description of a setting for --help, the docs and error messages, and how its text is read. */
export interface Setting<T> {
  readonly about: string;
  readonly example: string;
  /** True for values that are never shown, and redacted in the logs. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** The default in words, for the help. */
  readonly otherwise?: string;
  /** Parses the text. The message names the right form and never repeats the value, which may be a misplaced secret. */
  readonly read: z.ZodType<T, string>;
  /** True if setting this value means that the operator wants to run the bot and not the sandbox. */
  readonly isConfiguration: boolean;
}

const needed = { isSecret: false, isRequired: true, isConfiguration: true };
const neededSecret = { ...needed, isSecret: true };
const optional = { ...needed, isRequired: false };
/** Settings of the environment, which are valid for the sandbox too. */
const ambient = { ...optional, isConfiguration: false };
const ofCaller = { ...ambient, otherwise: 'the bot needs none' };

export const settings = {
  SLACK_BOT_TOKEN: {
    ...neededSecret,
    about: "the bot's token, from OAuth & Permissions in Slack's app settings",
    example: 'xoxb-…',
    read: z.string().regex(/^(xoxe\.)?xoxb-\S+$/, 'a bot token, which begins with xoxb-'),
  },
  SLACK_APP_TOKEN: {
    ...neededSecret,
    isRequired: false,
    about: 'the app-level token (connections:write): Socket Mode, which needs no address that Slack can reach',
    example: 'xapp-…',
    otherwise: 'one of the two is needed',
    read: z.string().regex(/^xapp-\S+$/, 'an app-level token, which begins with xapp-'),
  },
  SLACK_SIGNING_SECRET: {
    ...neededSecret,
    isRequired: false,
    about: "the signing secret, from Basic Information in Slack's app settings: HTTP mode, used without an app token",
    example: '32 characters, 0-9 and a-f',
    otherwise: 'one of the two is needed',
    read: z.string().regex(/^[\w-]{16,}$/, 'the signing secret as Slack shows it'),
  },
  SLACK_API_URL: {
    ...optional,
    about: 'another server that speaks the Slack Web API',
    example: 'http://localhost:3001/api/',
    otherwise: 'Slack itself',
    read: address().transform((url) => `${url}/`),
  },
  HOST_API_URL: {
    ...needed,
    about: "the address of the provider's API",
    example: 'https://api.provider.example/v1',
    read: address(),
  },
  HOST_API_KEY: {
    ...neededSecret,
    about: "the provider's API key",
    example: 'the key as the provider shows it',
    read: z.string().regex(/^[\x21-\x7e]{8,}$/, 'a key of at least 8 characters without spaces'),
  },
  HOSTLER_ADMINS: {
    ...needed,
    about: 'the Slack user ids of the admins, separated by commas',
    example: 'U012AB3CD,U045EF6GH',
    read: z
      .string()
      .transform((text) => [...new Set(text.split(/[\s,]+/).filter((id) => id !== ''))])
      .refine((ids) => ids.length > 0 && ids.every((id) => /^[UW][A-Z0-9]{2,}$/.test(id)), {
        error: 'Slack user ids, which begin with U or W (a profile shows it under ⋮, "Copy member ID")',
      }),
  },
  HOSTLER_SECRET_KEY: {
    ...neededSecret,
    about: '32 random bytes as base64 or hex: encrypts secrets that the bot shows once, such as a new password',
    example: '$(openssl rand -base64 32)',
    read: secretKey(),
  },
  HOSTLER_SECRET_KEY_PREVIOUS: {
    ...neededSecret,
    isRequired: false,
    about: 'the previous key during a rotation, so that values sealed with it stay readable',
    example: 'the old HOSTLER_SECRET_KEY',
    otherwise: 'none',
    read: secretKey(),
  },
  HOSTLER_PUBLIC_URL: {
    ...optional,
    about: 'the public address of the bot, for webhooks of monitoring and the provider',
    example: 'https://hostler.example.com',
    otherwise: 'no webhooks',
    read: address(),
  },
  HOSTLER_AUDIT_CHANNEL: {
    ...optional,
    about: 'the channel for the daily line of the audit, and for messages that cannot be posted where they belong',
    example: 'C012AB3CD',
    otherwise: 'direct messages only',
    read: z
      .string()
      .regex(/^[CG][A-Z0-9]{2,}$/, "a channel's id, which begins with C or G (at the end of its details)"),
  },
  HOSTLER_RATE_PER_MINUTE: {
    ...optional,
    about: 'requests that one person may make in a minute',
    example: '30',
    otherwise: '30',
    read: wholeNumber(1, 10_000),
  },
  HOSTLER_DNS_PROPAGATION: {
    ...optional,
    about:
      'whether the bot asks the name servers of a zone for changed records; `private` allows those in private networks, too',
    example: 'off',
    otherwise: 'on',
    read: z.enum(['on', 'off', 'private'], 'on, off or private'),
  },
  HOSTLER_LOOK_OUTSIDE: {
    ...optional,
    about: 'whether the bot tries from outside whether servers and names answer, after a restart and when asked',
    example: 'off',
    otherwise: 'on; off behind a proxy',
    read: z.enum(['on', 'off'], 'on or off'),
  },
  HOSTLER_EVENTS: {
    ...optional,
    about:
      'whether the bot posts events to addresses that admins add with `events add`; `private` allows plain HTTP and private networks, too',
    example: 'off',
    otherwise: 'on',
    read: z.enum(['on', 'off', 'private'], 'on, off or private'),
  },
  HOSTLER_ANSWERS_WITHIN: {
    ...optional,
    about: 'how long a server is waited for until it answers again; `answers` of a policy sets another time',
    example: '10m',
    otherwise: '5m',
    read: withinSchema.transform((span) => parseSpan(span) ?? 0),
  },
  HOSTLER_PAUSED: {
    ...optional,
    about: 'with 1 the bot answers and watches but starts no request: for the first start after a restore',
    example: '1',
    otherwise: '0',
    read: z.enum(['0', '1'], '1 for paused, or 0').transform((value) => value === '1'),
  },
  DATABASE_URL: {
    ...optional,
    // The address may contain a password.
    isSecret: true,
    about:
      'the path of a SQLite file (./, / or file: in front, or .db at the end), or postgres://user:password@host:5432/database?sslmode=verify-full',
    example: 'postgres://hostler:…@db.internal:5432/hostler?sslmode=verify-full',
    otherwise: './data/hostler.db',
    read: z.string().superRefine((text, context) => {
      try {
        parseDatabaseUrl(text);
      } catch (error) {
        if (!(error instanceof BadAddress)) throw error;
        context.addIssue({ code: 'custom', message: error.wanted });
      }
    }),
  },
  HOSTLER_DATABASE_CONNECTIONS: {
    ...ambient,
    about: 'connections to PostgreSQL of one replica',
    example: '10',
    otherwise: '10',
    read: wholeNumber(2, 200),
  },
  HOSTLER_HOST: {
    ...ambient,
    about: 'the address to listen on: health, metrics, webhooks and HTTP mode',
    example: '127.0.0.1',
    otherwise: '127.0.0.1; 0.0.0.0 in HTTP mode and with HOSTLER_PUBLIC_URL',
    read: z.string().regex(/^[\w.:-]+$/, 'an IP address or a host name'),
  },
  PORT: {
    ...ambient,
    about: 'the port to listen on; 0 uses any free port',
    example: '3000',
    otherwise: '3000',
    read: wholeNumber(0, 65_535),
  },
  HOSTLER_METRICS_PORT: {
    ...ambient,
    about: 'a separate port for /metrics, /healthz and /readyz, on HOSTLER_METRICS_HOST',
    example: '9464',
    otherwise: 'PORT, where /metrics answers only this machine or callers with HOSTLER_METRICS_TOKEN',
    read: wholeNumber(0, 65_535),
  },
  HOSTLER_METRICS_HOST: {
    ...ambient,
    about: 'the address that HOSTLER_METRICS_PORT listens on',
    example: '127.0.0.1',
    otherwise: '127.0.0.1',
    read: z.string().regex(/^[\w.:-]+$/, 'an IP address or a host name'),
  },
  HOSTLER_METRICS_TOKEN: {
    ...ambient,
    isSecret: true,
    about: 'callers that send it as "Authorization: Bearer …" may read /metrics from other machines',
    example: '$(openssl rand -hex 32)',
    otherwise: 'no access',
    read: z.string().regex(/^[\x21-\x7e]{16,}$/, 'at least 16 characters without spaces'),
  },
  HOSTLER_URL: {
    ...ofCaller,
    about: 'for `hostler run`: the address of the bot that it asks',
    example: 'https://hostler.example.com',
    read: address(),
  },
  HOSTLER_TOKEN: {
    ...ofCaller,
    isSecret: true,
    about: 'for `hostler run`: a token, which `/host token add` makes',
    example: 'hst_…',
    read: z.string().regex(/^hst_[\w.-]{1,200}$/, 'a token, which begins with hst_'),
  },
  LOG_LEVEL: {
    ...ambient,
    about: `how much is logged: ${logLevels.join(', ')}`,
    example: 'info',
    otherwise: 'info',
    read: z.preprocess((text) => String(text).toLowerCase(), z.enum(logLevels, `one of ${logLevels.join(', ')}`)),
  },
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type SettingName = keyof Settings;
export type SettingValues = { readonly [K in SettingName]?: z.output<Settings[K]['read']> };

/** The list of settings for --help, with their defaults. */
export function settingsHelp(): string {
  const rows = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const without = setting.isRequired ? 'required' : `default: ${setting.otherwise}`;
    return `  ${name}\n      ${setting.about} (${without})\n      ${name}=${setting.example}`;
  });
  return [...rows, '  Each may be given as NAME_FILE instead, the path of a file that holds the value.'].join('\n');
}

function wholeNumber(min: number, max: number) {
  const words = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .refine((value) => value >= min && value <= max, words);
}

/**
 * An address without a slash at the end. Keys are sent to it, so plain http is allowed only for this machine and names
 * on the operator's network.
 */
function address() {
  return z
    .string()
    .refine((text) => {
      const url = URL.parse(text);
      if (url === null || url.username + url.password + url.search + url.hash !== '') return false;
      if (url.protocol === 'https:') return true;
      return url.protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|\[::1\]|[\w-]+)$/.test(url.hostname);
    }, 'an https:// address without user, query and fragment (http:// only to this machine or a name without dots)')
    .transform((text) => withoutEnd(text, '/'));
}

/** 32 random bytes have fewer than 8 different values once in 10^37 keys; zeros and repeated words have. */
const fewestDifferent = 8;

function secretKey() {
  return z.string().transform((text, context): Uint8Array => {
    const bytes = keyBytes(text);
    if (bytes === undefined)
      context.addIssue({ code: 'custom', message: '32 bytes, as 44 characters of base64 or 64 of hex' });
    else if (new Set(bytes).size < fewestDifferent)
      context.addIssue({ code: 'custom', message: 'random: make one with openssl rand -base64 32' });
    else return bytes;
    return z.NEVER;
  });
}

function keyBytes(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'));
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, 'base64'));
}
