const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [5, 10, 15, 30]
  .map((n) => n * minute)
  .concat(
    [1, 2, 3, 6, 12].map((n) => n * hour),
    [1, 2, 7, 14, 30, 60].map((n) => n * day),
  );
/** Labels that fit beside one another; a date is wider than a time. */
const most = { times: 8, dates: 7 };

export interface TimeTicks {
  readonly at: readonly number[];
  /** `14:30`, or the date at midnight and if the step is a day or more. */
  readonly label: (atMs: number) => string;
}

/**
 * Ticks at round local times of the reader. Each tick uses its own UTC offset, so a change to summer time keeps them
 * round.
 */
export function timeTicks(fromMs: number, toMs: number, timeZone: string): TimeTicks {
  const zone = zoneOf(timeZone);
  const step = steps.find((ms) => (toMs - fromMs) / ms <= (ms < day ? most.times : most.dates)) ?? 90 * day;
  const at: number[] = [];
  const localEnd = toMs + zone.offsetMs(toMs);
  for (let local = Math.ceil((fromMs + zone.offsetMs(fromMs)) / step) * step; local <= localEnd; local += step) {
    const guess = local - zone.offsetMs(local);
    const instant = local - zone.offsetMs(guess);
    if (instant >= fromMs && instant <= toMs && instant !== at.at(-1)) at.push(instant);
  }
  return {
    at,
    label: (atMs) => {
      const isDay = step >= day || (atMs + zone.offsetMs(atMs)) % day === 0;
      return isDay ? zone.day.format(atMs) : zone.time.format(atMs);
    },
  };
}

function zoneOf(timeZone: string) {
  const zone = isZone(timeZone) ? timeZone : 'UTC';
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  const parts = format({ dateStyle: 'short', timeStyle: 'medium', calendar: 'iso8601', hourCycle: 'h23' });
  return {
    time: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    day: format({ day: 'numeric', month: 'short' }),
    /** The zone's UTC offset at that instant. */
    offsetMs: (atMs: number) => {
      const part = Object.fromEntries(parts.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
      const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute: minutes = 0, second = 0 } = part;
      return Date.UTC(year, month - 1, date, hours, minutes, second) - Math.floor(atMs / 1_000) * 1_000;
    },
  };
}

/** False for a zone from a person's profile that this machine does not know; the chart then uses UTC. */
function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone });
    return true;
  } catch {
    return false;
  }
}
