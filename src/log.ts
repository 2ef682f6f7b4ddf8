import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './settings.ts';

export type { Logger } from 'pino';

export interface LogOptions {
  readonly level: LogLevel;
  /** Values of the configuration that must not appear in any field. */
  readonly secrets: readonly string[];
  /** Defaults to stderr. */
  readonly stream?: DestinationStream;
  /** Formats lines for people. Defaults to true if stderr is a terminal. */
  readonly isPretty?: boolean;
}

/**
 * Writes JSON lines. Secrets are redacted in the finished line, so it does not matter whether they came from a field, a
 * child's binding, an error's message, its stack or its other properties.
 */
export function createLogger({ level, secrets, stream, isPretty }: LogOptions): Logger {
  const strike = createStrike(secrets);
  const dress = (isPretty ?? (stream === undefined && process.stderr.isTTY)) ? loadPretty(stream === undefined) : asIs;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
      hooks: { streamWrite: (line) => dress(strike(line)) },
    },
    stream ?? pino.destination({ dest: 2, sync: true }),
  );
}

const asIs = (line: string): string => line;

/** Loads pino-pretty, for terminals only, so that it costs production nothing. */
function loadPretty(isColored: boolean): (line: string) => string {
  const load = createRequire(import.meta.url);
  try {
    load.resolve('pino-pretty');
  } catch {
    // The image does not contain pino-pretty, so there a terminal shows JSON lines.
    return asIs;
  }
  // require() is untyped; these are the module's own types.
  const { prettyFactory } = load('pino-pretty') as typeof import('pino-pretty');
  return prettyFactory({ colorize: isColored, translateTime: 'SYS:HH:MM:ss', singleLine: true });
}

const struck = '[redacted]';
const mostDepth = 20;

const secretKeys =
  /token|passw(or)?d|passphrase|secret|authorization|cookie|credential|response_?url|api_?key|private_?key|^(key|pass|pwd)$/i;

/** The shapes of tokens, regardless of their source. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bxoxe\.xox[a-z]-[\w-]+/gi, struck],
  [/\bx(?:ox[a-z]|app)-[\w.-]+/gi, struck],
  [/\b(Api-Key|Bearer|Basic)(\s+|:\s*)[^\s"',;]+/gi, `$1 ${struck}`],
  [/https:\/\/hooks\.slack\.com\/[^\s"'<>]+/gi, `https://hooks.slack.com/${struck}`],
  [/(?<![a-z0-9])(ticket|token|secret|passw(?:or)?d|api[_-]?key)=[^\s&"']+/gi, `$1=${struck}`],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]*):[^\s/@]+@/gi, `$1:${struck}@`],
];

/** The most characters of a text to log, since the search for tokens takes time and no one reads more. */
const mostText = 8_000;

/** Cuts between words: the patterns would not recognize half a token. */
function shortened(text: string): string {
  if (text.length <= mostText) return text;
  const start = text.slice(0, mostText);
  const lastSpace = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'));
  return `${start.slice(0, Math.max(0, lastSpace))}… [${text.length} characters]`;
}

/** A short value may be a common word; redacting it in many lines would disclose it. */
const leastLength = 6;

function createStrike(secrets: readonly string[]): (line: string) => string {
  const values = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= leastLength)
    // The longest first, since a part of it may be another secret.
    .sort((a, b) => b.length - a.length);
  const inText = (text: string): string => {
    let clean = text;
    for (const secret of values) clean = clean.replaceAll(secret, struck);
    clean = shortened(clean);
    for (const [pattern, instead] of patterns) clean = clean.replace(pattern, instead);
    return clean;
  };
  const inValue = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return inText(value);
    if (value === null || typeof value !== 'object') return value;
    if (depth > mostDepth) return '[too deep]';
    if (Array.isArray(value)) return value.map((item) => inValue(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        inText(key),
        secretKeys.test(key.replaceAll('-', '_')) && mayBeSecret(item) ? struck : inValue(item, depth + 1),
      ]),
    );
  };
  return (line) => {
    try {
      return `${JSON.stringify(inValue(JSON.parse(line), 0))}\n`;
    } catch {
      // Not JSON, or nested too deeply for the stack: the text is redacted as a whole.
      return inText(line);
    }
  };
}

/** False for values such as `hasToken: true`, which disclose nothing. */
function mayBeSecret(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
