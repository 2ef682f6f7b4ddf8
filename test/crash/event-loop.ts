import type { BotProcess } from '../support/process/bot-process.ts';

/** How long the event loop of a bot process was blocked, by its own metric. */

const bounds = [0.05, 0.1, 0.25, 1, 5] as const;

export interface Turns {
  readonly count: number;
  /** The number of turns up to each bound, in seconds. */
  readonly within: Readonly<Record<number, number>>;
}

export async function turnsOf(bot: BotProcess): Promise<Turns> {
  const { text } = await bot.get('/metrics');
  const read = (name: string) =>
    Number(new RegExp(`^hostler_event_loop_own_seconds_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    count: read('count'),
    within: Object.fromEntries(bounds.map((bound) => [bound, read(`bucket\\{le="${bound}"\\}`)])),
  };
}

/** The turns between two reads of the metric that were above a bound: `2 above 0.05 s`. */
export function longTurns(before: Turns | undefined, after: Turns, mostSeconds: number): string[] {
  return bounds
    .filter((bound) => bound >= mostSeconds)
    .map((bound) => {
      const above = ({ count, within }: Turns) => count - (within[bound] ?? 0);
      return { bound, times: above(after) - (before === undefined ? 0 : above(before)) };
    })
    .filter(({ times }) => times > 0)
    .map(({ bound, times }) => `${times} above ${bound} s`);
}
