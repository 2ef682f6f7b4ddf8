/** A fixed piece of work with text, a few milliseconds long, with which other work is compared in the same run. */
function referenceWork(): number {
  const words = 'one two three four five six seven eight '.repeat(4_000).split(' ');
  const places = new Map(words.map((word, n) => [`${word}${n}`, n]));
  return JSON.stringify([...places]).length;
}

/** The processor time of this thread for the work, without that of other processes. */
async function processorTimeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/**
 * The processor time of the work, as a multiple of the reference. It is tried again while it is above `enough`,
 * and the best try counts: a cold start and the caches that other processes share make some tries slower.
 */
export async function costOf(work: () => unknown, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 8 && best > enough; tries++) {
    const before = await processorTimeOf(referenceWork);
    const taken = await processorTimeOf(work);
    const after = await processorTimeOf(referenceWork);
    best = Math.min(best, taken / Math.max(before, after));
  }
  return best;
}
