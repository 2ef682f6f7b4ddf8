import { isOpenAt, spansAfter } from '../../core/policy/windows.ts';
import { sayDayHour } from '../../core/time/say-hour.ts';
import { nextOf, sayWeekly } from '../../core/time/weekly.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { readHour } from '../time/ask.ts';

const most = 3;

/** The next hours that a request means, on the clocks of the person, or why it means none; undefined without an hour. */
export async function sayHours(context: EngineContext, asking: Parameters<typeof readHour>[1], channel: string) {
  const policy = await context.policies.get(channel);
  const asked = await readHour(context, asking, policy).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (asked instanceof Refusal) return asked;
  const { startsAt, weekly, window, timeZone } = asked;
  const say = (hours: readonly number[]) => hours.map((at) => sayDayHour(at, timeZone ?? 'UTC')).join(', ');
  const zone = timeZone === undefined ? ' UTC' : '';
  if (startsAt === undefined) {
    if (window === undefined) return undefined;
    const opens = isOpenAt(window, asking.at) ? 'is open, so it begins at once. It opens again' : 'opens';
    return `${window.name} ${opens} ${say(spansAfter(window, asking.at, most).map(({ from }) => from))}${zone}`;
  }
  if (weekly === undefined) return `Begins ${say([startsAt])}${zone}`;
  const hours: number[] = [];
  for (let at = startsAt; at <= weekly.until && hours.length < weekly.mostRuns; at = nextOf(weekly.weekly, at))
    if (hours.push(at) > most) break;
  const own = weekly.weekly.timeZone === timeZone ? zone : ` (${sayWeekly(weekly.weekly)})`;
  return `Runs ${say(hours.slice(0, most))}${hours.length > most ? ', …' : ''}${own}`;
}
