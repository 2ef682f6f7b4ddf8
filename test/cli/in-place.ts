import { main } from '../../src/cli/main.ts';

const events = ['SIGTERM', 'SIGINT', 'unhandledRejection'] as const;

/**
 * Does the work with this folder and these variables as those of this process. It gets its own back afterwards, and loses
 * the listeners that a bot adds for the rest of its process.
 */
export async function inPlace<T>(
  dir: string,
  env: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = {
    cwd: process.cwd(),
    env: process.env,
    listeners: events.map((event) => process.rawListeners(event)),
  };
  process.chdir(dir);
  process.env = { ...env };
  return work().finally(() => {
    process.chdir(before.cwd);
    process.env = before.env;
    // A listener of an event of a process takes any arguments.
    for (const [n, event] of events.entries())
      for (const listener of process.rawListeners(event))
        if (before.listeners[n]?.includes(listener) === false) process.off(event, listener as () => void);
  });
}

/** Runs a command line in this process; resolves with its exit code and all that it printed. */
export async function runInPlace(dir: string, env: Readonly<Record<string, string>>, words: readonly string[]) {
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const code = await inPlace(dir, env, () => main(words, { out: write, err: write }));
  return { code, said };
}
