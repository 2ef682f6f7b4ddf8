/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      resolve();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(130));
    };
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
  });
}
