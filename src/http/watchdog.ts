import type { RunningEngine } from '../engine/engine.ts';

export type Watchdog = ReturnType<typeof startWatchdog>;

const secondMs = 1_000;
/** Beats of a stall: after the first limit /healthz fails, after the second the process ends. */
const unhealthyBeats = 60;
const endBeats = 120;

/**
 * Watches the loops of sweeps and turns. A stall is counted in beats of a timer, since the timer fires only once while
 * the machine sleeps for hours. After two minutes it calls `end`, once; the rows in the database make a restart safe.
 */
export function startWatchdog(running: Pick<RunningEngine, 'ages'>, end: (why: string) => void, beatMs = secondMs) {
  const unmoved = { sweep: 0, look: 0 };
  let last = running.ages();
  let hasEnded = false;
  const stalledBeats = () => Math.max(unmoved.sweep, unmoved.look);
  const beat = () => {
    const ages = running.ages();
    // An age below that of the previous beat shows that a pass has ended in between. Both loops must run.
    unmoved.sweep = ages.sweepEnd < last.sweepEnd + beatMs / 2 ? 0 : unmoved.sweep + 1;
    unmoved.look = ages.look < last.look + beatMs / 2 ? 0 : unmoved.look + 1;
    last = ages;
    if (stalledBeats() < endBeats || hasEnded) return;
    hasEnded = true;
    end(sayProblem());
  };
  const sayProblem = () =>
    unmoved.sweep >= unmoved.look
      ? `stalled: no sweep has ended for ${unmoved.sweep} s`
      : `stalled: due turns have not been read for ${unmoved.look} s`;
  const timer = setInterval(beat, beatMs);
  timer.unref();
  return {
    /** The loop that has stalled for too long, as a sentence; undefined while both loops run. */
    problem: () => (stalledBeats() >= unhealthyBeats ? sayProblem() : undefined),
    stop: () => clearInterval(timer),
  };
}
