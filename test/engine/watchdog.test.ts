import { expect, onTestFinished, test } from 'vitest';
import { startWatchdog } from '../../src/http/watchdog.ts';

/** Beats of five ms instead of a second; what it watches says how long ago something happened. */
function watch() {
  const at = { sweep: performance.now(), look: performance.now() };
  const ended: string[] = [];
  const ages = () => ({
    sweep: performance.now() - at.sweep,
    sweepEnd: performance.now() - at.sweep,
    look: performance.now() - at.look,
  });
  const watchdog = startWatchdog({ ages }, (why) => ended.push(why), { beatMs: 5 });
  onTestFinished(watchdog.stop);
  return { at, ended, watchdog };
}

const beats = (count: number) => new Promise((resolve) => setTimeout(resolve, 5 * count));

test('while sweeps and turns end in time the watchdog reports no problem', async () => {
  const { at, ended, watchdog } = watch();
  for (let n = 0; n < 40; n++) {
    await beats(5);
    at.sweep = at.look = performance.now();
  }
  expect(watchdog.problem()).toBeUndefined();
  expect(ended).toEqual([]);
});

test.each(['sweep', 'look'] as const)(
  'when no %s ends any more, the watchdog first reports a problem, then ends the process, once',
  async (which) => {
    const { at, ended, watchdog } = watch();
    const other = which === 'sweep' ? 'look' : 'sweep';
    const going = setInterval(() => {
      at[other] = performance.now();
    }, 5);
    onTestFinished(() => clearInterval(going));
    while (watchdog.problem() === undefined) await beats(1);
    expect(watchdog.problem()).toContain(
      which === 'sweep' ? 'no sweep has come to an end' : 'due turns have not been read',
    );
    expect(ended).toEqual([]);
    while (ended.length === 0) await beats(1);
    await beats(20);
    expect(ended).toHaveLength(1);
  },
);

test('a machine that slept for minutes is no problem', async () => {
  const { at, ended, watchdog } = watch();
  at.sweep -= 600_000;
  at.look -= 600_000;
  await beats(3);
  expect(watchdog.problem()).toBeUndefined();
  expect(ended).toEqual([]);
});
