import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Noise } from '../../sandbox/page-server/noise.ts';
import { homeHeight } from '../../test/browser/home-height.ts';
import { message, openBrowser, openWindow, press, say, see, startQuick } from '../../test/browser/support.ts';
import { markdownTable } from '../../test/docs/markdown-table.ts';
import { asker, type Walk, walks } from './walk-list.ts';

/**
 * Does the usual tasks of people in a browser and counts steps, messages and pings: `npm --prefix proof run walks`. It prints
 * the table of docs/measurements.md and writes it there. `npm --prefix proof run walks -- home` prints the height of a full Home.
 */

const noiseOf = (page: Page): Promise<Noise> => page.evaluate("import('/store.js').then(({ get }) => get('noise'))");

/** The final numbers: replies and alerts are posted a moment after the end of the card. */
async function settled(page: Page): Promise<Noise> {
  for (let before = ''; ; ) {
    const noise = await noiseOf(page);
    const now = JSON.stringify([noise.posts, noise.replies, noise.people.map(({ pings, direct }) => [pings, direct])]);
    if (now === before) return noise;
    before = now;
    await page.waitForTimeout(2_500);
  }
}

const pingsOf = ({ people }: Noise, id: string | undefined): number => {
  const person = people.find((other) => other.id === id);
  return (person?.pings ?? 0) + (person?.direct ?? 0);
};

interface Row {
  readonly who: string;
  readonly name: string;
  readonly steps: number;
  readonly posts: number;
  readonly toAsker: number;
  readonly toNeeded: number;
}

async function measure(page: Page, { who, name, needed, asks = asker, go }: Walk): Promise<Row> {
  const first = await settled(page);
  let steps = 0;
  const count = async (what: Promise<unknown>): Promise<void> => {
    await what;
    steps += 1;
  };
  await go({
    page,
    line: (text) => count(say(page, text)),
    click: (words, label) => count(press(page, words, label)),
    open: (what) => count(what()),
    sees: (words) => see(message(page, words)),
  });
  const last = await settled(page);
  return {
    who,
    name,
    steps,
    posts: last.posts - first.posts,
    toAsker: pingsOf(last, asks) - pingsOf(first, asks),
    toNeeded: needed === undefined ? 0 : pingsOf(last, needed) - pingsOf(first, needed),
  };
}

function tableOf(rows: readonly Row[]): string {
  const sum = (pick: (row: Row) => number): string => String(rows.reduce((total, row) => total + pick(row), 0));
  return markdownTable(
    ['Walk', 'Actions', 'Messages', 'Pings to the requester', 'To approvers'],
    [
      ...rows.map((row) => [
        `${row.who}: ${row.name}`,
        ...[row.steps, row.posts, row.toAsker, row.toNeeded].map(String),
      ]),
      [
        '**Total**',
        sum(({ steps }) => steps),
        sum(({ posts }) => posts),
        sum(({ toAsker }) => toAsker),
        sum(({ toNeeded }) => toNeeded),
      ],
    ],
  );
}

const marks = ['<!-- walks: npm --prefix proof run walks -->', '<!-- /walks -->'] as const;

async function write(table: string): Promise<void> {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'measurements.md');
  const text = await readFile(path, 'utf8');
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])];
  if (from < 0 || to < from) throw new Error('docs/measurements.md has no place for the table');
  await writeFile(path, `${text.slice(0, from)}${marks[0]}\n\n${table}\n\n${text.slice(to)}`);
}

async function walkAll(page: Page): Promise<void> {
  const rows: Row[] = [];
  for (const walk of walks) rows.push(await measure(page, walk));
  const table = tableOf(rows);
  console.log(table);
  await write(table);
}

const [browser, started] = await Promise.all([openBrowser(), startQuick()]);
try {
  const page = await openWindow(browser, started.url);
  if (process.argv[2] === 'home') console.log(`Home is ${await homeHeight(page)} pixels high.`);
  else await walkAll(page);
} finally {
  await browser.close();
  await started.kill();
}
