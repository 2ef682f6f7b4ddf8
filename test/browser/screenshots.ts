import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { message, newDataDir, openBrowser, openWindow, say, see, startMain } from './support.ts';

/** Makes the pictures of docs/screenshots anew: `npm run screenshots`. */

const folder = join(import.meta.dirname, '..', '..', 'docs', 'screenshots');

/** The pictures, each with what leads to it. The first is the one of the README. */
const pictures: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  sandbox: async (page) => {
    await say(page, '/host restart web-1');
    await message(page, 'Restart web-1').getByRole('button', { name: 'Confirm' }).click();
    await see(message(page, /Restart web-1 · done in/));
    await say(page, '/host dns set example.com www A 192.0.2.20 ttl=300');
    await see(message(page, 'Change 1 record').getByRole('button', { name: 'Confirm' }));
    await message(page, 'Restart web-1')
      .getByRole('button', { name: /1 reply/ })
      .click();
    await see(page.getByRole('complementary', { name: 'Thread' }).getByText('@operator web-1 restarted'));
  },
  list: async (page) => {
    await say(page, '/host list');
    await see(message(page, '12 servers'));
  },
};

await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, lead] of Object.entries(pictures)) {
    const dataDir = await newDataDir();
    const started = await startMain(dataDir);
    const page = await openWindow(browser, started.url, 'operator', { colorScheme });
    await lead(page);
    await page.screenshot({ path: join(folder, colorScheme === 'light' ? `${name}.png` : `${name}-dark.png`) });
    await page.context().close();
    await started.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
await browser.close();
