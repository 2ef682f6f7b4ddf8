import { type Logger, LogLevel } from '@slack/bolt';
import { strikeSecrets, struckOut } from '../core/text/strike-secrets.ts';
import type { Log } from '../engine/context/dependencies.ts';

/** Removes what looks like a secret, and the tickets in socket addresses. */
export function redact(text: string): string {
  return strikeSecrets(text).replace(/ticket=[^\s&"']+/gi, `ticket=${struckOut}`);
}

const textOf = (message: unknown) =>
  message instanceof Error ? message.message : typeof message === 'string' ? message : '';

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
