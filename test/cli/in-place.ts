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
