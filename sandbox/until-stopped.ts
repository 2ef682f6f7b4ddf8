/** A simulation alone in its process runs until somebody ends it. */
export async function untilStopped(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  for (const signal of signals) process.once(signal, stop);
  await promise;
  // A second signal ends the process at once.
  for (const signal of signals) process.off(signal, stop);
}
