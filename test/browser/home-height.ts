import type { Page } from 'playwright-core';
import { become, message, press, say, see } from './support.ts';

const asked = ['web-1', 'web-2', 'web-3', 'db-1'];

/** The height of Home in pixels, with all alerts on and four requests that wait for the person who opens it. */
export async function homeHeight(page: Page): Promise<number> {
  await say(page, '/host alerts on all');
  await press(page, 'Turn on', 'Confirm');
  for (const server of asked) {
    await say(page, `/host hard-reset ${server} because no ping since 4:20`);
    await see(message(page, `Hard reset ${server}`));
  }
  await become(page, 'Lena Lead');
  await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
  await see(page.locator('.home').getByText(`Needs you (${asked.length})`));
  await see(page.locator('.home').getByText(/Open alerts/));
  // The page may be taller than what it shows.
  await page.setViewportSize({ width: 1440, height: 100 });
  return page.locator('.home').evaluate((home) => home.scrollHeight);
}
