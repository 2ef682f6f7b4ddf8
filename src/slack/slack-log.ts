import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../engine/context/dependencies.ts';

/** Removes tokens, signatures and the tickets in socket addresses. */
export function redact(text: string): string {
  return text
    .replace(/\bx(?:ox[a-z]|app)[-.][A-Za-z0-9.-]+/g, '[token]')
    .replace(/(ticket|token|secret)=[^\s&"']+/gi, '$1=[redacted]')
    .replace(/Bearer\s+\S+/gi, 'Bearer [token]');
}

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : '';
}

/** Bolt's logger. Its debug lines contain whole payloads with people's input, so they are always dropped. */
export function boltLogger(log: Log): Logger {
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (...messages: unknown[]) =>
      log[level]({ from: 'slack sdk' }, redact(messages.map(textOf).filter(Boolean).join(' ')).slice(0, 1_000));
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
