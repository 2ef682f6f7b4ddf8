import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Noise } from '../../sandbox/page-server/noise.ts';
import { become, message, openBrowser, openTab, openWindow, press, say, see, startQuick } from './support.ts';

/**
 * Does the usual tasks of people in a browser and counts steps, messages and pings: `npm run walks`. It prints the table
 * of docs/walks.md and writes it there.
 */

/** A person at the page, whose steps are counted. A line that is sent is one step, and so is a click. */
interface Walker {
  readonly page: Page;
  readonly line: (text: string) => Promise<void>;
  readonly click: (words: string | RegExp, name: string) => Promise<void>;
  /** One click on anything else of Slack. */
  readonly open: (what: () => Promise<unknown>) => Promise<void>;
  readonly sees: (words: string | RegExp) => Promise<unknown>;
}

interface Walk {
  readonly name: string;
  /** Steps of the same walk at commit 8e7299a, where they were counted. */
  readonly before: number | string;
  /** The person who must hear of it, besides the one who asks. */
  readonly needed?: string;
  readonly go: (walker: Walker) => Promise<unknown>;
}

const asker = 'U0OPERAT01';
const approver = 'U0LEAD0001';

async function goHome(page: Page): Promise<void> {
  await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
}

const goOps = (page: Page): Promise<void> => page.locator('.side-item', { hasText: /^ops/ }).first().click();

const walks: readonly Walk[] = [
  {
    name: 'See the servers',
    before: 1,
    async go({ line, sees }) {
      await line('/host list');
      await sees('12 servers');
    },
  },
  {
    name: 'See the balance',
    before: 1,
    async go({ line, sees }) {
      await line('/host balance');
      await sees('84.20');
    },
  },
  {
    name: 'Ask what somebody else may do',
    before: 'not possible',
    async go({ line, sees }) {
      await line('/host why @Ravi Reader restart web-1');
      await sees('reader may not restart web-1 here');
    },
  },
  {
    name: 'Ask which server a name leads to',
    before: 'refused: “a order”',
    async go({ line, sees }) {
      await line('/host status www.example.com');
      await sees('web-1.example.com');
    },
  },
  {
    name: 'Restart a server',
    before: 2,
    async go({ line, click, sees }) {
      await line('/host restart web-1');
      await click('Restart web-1', 'Confirm');
      await sees(/Restart web-1 · done in/);
    },
  },
  {
    name: 'Hard reset a server, approved in the channel',
    before: 2,
    needed: approver,
    async go({ page, line, click, sees }) {
      await line('/host hard-reset web-2 because no ping');
      await sees('Hard reset web-2');
      await become(page, 'Lena Lead');
      await click('Hard reset web-2', 'Approve');
      await sees(/Hard reset web-2 · done/);
      await become(page, 'Omar Operator');
    },
  },
  {
    name: 'The same, approved from Home with the facts in sight',
    before: 'blind: Home showed the title alone',
    needed: approver,
    async go({ page, line, open, sees }) {
      await line('/host hard-reset web-3');
      await sees('Hard reset web-3');
      await become(page, 'Lena Lead');
      await open(() => goHome(page));
      await open(() => page.getByRole('button', { name: 'Review…' }).click());
      await open(() => page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click());
      await page.getByText('Needs you (1)').waitFor({ state: 'detached' });
      await goOps(page);
      await sees(/Hard reset web-3 · done/);
      await become(page, 'Omar Operator');
    },
  },
  {
    name: 'Add a DNS record',
    before: 2,
    async go({ line, click, sees }) {
      await line('/host dns add blog2.example.com A 192.0.2.10');
      await click('blog2', 'Confirm');
      await sees(/blog2.* · done/);
    },
  },
  {
    name: 'Change a DNS record and take it back',
    before: 4,
    async go({ page, line, click, sees }) {
      await line('/host dns set example.com www A 192.0.2.11 ttl=300');
      await click(/^(?!.*Undo:).*Change A www/s, 'Confirm');
      await sees(/Change A www.* · done/);
      await click(/Change A www.* · done/, 'Undo');
      await click('Undo: Change A www', 'Confirm');
      await see(message(page, /Undo: Change A www.* · done/));
    },
  },
  {
    name: 'Two values of an ACME challenge',
    before: 6,
    async go({ line, click, sees }) {
      await line('/host dns add example.com _acme-challenge TXT "token-one" "token-two"');
      await click('_acme-challenge', 'Confirm');
      await sees(/_acme-challenge.* · done/);
    },
  },
  {
    name: 'Move all records from one address to another',
    before: 'not possible; by hand four steps for each domain',
    async go({ line, click, sees }) {
      await line('/host dns replace 192.0.2.10 192.0.2.77');
      await click('Replace 192.0.2.10', 'Confirm');
      await sees(/Replace 192.0.2.10.* · done/);
    },
  },
  {
    name: 'Subscribe to a low balance, and acknowledge the alert',
    before: 3,
    async go({ page, line, click, sees }) {
      await openTab(page, 'Money');
      await page.getByRole('button', { name: 'Let it run low' }).click();
      await line('/host alerts on balance');
      await click('Alerts: balance', 'Confirm');
      await sees(/Balance covers \d+ days/);
      await click(/Balance covers \d+ days/, 'Acknowledge');
      await sees(/acknowledged by/i);
      await page.getByRole('button', { name: 'As it was' }).click();
    },
  },
];

const noiseOf = (page: Page): Promise<Noise> => page.evaluate("import('/store.js').then(({ get }) => get('noise'))");

/** The numbers once nothing more comes: replies and alerts are posted a moment after the card has ended. */
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
  const found = people.find((one) => one.id === id);
  return (found?.pings ?? 0) + (found?.direct ?? 0);
};

interface Row {
  readonly name: string;
  readonly before: number | string;
  readonly steps: number;
  readonly posts: number;
  readonly replies: number;
  readonly toAsker: number;
  readonly toNeeded: number | undefined;
}

async function measure(page: Page, { name, before, needed, go }: Walk): Promise<Row> {
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
    name,
    before,
    steps,
    posts: last.posts - first.posts,
    replies: last.replies - first.replies,
    toAsker: pingsOf(last, asker) - pingsOf(first, asker),
    toNeeded: needed === undefined ? undefined : pingsOf(last, needed) - pingsOf(first, needed),
  };
}

function tableOf(rows: readonly Row[]): string {
  const sum = (pick: (row: Row) => number): number => rows.reduce((total, row) => total + pick(row), 0);
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    line([
      'Walk',
      'Steps before',
      'Steps',
      'Messages for all',
      'Replies in threads',
      'Pings to the asker',
      'Pings to the approver',
    ]),
    line(['---', '---', '---', '---', '---', '---', '---']),
    ...rows.map((row) =>
      line([row.name, row.before, row.steps, row.posts, row.replies, row.toAsker, row.toNeeded ?? '–']),
    ),
    line([
      '**All of them**',
      '',
      sum(({ steps }) => steps),
      sum(({ posts }) => posts),
      sum(({ replies }) => replies),
      sum(({ toAsker }) => toAsker),
      sum(({ toNeeded }) => toNeeded ?? 0),
    ]),
  ].join('\n');
}

const marks = ['<!-- walks: npm run walks -->', '<!-- /walks -->'] as const;

async function write(table: string): Promise<void> {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'walks.md');
  const text = await readFile(path, 'utf8');
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])];
  if (from < 0 || to < from) throw new Error('docs/walks.md has no place for the table');
  await writeFile(path, `${text.slice(0, from)}${marks[0]}\n\n${table}\n\n${text.slice(to)}`);
}

const [browser, started] = await Promise.all([openBrowser(), startQuick()]);
try {
  const page = await openWindow(browser, started.url);
  const rows: Row[] = [];
  for (const walk of walks) rows.push(await measure(page, walk));
  const table = tableOf(rows);
  console.log(table);
  await write(table);
} finally {
  await browser.close();
  await started.kill();
}
