import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../../sandbox/judge/judge.ts';
import { stories } from '../stories/all.ts';
import { openTelling, type Telling } from '../stories/through-slack.ts';
import { historyOf } from '../support/history-of.ts';

// Runs the stories of test/engine again with the running bot, through Slack's and the provider's protocols,
// over its sockets on SQLite and over signed HTTP on PostgreSQL. The words are the same ones.

const modes = ['socket', 'http'] as const;
const engines = { socket: 'sqlite', http: 'postgres' } as const;
const tellings: Telling[] = [];
const told = new Map<string, Promise<void>>();

beforeAll(async () => {
  tellings.push(...(await Promise.all(modes.map((mode) => openTelling(mode, engines[mode])))));
  // Several stories run at once, as on a busy day, but not so many that a dialog has no answer within three seconds.
  for (const [n, telling] of tellings.entries()) {
    const lanes = Array.from({ length: 3 }, () => Promise.resolve());
    for (const [index, story] of stories.entries()) {
      const lane = index % lanes.length;
      const itsEnd = (lanes[lane] ?? Promise.resolve()).then(() => telling.tell(story));
      told.set(`${modes[n]}: ${story.name}`, itsEnd);
      lanes[lane] = itsEnd.catch(() => undefined);
    }
  }
});
afterAll(() => Promise.all(tellings.map((telling) => telling.close())));

describe.each(modes)('the stories over %s', (mode) => {
  test.each(stories)('$name', ({ name }) => told.get(`${mode}: ${name}`));

  test('the history of all stories keeps every promise', async () => {
    await Promise.allSettled(told.values());
    const { system } = tellings[modes.indexOf(mode)] ?? {};
    if (system === undefined) throw new Error('the stories were not told');
    const history = await historyOf(system, { isOver: false });
    expect(judge(history)).toEqual([]);
    // The history is rich enough for the judge, who notices missing clicks and repeated writes.
    expect(judge({ ...history, acts: [] }).map(({ rule }) => rule)).toContain('approved');
    expect(judge({ ...history, writes: history.writes.flatMap((write) => [write, write]) })).not.toEqual([]);
  });
});
