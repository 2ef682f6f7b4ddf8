import { expect, test } from 'vitest';
import { createForwardClock } from '../../../src/core/async/forward-clock.ts';

test('the clock runs on while the wall clock is set back, and follows it forward', () => {
  let wall = 1_000_000;
  const elapsed = createForwardClock(() => wall);
  const start = elapsed();
  wall += 5_000;
  expect(elapsed() - start).toBeGreaterThanOrEqual(5_000);
  wall -= 3_600_000;
  const before = elapsed();
  expect(before - start).toBeGreaterThanOrEqual(5_000);
  const until = performance.now() + 5;
  while (performance.now() < until);
  expect(elapsed() - before).toBeGreaterThanOrEqual(5);
});
