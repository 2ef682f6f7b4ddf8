import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { patienceMs } from '../suite/patience.ts';
import { compileCache } from './compile-cache.ts';

/** The bot as in production: a separate process, observed by its log, ended by signals. */

const root = join(import.meta.dirname, '../../..');
const nodeBinary = join(root, 'node_modules/.bin/node');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  /** The line without changes. */
  readonly text: string;
}

export interface BotProcess {
  readonly pid: number;
  readonly port: number;
  readonly log: readonly LogLine[];
  /** Sends the signal and resolves when the process is gone. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<Exit>;
  readonly exited: Promise<Exit>;
  readonly isAlive: () => boolean;
  readonly get: (path: string) => Promise<{ status: number; text: string }>;
}

const logged = z.looseObject({ level: z.string(), msg: z.string().default('') });
const ready = z.looseObject({ port: z.number(), msg: z.string().endsWith('is ready') });

const children = new Set<ChildProcess>();
// A test run that ends early must not leave bots behind.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts one and resolves when it has said that it is ready. */
export async function startBotProcess(
  env: Readonly<Record<string, string>>,
  main = 'dist/main.js',
): Promise<BotProcess> {
  const child = spawn(nodeBinary, [main], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOSTLER_HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'debug',
      // The bundle finds its cache by itself.
      ...(main.endsWith('.ts') ? compileCache : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const log: LogLine[] = [];
  const { promise: exited, resolve: onExit } = Promise.withResolvers<Exit>();
  const { promise: started, resolve: onStart, reject: onFail } = Promise.withResolvers<number>();
  child.once('error', onFail);
  child.once('exit', (code, signal) => {
    children.delete(child);
    onExit({ code, signal });
    onFail(new Error(`the bot ended before it was ready (${code ?? signal}):\n${textOf(log.slice(-20))}`));
  });
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    onFail(new Error(`the bot was not ready within ${patienceMs} ms:\n${textOf(log.slice(-20))}`));
  }, patienceMs);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      const value = parse(text);
      const line = logged.safeParse(value);
      log.push(line.success ? { level: line.data.level, msg: line.data.msg, text } : { level: 'raw', msg: text, text });
      const found = ready.safeParse(value);
      if (found.success) onStart(found.data.port);
    });
  }
  const port = await started.finally(() => clearTimeout(timer));
  return {
    // The process has said that it is ready, so it has an id.
    pid: child.pid ?? 0,
    port,
    log,
    exited,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
    get: async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, text: await answer.text() };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function textOf(log: readonly LogLine[]): string {
  return log.map(({ text }) => text).join('\n');
}

/** Log lines that a working bot must not write. */
export function troubles(log: readonly LogLine[]): string[] {
  return log
    .filter(({ level, msg }) => level === 'error' || level === 'fatal' || (level === 'raw' && !isKnownNoise(msg)))
    .map(({ text }) => text);
}

/** Node prints this once about SQLite, and when a test reads the heap. */
function isKnownNoise(line: string): boolean {
  return /ExperimentalWarning: SQLite|--trace-warnings|^Debugger |^For help, see: /.test(line) || line.trim() === '';
}
