/** As of timeout(1): the process did not finish what was under way. It is in its rows, for the next one. */
const forcedExitCode = 124;
/** A deployment does not wait longer and need not. */
const stopWithinMs = 10_000;

/**
 * Resolves at the first SIGTERM or SIGINT. From then on the process has ten seconds, whatever it waits for; a second signal
 * ends it at once.
 */
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

/** Ends the process in ten seconds, if it did not end by itself. */
export function limitStop(onForced: () => void): void {
  setTimeout(() => {
    try {
      onForced();
    } finally {
      process.exit(forcedExitCode);
    }
  }, stopWithinMs).unref();
}
