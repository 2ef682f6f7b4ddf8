/** The exit code of timeout(1): the process did not finish its work, which the next process continues. */
const forcedExitCode = 124;
/** Deployments do not wait longer, and need not. */
const stopWithinMs = 10_000;

/** Resolves at the first SIGTERM or SIGINT. The process ends within ten seconds, and at a second signal at once. */
export function untilSignal(onForced: () => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      resolve();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(130));
      limitStop(onForced);
    };
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
  });
}

/** Ends the process after ten seconds, unless it ends by itself. */
export function limitStop(onForced: () => void): void {
  setTimeout(() => {
    try {
      onForced();
    } finally {
      process.exit(forcedExitCode);
    }
  }, stopWithinMs).unref();
}
