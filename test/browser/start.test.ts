import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { browser, nightly, test } from './stage.ts';
import {
  isSkipped,
  main,
  message,
  newDataDir,
  openTab,
  openWindow,
  passMinute,
  press,
  say,
  see,
  startMain,
} from './support.ts';

/** Runs in the page before its own scripts. */
const watching = `
  Object.assign(globalThis, { violations: [], shifts: [] });
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => (entry.hadRecentInput ? 0 : entry.value))))
    .observe({ type: 'layout-shift', buffered: true });
`;

/** The files of the page, as the browser counts them; each file once. */
const weighing = `[...new Map([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !/\\/(live|act|files)\\b/.test(name))
  .map(({ name, decodedBodySize }) => [name, decodedBodySize])).values()]
  .reduce((sum, size) => sum + size, 0)`;

describe.skipIf(isSkipped).concurrent('a sandbox', () => {
  test('the sandbox ends at Ctrl-C, and continues its job at the next start', async ({ slow, onTestFinished }) => {
    const page = await slow.window();
    await say(page, '/host restart web-1');
    await press(page, 'Restart web-1', 'Confirm');
    await see(message(page, /Restart web-1 · accepted/));
    expect(await slow.started.stop()).toBe(0);
    await see(page.getByText('The sandbox does not answer.'));

    const second = await startMain(slow.started.dataDir);
    onTestFinished(() => second.kill());
    const again = await openWindow(await browser(), second.url);
    await passMinute(again);
    await see(message(again, /Restart web-1 · answers again after/));
    await see(message(again, /web-1 restarted.*answer again after/));
    await again.context().close();
  });

  nightly('"Start over" resets every window, and the bot works as at the first start', async ({ stage }) => {
    const [page, other] = [await stage.window(), await stage.window('lead')];
    await say(page, '/host restart web-1');
    await press(page, 'Restart web-1', 'Confirm');
    await see(message(other, /Restart web-1 · answers again after/));

    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await see(message(page, /Restart web-1 · answers again after/));
    await page.getByRole('button', { name: 'Start over' }).click();
    const loaded = [page, other].map((window) => window.waitForEvent('load'));
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await Promise.all(loaded);
    for (const window of [page, other]) {
      await window.locator('.message', { hasText: 'Restart web-1' }).first().waitFor({ state: 'detached' });
      await see(message(window, 'web-1 has been slow'));
    }
    await say(page, '/host list');
    await see(message(page, '12 servers'));
    await say(page, '/host restart web-1');
    await press(page, 'Restart web-1', 'Confirm');
    await see(message(page, /Restart web-1 · answers again after/));
  });

  nightly('the sandbox says in one line which port is in use, and which is free', async ({ stage, onTestFinished }) => {
    const { port } = new URL(stage.url);
    const dataDir = await newDataDir();
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const outcome = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const env = { ...process.env, HOSTLER_SANDBOX_DIR: dataDir };
      execFile(process.execPath, [main, '--port', port], { env }, (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(new RegExp(`^Port ${port} is in use; the next free one is (\\d+): --port \\1\n$`));
  });

  test('the sandbox is small, listens and loads on this machine, and opens without a jump', async ({
    stage,
    onTestFinished,
  }) => {
    await expect(fetch(stage.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
    const context = await (await browser()).newContext({ viewport: { width: 1440, height: 900 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.addInitScript(watching);
    await page.goto(stage.url);
    await see(message(page, 'web-1 has been slow'));
    await see(page.getByText('● Hostler is connected'));
    // 0.1 is what Web Vitals calls good. Later, what is new moves what is old, as in every chat.
    expect(await page.evaluate('shifts.reduce((sum, shift) => sum + shift, 0)')).toBeLessThan(0.1);
    await say(page, 'See https://example.com/picture.png and <https://example.org|this>');
    await see(page.getByRole('link', { name: 'this' }));
    await say(page, '/host stats web-1 cpu 24h --share');
    await see(message(page, 'CPU').getByRole('img', { name: /web-1/ }));
    await openTab(page, 'DNS');
    await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
    await see(page.locator('.home .header').first());

    expect([...new Set(asked)]).toEqual([stage.url]);
    const weight = Number(await page.evaluate(weighing));
    expect(weight).toBeGreaterThan(50_000);
    expect(weight, 'with everything it loads').toBeLessThan(150_000);
    expect(await page.evaluate('violations'), 'of its own policy').toEqual([]);
  });

  test('the page is light or dark like the system until the person chooses, then as chosen', async ({ stage }) => {
    const page = await stage.window('operator', { colorScheme: 'dark' });
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    expect(await theme()).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await see(page.locator('html[data-theme="light"]'));
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    expect(await theme()).toBe('dark');
    await page.reload();
    await see(message(page, 'web-1 has been slow'));
    expect(await theme()).toBe('dark');
  });
});
