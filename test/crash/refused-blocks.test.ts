import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stories } from '../stories/all.ts';
import type { Story } from '../stories/story.ts';
import { openTelling, type Telling } from '../stories/through-slack.ts';
import { hasAllTests, sample } from '../support/suite/seed.ts';

/**
 * Slack accepts other blocks than it documents, or fewer from one day to the next. All stories run again with a Slack
 * that refuses some types of blocks everywhere: the same words are read, the buttons are there, and no channel waits. In a
 * quick run it refuses every third type, in every sixth story, and a rare type in the stories that may use it.
 */

/**
 * Another block shows the words without fences, columns, their headings and backticks, and each button on a separate
 * line. A menu behind ⋯ then has the word "More" beside it, or its entries are buttons.
 */
function loosely(text: string): string {
  return text
    .replace(/^ *More\n(?= *\[…)/gm, '')
    .replace(/\[… ([^\]]*)\]/g, (_, options: string) => `[${options.replaceAll(' | ', '] [')}]`)
    .replace(/^ *```\n?/gm, '')
    .replaceAll('`', '')
    .replaceAll(/ ?\| | · /g, ' ')
    .replace(/(?<=\S) {2,}/g, ' ')
    .replace(/^( *)(\[[^\n]*\])$/gm, (_, indent: string, row: string) =>
      row.replaceAll('] [', `]\n${indent}[`).replace(/^/, indent),
    )
    .replace(/^( *)([^\n]+)\n\1(\[\2(?: ▾)?\])$/gm, '$1$3')
    .replace(/(@\w+:)\s*\n\s+/g, '$1 ')
    .replace(/(?<=^ *|@hostler: )Name State Paid\s*\n */gm, '');
}

/**
 * Block types of the stories. Not `input`: without its fields a form is a sentence, and the command is typed. Not
 * `container`: no story folds what it shows. Not `alert`: a modal shows one only while its content is slow. Each type on each surface is in test/slack/outbound/ladder-surfaces.test.ts.
 */
const refused = [
  ['actions'],
  ['context'],
  ['header'],
  ['rich_text'],
  // Few messages have these blocks.
  ['plan', 'table'],
  // A task card is part of a plan.
  ['task_card'],
] as const;
const usualTypes = 4;
/** The names of those stories whose messages may have a plan or a table. */
const withRareTypes = /several servers|\blists?\b|history|help|undo/;
/** As many stories at once as in test/acceptance/stories: with more of them forms are answered too late for their modals. */
const lanes = 3;
const tellingsAtOnce = 2;

function storiesWithout(types: readonly string[]): readonly Story[] {
  const at = refused.findIndex(([first]) => types.includes(first));
  if (at < usualTypes) return sample(stories, 6);
  return stories.filter(({ name }) => hasAllTests || withRareTypes.test(name));
}

/** The lines that differ, or the error that ended the story. */
function whatDiffers(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('actual' in error && 'expected' in error)) return error.message.slice(0, 500);
  const [actual, expected] = [error.actual, error.expected].map((text) => String(text).split('\n'));
  const missing = expected?.filter((line) => !actual?.includes(line)) ?? [];
  const extra = actual?.filter((line) => !expected?.includes(line)) ?? [];
  return [...missing.map((line) => `- ${line}`), ...extra.map((line) => `+ ${line}`)].join('\n').slice(0, 2_000);
}

interface Told {
  readonly failed: readonly string[];
  /** How many messages were refused for a block of each type. */
  readonly refusals: readonly number[];
}

async function tellAll(types: readonly string[]): Promise<Told> {
  const telling: Telling = await openTelling('socket', 'sqlite', loosely);
  try {
    const { sim } = telling.system.slack;
    for (const type of types) sim.refuseBlocks({ type });
    const startedAt = performance.now();
    const failed: string[] = [];
    const own = storiesWithout(types);
    const queue = [...own];
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let story = queue.shift(); story !== undefined; story = queue.shift()) {
          await telling.tell(story).catch((error: unknown) => failed.push(`${story?.name}: ${whatDiffers(error)}`));
        }
      }),
    );
    const refused = sim
      .requests()
      .filter(({ error }) => error === 'invalid_blocks' || error === 'invalid_arguments')
      .map(({ args }) => JSON.stringify(args).replaceAll('\\', ''));
    const refusals = types.map((type) => refused.filter((body) => body.includes(`"type":"${type}"`)).length);
    const ms = Math.round(performance.now() - startedAt);
    console.log(`without ${types.join(', ')}: ${own.length} stories in ${ms} ms, ${refusals.join(', ')} refusals`);
    return { failed, refusals };
  } finally {
    await telling.close();
  }
}

const told = sample(refused, 3).map((types) => ({ types, names: types.join(', '), ...Promise.withResolvers<Told>() }));
const tellers: Promise<void>[] = [];

beforeAll(() => {
  const queue = [...told];
  const teller = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // The test of that story reports the error.
      next.promise.catch(() => undefined);
      await tellAll(next.types).then(next.resolve, next.reject);
    }
  };
  tellers.push(...Array.from({ length: tellingsAtOnce }, teller));
});
afterAll(() => Promise.all(tellers));

describe.each(told)('a Slack that refuses $names', ({ promise }) => {
  test('all stories pass although Slack refuses the blocks', { timeout: 600_000 }, async () => {
    const { failed, refusals } = await promise;
    expect(failed).toEqual([]);
    for (const count of refusals) {
      expect(count).toBeGreaterThan(0);
      // A block is tried once for each surface, and by the messages under way at that moment.
      expect(count).toBeLessThanOrEqual(6 * lanes);
    }
  });
});
