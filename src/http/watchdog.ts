import type { RunningEngine } from '../engine/engine.ts';

export interface Watchdog {
  /** Names the loop that has stood still for too long; undefined while both continue. */
  readonly problem: () => string | undefined;
  readonly stop: () => void;
}

const secondMs = 1_000;
/** /healthz says so after a minute, and the process ends itself after two. */
const unwellAfter = 60;
const endsAfter = 120;

/**
 * Sees that sweeps and turns go on. Standing still is counted in beats of its own: a machine that slept has beaten once
 * meanwhile, not for hours. `end` is called once, when it has lasted for two minutes; rows make it safe to begin anew.
 */
export function startWatchdog(
  running: Pick<RunningEngine, 'ages'>,
  end: (why: string) => void,
  { beatMs = secondMs }: { readonly beatMs?: number } = {},
): Watchdog {
  let still = 0;
  let last = running.ages();
  let hasEnded = false;
  const beat = () => {
    const ages = running.ages();
    // Younger than a beat ago: something came to its end in between. Both have to.
    const hasMoved = { sweep: ages.sweepEnd < last.sweepEnd + beatMs / 2, look: ages.look < last.look + beatMs / 2 };
    moved.sweep = hasMoved.sweep ? 0 : moved.sweep + 1;
    moved.look = hasMoved.look ? 0 : moved.look + 1;
    still = Math.max(moved.sweep, moved.look);
    last = ages;
    if (still < endsAfter || hasEnded) return;
    hasEnded = true;
    end(sayProblem());
  };
  const moved = { sweep: 0, look: 0 };
  const sayProblem = () =>
    moved.sweep >= moved.look
      ? `standing still: no sweep has come to an end for ${moved.sweep} s`
      : `standing still: due turns have not been read for ${moved.look} s`;
  const timer = setInterval(beat, beatMs);
  timer.unref();
  return {
    problem: () => (still >= unwellAfter ? sayProblem() : undefined),
    stop: () => clearInterval(timer),
  };
}
