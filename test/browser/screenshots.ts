import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { fileName, type Picture, pictures, schemes } from './pictures.ts';
import { newDataDir, openBrowser, openWindow, startMain } from './support.ts';

/** Makes the pictures of docs/screenshots anew: `npm run screenshots`, or some: `npm run screenshots -- list home`. */

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');
const atOnce = 3;

async function take(browser: Browser, name: string, { options, lead }: Picture): Promise<void> {
  const dataDir = await newDataDir();
  const started = await startMain(dataDir);
  try {
    const page = await openWindow(browser, started.url, 'operator', options);
    await lead(page);
    // Hover and focus are no part of a screenshot.
    await page.mouse.move(0, 0);
    await page.evaluate("document.activeElement.closest('dialog, .composer') ?? document.activeElement.blur()");
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(folder, fileName(name, colorScheme)), caret: 'hide' });
    }
    await page.context().close();
  } finally {
    await started.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
const queue = Object.entries(pictures).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const browser = await openBrowser();
try {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await take(browser, ...next);
    }),
  );
} finally {
  await browser.close();
}
