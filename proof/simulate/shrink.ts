import { type Deviations, follow, type Played } from './draw-order.ts';
import type { World } from './world.ts';

/**
 * Shortens a failing history that still breaks the same promise: removes acts and faults, then deviations from the
 * usual order.
 */
export async function shrink(failure: Played, mostTries = 300): Promise<Played> {
  const rule = failure.violations[0]?.rule;
  let best = failure;
  let tries = 0;
  const stillFails = async (world: World, deviations: Deviations): Promise<boolean> => {
    if (tries++ >= mostTries) return false;
    const played = await follow(world, deviations);
    if (!played.violations.some((violation) => violation.rule === rule)) return false;
    best = played;
    return true;
  };
  for (let n = best.world.threads.length - 1; n >= 0; n--)
    await stillFails({ ...best.world, threads: best.world.threads.filter((_, k) => k !== n) }, best.deviations);
  for (let n = (best.world.faults ?? []).length - 1; n >= 0; n--)
    await stillFails({ ...best.world, faults: best.world.faults?.filter((_, k) => k !== n) ?? [] }, best.deviations);
  // Removes half of the deviations at a time, then quarters, down to single ones.
  for (let size = Math.ceil(best.deviations.size / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.deviations.size; ) {
      const kept = [...best.deviations].filter((_, n) => n < from || n >= from + size);
      if (!(await stillFails(best.world, new Map(kept)))) from += size;
    }
  }
  return best;
}
