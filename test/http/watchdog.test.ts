import { expect, onTestFinished, test, vi } from 'vitest';
import { startWatchdog } from '../../src/http/watchdog.ts';

const beatMs = 1_000;

/** A watchdog on a clock of the test; the watched parts report their last activity. */
function watch() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const at = { sweep: performance.now(), look: performance.now() };
  const ended: string[] = [];
  const ages = () => ({
    sweep: performance.now() - at.sweep,
    sweepEnd: performance.now() - at.sweep,
    look: performance.now() - at.look,
  });
  const watchdog = startWatchdog({ ages }, (why) => ended.push(why), beatMs);
  onTestFinished(() => {
    watchdog.stop();
    vi.useRealTimers();
  });
  return { at, ended, watchdog };
}

const beats = (count: number) => vi.advanceTimersByTime(count * beatMs);

test('while sweeps and turns end in time the watchdog reports no problem', () => {
  const { at, ended, watchdog } = watch();
  for (let n = 0; n < 40; n++) {
    beats(5);
    at.sweep = at.look = performance.now();
  }
  expect(watchdog.problem()).toBeUndefined();
  expect(ended).toEqual([]);
});

test.each(['sweep', 'look'] as const)('a last %s that is too old is reported, then ends the process, once', (which) => {
  const { at, ended, watchdog } = watch();
  const other = which === 'sweep' ? 'look' : 'sweep';
  const pass = (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      beats(1);
      at[other] = performance.now();
    }
  };
  pass(59);
  expect(watchdog.problem()).toBeUndefined();
  pass(2);
  expect(watchdog.problem()).toContain(which === 'sweep' ? 'no sweep has ended' : 'due turns have not been read');
  pass(58);
  expect(ended).toEqual([]);
  pass(20);
  expect(ended).toHaveLength(1);
});

test('a machine that slept for minutes is no problem', () => {
  const { at, ended, watchdog } = watch();
  at.sweep -= 600_000;
  at.look -= 600_000;
  beats(3);
  expect(watchdog.problem()).toBeUndefined();
  expect(ended).toEqual([]);
});
