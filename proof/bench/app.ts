import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { onItsCore } from './cores.ts';

/** Hostler or bare Bolt, each in its own process, as in production. */
export interface RunningApp {
  readonly port: number;
  /** From the start of the process to its line that it is ready. */
  readonly readyMs: number;
  readonly residentMb: () => number;
  /** User and system time since the start. */
  readonly cpuMs: () => number;
  /** Sends a signal to the process. */
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

const root = join(import.meta.dirname, '../..');
export type AppName = 'hostler' | 'bare';

const readyWithinMs = 60_000;

export async function startApp(
  name: AppName,
  env: Readonly<Record<string, string>>,
  { hasCore = false }: { readonly hasCore?: boolean } = {},
): Promise<RunningApp> {
  const port = await freePort();
  const startedAt = performance.now();
  const appWords = wordsOf(name, env.BENCH_COUNT !== undefined);
  const [command, ...words] = hasCore ? onItsCore(appWords) : [process.execPath, ...appWords];
  const child = spawn(command, words, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await waitForLine(child, / is ready/);
  const readyMs = performance.now() - startedAt;
  const { pid } = child;
  if (pid === undefined) throw new Error(`starting ${name}: it has no process id`);
  return {
    port,
    readyMs,
    residentMb: () => residentKb(pid) / 1024,
    cpuMs: () => ticks(pid) * 10,
    signal: (signal) => {
      child.kill(signal);
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The image's command, read from the Dockerfile; `npm run bench` builds the bundle first. */
function wordsOf(name: AppName, isCounted: boolean): string[] {
  if (name === 'bare') return ['proof/bench/bare-bolt.ts'];
  const [, entrypoint = ''] = /^ENTRYPOINT (.+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const [, ...words] = z.array(z.string()).parse(JSON.parse(entrypoint));
  const { BENCH_PROFILE: folder, BENCH_FLAGS: flags } = process.env;
  return [
    ...(folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]),
    ...(flags === undefined ? [] : flags.split(' ')),
    ...(isCounted ? ['--import', join(root, 'proof/bench/count-statements.ts')] : []),
    ...words,
  ];
}

/** Resolves at the line and keeps reading the pipe. Prints the app's errors. */
function waitForLine(child: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const heard: string[] = [];
    const fail = (why: string) => reject(new Error(`starting an app to measure: ${why}\n${heard.join('\n')}`));
    const timer = setTimeout(() => fail('it was not ready in time'), readyWithinMs);
    child.once('exit', (code) => fail(`it ended with ${code}`));
    if (child.stderr === null) throw new Error('starting an app to measure: its output is not piped');
    createInterface({ input: child.stderr }).on('line', (text) => {
      heard.push(text);
      if (heard.length > 50) heard.shift();
      if (process.env.BENCH_LOG !== undefined || /"level":"(error|fatal)"/.test(text)) console.error(text);
      if (!line.test(text)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Fields 14 and 15 of proc(5) stat, in hundredths of a second. */
function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return address.port;
}
