import { expect, test } from 'vitest';
import { isQuiet } from '../../src/engine/alerts/worse.ts';

test('quiet hours follow their time zone, over midnight and through a change to summer time', () => {
  const quiet = { from: '22:00', to: '07:00' };
  const at = (iso: string, timeZone = 'Europe/Amsterdam') => isQuiet({ quiet, timeZone }, Date.parse(iso));
  // Winter: UTC+1.
  expect(at('2026-01-10T20:59:00Z')).toBe(false);
  expect(at('2026-01-10T21:00:00Z')).toBe(true);
  expect(at('2026-01-11T05:59:00Z')).toBe(true);
  expect(at('2026-01-11T06:00:00Z')).toBe(false);
  // Summer: UTC+2.
  expect(at('2026-07-10T19:59:00Z')).toBe(false);
  expect(at('2026-07-10T20:00:00Z')).toBe(true);
  expect(at('2026-07-10T20:00:00Z', 'UTC')).toBe(false);
  // The night the clocks go forward.
  expect(at('2026-03-29T04:59:00Z')).toBe(true);
  expect(at('2026-03-29T05:00:00Z')).toBe(false);
  expect(isQuiet({ quiet: null, timeZone: 'UTC' }, 0)).toBe(false);
  expect(isQuiet({ quiet: { from: '12:00', to: '13:00' }, timeZone: 'UTC' }, Date.parse('2026-01-01T12:30:00Z'))).toBe(
    true,
  );
  expect(isQuiet({ quiet: { from: '12:00', to: '13:00' }, timeZone: 'UTC' }, Date.parse('2026-01-01T13:00:00Z'))).toBe(
    false,
  );
});
