import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { fileName, fileNames, hasLook, type Look, type Picture, pictures } from './pictures.ts';
import { openBrowser, openWindow, type Started, startOver, startQuick } from './support.ts';

/** Makes the pictures of docs/screenshots anew: `node test/browser/screenshots.ts`, or some: `node test/browser/screenshots.ts list home`. */

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const atOnce = 3;
const desktop = { viewport: { width: 1320, height: 820 } };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

const highAs = <T extends typeof desktop>(window: T, height = window.viewport.height) => ({
  ...window,
  viewport: { ...window.viewport, height },
});

async function shoot(page: Page, name: string, look: Look, part?: Locator): Promise<void> {
  const colorScheme = look === 'dark' ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
  // Hover and focus are no part of a screenshot.
  await page.mouse.move(0, 0);
  await page.evaluate("document.activeElement.closest('dialog, .composer') ?? document.activeElement.blur()");
  // A passing notice lies over a corner of the picture.
  await page.evaluate("document.getElementById('toasts').replaceChildren()");
  await (part ?? page).screenshot({
    path: join(folder, fileName(name, look)),
    caret: 'hide',
  });
}

async function take(browser: Browser, { url }: Started, name: string, picture: Picture): Promise<void> {
  const { as, hasTour, heights, lead } = picture;
  const page = await openWindow(browser, url, as, { ...highAs(desktop, heights?.desktop), hasTour: hasTour === true });
  const part = await lead(page);
  for (const look of ['light', 'dark'] as const) if (hasLook(name, look)) await shoot(page, name, look, part);
  if (part !== undefined && hasLook(name, 'phone')) {
    // Slack keeps the view of a person, so a second window of theirs shows the same.
    const small = await openWindow(browser, url, as, highAs(phone, heights?.phone));
    await small.goto(page.url());
    await see(small, await part.evaluate((node) => node.tagName === 'DIALOG'));
    await shoot(small, name, 'phone');
    await small.context().close();
  }
  await page.context().close();
}

async function see(page: Page, isDialog: boolean): Promise<void> {
  await page
    .locator(isDialog ? 'dialog[open]' : '#channel .message, .home .header')
    .last()
    .waitFor();
}

async function takeAll(browser: Browser, queue: [string, Picture][]): Promise<void> {
  const started = await startQuick();
  try {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await take(browser, started, ...next);
      console.log(next[0]);
      await startOver(started);
    }
  } finally {
    await started.kill();
    await rm(started.dataDir, { recursive: true, force: true });
  }
}

await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const name of await readdir(folder)) if (!fileNames().includes(name)) await rm(join(folder, name));
const queue = Object.entries(pictures).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const browser = await openBrowser();
try {
  await Promise.all(Array.from({ length: atOnce }, () => takeAll(browser, queue)));
} finally {
  await browser.close();
}
