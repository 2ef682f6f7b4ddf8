import type { Page } from 'playwright-core';
import { seedIds } from '../../sandbox/slack/seed.ts';
import { become, flip, message, openTab, passMinute, see } from '../../test/browser/support.ts';

/** The usual tasks of people, one after another in one sandbox, each with its person. */

/** A person at the page, whose steps are counted. A line that is sent is one step, and so is a click. */
export interface Walker {
  readonly page: Page;
  readonly line: (text: string) => Promise<void>;
  readonly click: (words: string | RegExp, name: string) => Promise<void>;
  /** One click on anything else of Slack. */
  readonly open: (what: () => Promise<unknown>) => Promise<void>;
  readonly sees: (words: string | RegExp) => Promise<unknown>;
}

export interface Walk {
  /** The role of the person whose steps are counted. */
  readonly who: string;
  readonly name: string;
  /** The person who must be notified, besides the requester. */
  readonly needed?: string;
  /** The requester; the operator by default. */
  readonly asks?: string;
  readonly go: (walker: Walker) => Promise<unknown>;
}

export const asker = 'U0OPERAT01';
const approver = 'U0LEAD0001';

async function goHome(page: Page): Promise<void> {
  await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
}

/** Lets minutes pass in the sandbox, one at a time, so that each has its sweep. */
async function minutesUntil(page: Page, most: number, isSo: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < most; passed++) {
    await passMinute(page);
    await page.waitForTimeout(2_000);
    if (await isSo()) return;
  }
}

const goOps = (page: Page): Promise<void> => page.locator('.side-item', { hasText: /^ops/ }).first().click();

/** A line that is answered. */
const read = (who: string, name: string, line: string, answer: string): Walk => ({
  who,
  name,
  async go(walker) {
    await walker.line(line);
    await walker.sees(answer);
  },
});

/** A line whose card is confirmed. */
const change = (who: string, name: string, line: string, card: string, end: RegExp): Walk => ({
  who,
  name,
  async go(walker) {
    await walker.line(line);
    await walker.click(card, 'Confirm');
    await walker.sees(end);
  },
});

export const walks: readonly Walk[] = [
  read('Operator', 'See the servers', '/host list', '12 servers'),
  read('Finance', 'See the balance', '/host balance', '84.20'),
  read(
    'Lead',
    'Ask what somebody else may do',
    '/host why @Ravi Reader restart web-1',
    'reader may not use /host restart web-1 here',
  ),
  read('Operator', 'Ask which server a name points to', '/host status www.example.com', 'points to web-1'),
  change('Operator', 'Restart a server', '/host restart web-1', 'Restart web-1', /Restart web-1 · answers again after/),
  {
    who: 'Operator and lead',
    name: 'Hard reset a server, approved in the channel',
    needed: approver,
    async go({ page, line, click, sees }) {
      await line('/host hard-reset web-2 because no ping');
      await sees('Hard reset web-2');
      await become(page, 'Lena Lead');
      await click('Hard reset web-2', 'Approve');
      await sees(/Hard reset web-2 · answers again after/);
      await become(page, 'Omar Operator');
    },
  },
  {
    who: 'Operator and lead',
    name: 'The same, approved from Home with the facts in sight',
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
      await sees(/Hard reset web-3 · answers again after/);
      await become(page, 'Omar Operator');
    },
  },
  change('DNS admin', 'Add a DNS record', '/host dns add blog2.example.com A 192.0.2.10', 'blog2', /blog2.* · done/),
  {
    who: 'DNS admin',
    name: 'Change a DNS record and revert it',
    async go({ page, line, click, sees }) {
      await line('/host dns set example.com www A 192.0.2.11 ttl=300');
      await click(/^(?!.*Undo:).*Change A www/s, 'Confirm');
      await sees(/Change A www.* · done/);
      await click(/Change A www.* · done/, 'Undo');
      await click('Undo: Change A www', 'Confirm');
      await see(message(page, /Undo: Change A www.* · done/));
    },
  },
  change(
    'DNS admin',
    'Two values of an ACME challenge',
    '/host dns add example.com _acme-challenge TXT "token-one" "token-two"',
    '_acme-challenge',
    /_acme-challenge.* · done/,
  ),
  change(
    'DNS admin',
    'Move all records from one address to another',
    '/host dns replace 192.0.2.10 192.0.2.77',
    'Replace 192.0.2.10',
    /Replace 192.0.2.10.* · done/,
  ),
  {
    who: 'Operator',
    name: 'Subscribe to a low balance, and say who is on the alert',
    async go({ page, line, click, sees }) {
      await openTab(page, 'Money');
      await page.getByRole('button', { name: 'Let it run low' }).click();
      await line('/host alerts on balance');
      await click('Alerts: balance', 'Confirm');
      await sees(/Balance covers \d+ days/);
      await click(/Balance covers \d+ days/, "I'm on it");
      await sees(/is on it/i);
      await page.getByRole('button', { name: 'As it was' }).click();
    },
  },
  read('Newcomer', 'Find out what can be done here', '/host', 'All commands'),
  change(
    'Newcomer',
    'Restart a server in other words: “please restart the server web-3 now”',
    '/host please restart the server web-3 now',
    'Restart web-3',
    /Restart web-3 · answers again after/,
  ),
  {
    who: 'Reader and admin',
    name: 'Be refused, ask for access, and get it',
    asks: 'U0READER01',
    needed: seedIds.admin,
    async go({ page, line, click, open, sees }) {
      const dialog = page.getByRole('dialog');
      await become(page, 'Ravi Reader');
      await line('/host restart web-1');
      await click('You may not', 'Ask for access');
      await sees('Your request was sent');
      await become(page, 'Ada Admin');
      await page
        .locator('.side-item', { hasText: /^Hostler/ })
        .first()
        .click();
      await click('asks for access', 'Grant…');
      await open(() => dialog.getByRole('button', { name: 'Preview' }).click());
      await see(dialog.getByText('Becomes possible'));
      await open(() => dialog.getByRole('button', { name: 'Request', exact: true }).click());
      await dialog.waitFor({ state: 'hidden' });
      await goOps(page);
      await click('Becomes possible', 'Confirm');
      await sees(/Give access here · done/);
      await become(page, 'Omar Operator');
    },
  },
  {
    who: 'Admin',
    name: 'Give a group the right to read the servers of a channel',
    asks: seedIds.admin,
    async go({ page, line, click, open, sees }) {
      const dialog = page.getByRole('dialog');
      await become(page, 'Ada Admin');
      await page.locator('.side-item', { hasText: /^dev/ }).first().click();
      await line('/host access');
      await click('Only visible to you', 'Add…');
      await open(() => dialog.getByRole('button', { name: /^User groups/ }).click());
      await open(() => page.getByRole('option', { name: /dev/i }).first().click());
      await page.keyboard.press('Escape');
      await open(() => dialog.getByRole('checkbox', { name: /^read/ }).check());
      await open(() => dialog.getByRole('button', { name: 'Preview' }).click());
      await see(dialog.getByText('Becomes possible'));
      await open(() => dialog.getByRole('button', { name: 'Request', exact: true }).click());
      await dialog.waitFor({ state: 'hidden' });
      await click('Becomes possible', 'Confirm');
      await sees(/Give access here · done/);
      await goOps(page);
      await become(page, 'Omar Operator');
    },
  },
  {
    who: 'Auditor',
    name: 'See what happened to one server in a week, and one request in full',
    asks: approver,
    async go({ page, line, sees }) {
      await become(page, 'Lena Lead');
      await line('/host audit web-2 7d');
      const answer = await see(message(page, 'Entry by entry'));
      const id = /Hard reset web-2[\s·]*([a-z0-9]{10})/.exec((await answer.textContent()) ?? '')?.[1];
      await line(`/host request ${id}`);
      await sees('approved: Hard reset web-2');
      await become(page, 'Omar Operator');
    },
  },
  {
    who: 'Finance and lead',
    name: 'Cancel a server, and keep it after all',
    needed: approver,
    async go({ page, line, click, open, sees }) {
      const dialog = page.getByRole('dialog');
      await line('/host cancel staging-1');
      await sees('End staging-1');
      await become(page, 'Lena Lead');
      await click('End staging-1', 'Approve');
      await dialog.getByRole('textbox').fill('staging-1');
      await open(() => dialog.locator('[type=submit]').click());
      await dialog.waitFor({ state: 'hidden' });
      await sees(/End staging-1 .* · set/);
      await become(page, 'Omar Operator');
      await click('End staging-1', 'Undo');
      await click('Keep staging-1', 'Confirm');
      await sees(/Keep staging-1 · done/);
    },
  },
  {
    who: 'Operator',
    name: 'Order a server by its form, up to the card',
    needed: approver,
    async go({ page, line, open, sees }) {
      const dialog = page.getByRole('dialog');
      const submit = () => open(() => dialog.locator('[type=submit]').click());
      const choose = async (field: RegExp, option: RegExp) => {
        await open(() => dialog.getByRole('button', { name: field }).click());
        await open(() => page.getByRole('option', { name: option }).first().click());
      };
      await line('/host create');
      await see(dialog.getByText('step 1 of'));
      await choose(/^Plan/, /Cloud NVMe 2/);
      await submit();
      await see(dialog.getByText('step 2 of'));
      await choose(/^Template/, /Debian 13/);
      await submit();
      await see(dialog.getByText('step 3 of'));
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('web-4');
      await choose(/^Location/, /Germany/);
      await submit();
      await see(dialog.getByText('Price:'));
      await submit();
      await dialog.waitFor({ state: 'hidden' });
      await sees('Create web-4');
    },
  },
  {
    who: 'Operator',
    name: 'A job fails: ask again from its card',
    async go({ page, line, click, sees }) {
      await flip(page, 'The next job fails');
      await line('/host restart db-1');
      await click('Restart db-1', 'Confirm');
      await sees(/Restart db-1 · failed/);
      await click(/Restart db-1 · failed/, 'Ask again');
      await click(/Restart db-1/, 'Confirm');
      await sees(/Restart db-1 · answers again after/);
    },
  },
  {
    who: 'Operator, on a phone',
    name: 'Ask to be mentioned; at night a server goes off, and runs again by its alert',
    needed: approver,
    async go({ page, line, click, sees }) {
      await line('/host alerts on power ping=@lead');
      await click('Turn on alerts: power', 'Confirm');
      await sees(/Turn on alerts: power · done/);
      // Each server is read every few minutes: what is usual has to be known before anything differs.
      await minutesUntil(page, 8, async () => false);
      await openTab(page, 'Servers');
      await page.getByRole('button', { name: 'Turn cache-1 off by hand' }).click();
      await minutesUntil(page, 12, () => message(page, 'cache-1 is off').isVisible());
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: "Close the provider's side" }).click();
      await click('cache-1 is off', 'Start');
      await click('Start cache-1', 'Confirm');
      await sees(/Start cache-1 · done in/);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  },
];
