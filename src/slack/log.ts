import { type Logger, LogLevel } from '@slack/bolt';

/** The part of the caller's logger that is used here; pino fits. */
export interface SlackLog {
  readonly debug: (fields: object, text: string) => void;
  readonly info: (fields: object, text: string) => void;
  readonly warn: (fields: object, text: string) => void;
  readonly error: (fields: object, text: string) => void;
}

/** Tokens, signing material and the tickets in socket addresses. */
export function redact(text: string): string {
  return text
    .replace(/\bx(?:ox[a-z]|app)[-.][A-Za-z0-9.-]+/g, '[token]')
    .replace(/(ticket|token|secret)=[^\s&"']+/gi, '$1=[redacted]')
    .replace(/Bearer\s+\S+/gi, 'Bearer [token]');
}

function said(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : '';
}

/** Bolt's logger. Its debug lines hold whole payloads, what people typed included: they are dropped, not leveled. */
export function boltLogger(log: SlackLog): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...messages: unknown[]) =>
      log[level]({ from: 'slack sdk' }, redact(messages.map(said).filter(Boolean).join(' ')).slice(0, 1_000));
  return {
    debug: () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  };
}
