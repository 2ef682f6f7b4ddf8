import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../../sandbox/judge/judge.ts';
import { stories } from '../stories/all.ts';
import { openTelling, type Telling } from '../stories/through-slack.ts';
import { historyOf } from '../support/bot/history-of.ts';
import { sample } from '../support/suite/seed.ts';

// Runs the stories of test/engine again with the running bot, through Slack's and the provider's protocols: every other
// one over its sockets on SQLite, every sixth over signed HTTP on PostgreSQL, and all of them over both at night. The words are
// the same ones.

const told = { socket: sample(stories, 2), http: sample(stories, 6) };
const modes = ['socket', 'http'] as const;
const engines = { socket: 'sqlite', http: 'postgres' } as const;
const tellings = new Map<(typeof modes)[number], Telling>();
const ends = new Map<string, Promise<void>>();

beforeAll(async () => {
  await Promise.all(modes.map(async (mode) => tellings.set(mode, await openTelling(mode, engines[mode]))));
  // Several stories run at once, as on a busy day, but not so many that a dialog has no answer within three seconds.
  for (const [mode, telling] of tellings) {
    const lanes = Array.from({ length: 3 }, () => Promise.resolve());
    for (const [index, story] of told[mode].entries()) {
      const lane = index % lanes.length;
      const itsEnd = (lanes[lane] ?? Promise.resolve()).then(() => telling.tell(story));
      ends.set(`${mode}: ${story.name}`, itsEnd);
      lanes[lane] = itsEnd.catch(() => undefined);
    }
  }
});
afterAll(() => Promise.all([...tellings.values()].map((telling) => telling.close())));

describe.each(modes)('the stories over %s', (mode) => {
  test.each(told[mode])('$name', ({ name }) => ends.get(`${mode}: ${name}`));

  test('the history of all stories keeps every promise', async () => {
    await Promise.allSettled(ends.values());
    const { system } = tellings.get(mode) ?? {};
    if (system === undefined) throw new Error('the stories were not told');
    const history = await historyOf(system, { isOver: false });
    expect(judge(history)).toEqual([]);
    // The history is rich enough for the judge, who notices missing clicks and repeated writes.
    expect(judge({ ...history, acts: [] }).map(({ rule }) => rule)).toContain('approved');
    expect(judge({ ...history, writes: history.writes.flatMap((write) => [write, write]) })).not.toEqual([]);
  });
});
