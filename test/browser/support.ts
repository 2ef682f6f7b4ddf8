import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { compileCache } from '../support/process/compile-cache.ts';

/** The product as people start it, and a browser for it. */

// The headless browser draws the same and computes a third less.
const fromDebian = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath =
  process.env.HOSTLER_CHROMIUM ?? fromDebian.find((path) => existsSync(path)) ?? fromDebian.join(' or ');
const isThere = existsSync(executablePath);
if (!isThere) {
  const missing = `There is no browser at ${executablePath}: set HOSTLER_CHROMIUM to a Chromium.`;
  if (process.env.HOSTLER_REQUIRE_BROWSER === '1') throw new Error(missing);
  console.log(`${missing} The browser tests are skipped.`);
}
export const isSkipped = !isThere;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // A limit keeps Chromium from starting a spare process for each window.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--renderer-process-limit=1'],
  });

export interface Started {
  readonly url: string;
  readonly dataDir: string;
  hasEnded(): boolean;
  /** Ends it as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, for tests that do not need a clean shutdown. */
  kill(): Promise<void>;
}

/** The file that `npm start` runs. */
export const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

export const startMain = (dataDir: string): Promise<Started> => start(dataDir, [main, '--port', '0']);

/** `hostler sandbox` with these options and settings. */
export const startCommand = async (argv: readonly string[], settings: Record<string, string>): Promise<Started> =>
  start(await newDataDir(), [main, 'sandbox', '--port', '0', ...argv], settings);

async function startWith(jobMs: number): Promise<Started> {
  const file = join(import.meta.dirname, 'quick-sandbox.ts');
  return start(await newDataDir(), [file], { ...compileCache, HOSTLER_TEST_JOB_MS: String(jobMs) });
}

/** A sandbox whose jobs end just before the first poll. The sandbox and its folder end with this process. */
export const startQuick = (): Promise<Started> => startWith(700);

/** A sandbox whose jobs run until a test lets a minute pass, so that no machine is too slow to see one run. */
export const startSlow = (): Promise<Started> => startWith(55_000);

async function start(dataDir: string, argv: readonly string[], more: Record<string, string> = {}): Promise<Started> {
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(process.execPath, argv, {
    env: { ...env, ...more, HOSTLER_SANDBOX_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code} before it said where it is`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /sandbox is at (http\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    if (hasEnded()) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    dataDir,
    hasEnded,
    async stop() {
      await end('SIGINT');
      return child.exitCode;
    },
    kill: () => end('SIGKILL'),
  };
}

/** The sandbox is in its first minute again, for another test or picture. */
export async function startOver({ url }: Started): Promise<void> {
  const answer = await fetch(`${url}/start-over`, { method: 'POST', headers: { origin: url } });
  if (!answer.ok) throw new Error(`the sandbox did not start over: ${answer.status} ${await answer.text()}`);
}

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'hostler-browser-'));

export async function openWindow(
  browser: Browser,
  url: string,
  as = 'operator',
  { hasTour = false, ...options }: BrowserContextOptions & { hasTour?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    ...options,
  });
  context.setDefaultTimeout(90_000);
  if (!hasTour) {
    const closed = JSON.stringify({ step: 0, sinceMs: 1, isDone: false, isClosed: true });
    await context.addInitScript({ content: `localStorage.setItem('hostler.tour', '${closed}')` });
  }
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`${url}/?as=${as}`);
  await page.locator('#channel .message').first().waitFor();
  return page;
}

/** Types into the channel's box and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text);
  await page.locator('#composer').press('Enter');
}

/** Waits for the element, and resolves with it. */
export async function see(there: Locator): Promise<Locator> {
  await there.waitFor({ state: 'visible' });
  return there;
}

/** The newest message that holds these words. */
export const message = (page: Page, words: string | RegExp): Locator =>
  page.locator('#channel .message').filter({ hasText: words }).last();

/** The button in color, which names the act that it decides on. */
export const mainOf = (card: Locator): Locator => card.locator('button.primary, button.danger').first();
export const mainButton = (page: Page, words: string | RegExp): Locator => mainOf(message(page, words));

const decisions = ['Confirm', 'Approve'];

/** `Confirm` and `Approve` stand for the button that decides, which is named after its act. */
export const press = (page: Page, words: string | RegExp, name: string): Promise<void> =>
  (decisions.includes(name)
    ? mainButton(page, words)
    : message(page, words).getByRole('button', { name, exact: true })
  ).click();

export const become = async (page: Page, name: string): Promise<void> => {
  await page.locator('#who').click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.locator('#who', { hasText: name }).waitFor();
};

export async function openTab(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('tab', { name }).click();
}

/** Switches a fault on or off. */
export async function flip(page: Page, label: string | RegExp): Promise<void> {
  await openTab(page, /^Trouble/);
  await page.getByRole('switch', { name: label }).click();
}

/** Presses a button that makes something happen: an hour passes, a record changes. */
export async function happen(page: Page, label: string): Promise<void> {
  await openTab(page, /^Trouble/);
  await page.getByRole('button', { name: label }).click();
}

/** A new password, approved by the lead and shown to the operator, who asked for it. */
export async function revealPassword(page: Page): Promise<void> {
  await say(page, '/host password web-1');
  await see(mainButton(page, 'root password'));
  await become(page, 'Lena Lead');
  await press(page, 'root password', 'Approve');
  await see(message(page, /password of web-1 · done/));
  await become(page, 'Omar Operator');
  await page
    .locator('.side-item', { hasText: /^Hostler/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Reveal once' }).click();
  await see(page.getByRole('dialog').locator('code').first());
}

/** Jobs of a slow sandbox end. */
export const passMinute = (page: Page): Promise<void> => happen(page, '+ 1 minute');

/** The lines of the provider's side that change something, as `POST /vps/…`, the oldest first. */
export async function writes(page: Page): Promise<string[]> {
  await openTab(page, 'Calls');
  const lines = await page.locator('.wire.write').all();
  const texts = await Promise.all(
    lines.map(
      async (line) => `${await line.locator('.method').textContent()} ${await line.locator('.path').textContent()}`,
    ),
  );
  return texts.reverse();
}
