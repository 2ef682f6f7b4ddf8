import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { isSkipped, mainButton, message, say, see } from './support.ts';

describe.skipIf(isSkipped).concurrent('at phone width', () => {
  test('on a phone everything can be reached, and nothing is wider than the screen', async ({ stage }) => {
    const page = await stage.window('operator', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    const width = () => page.evaluate('document.scrollingElement.scrollWidth');
    await say(page, '/host restart web-1');
    await mainButton(page, 'Restart web-1').tap();
    await see(message(page, /Restart web-1 · answers again after/));
    expect(await width()).toBe(360);
    await message(page, 'Restart web-1').getByRole('button', { name: 'Reply in thread' }).tap();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await see(thread.getByText(/web-1 restarted/).last());
    await thread.getByRole('button', { name: 'Close the thread' }).tap();
    await thread.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Show the channels' }).tap();
    await page.getByRole('link', { name: 'general' }).tap();
    await see(page.getByRole('heading', { name: 'general' }));
    await page.locator('#provider-button').tap();
    await see(page.getByRole('tab', { name: 'Servers' }));
    expect(await width()).toBe(360);
    await page.getByRole('button', { name: "Close the provider's side" }).tap();

    await page.getByRole('button', { name: 'Show the channels' }).tap();
    await page.locator('.side-item', { hasText: /^ops$/ }).tap();
    await say(page, '/host create');
    await see(page.getByRole('dialog').locator('[type=submit]'));
    const box = await page.getByRole('dialog').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(360);
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).first().tap();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await say(page, '/host list');
    await see(page.getByRole('table').last());
    expect(await width()).toBe(360);
  });

  nightly('each step of the tour takes at most an eighth of a phone', async ({ stage }) => {
    const page = await stage.window('operator', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      hasTour: true,
    });
    const tour = page.getByRole('region', { name: 'A short tour' });
    const titles = ['See your servers', 'Restart one', 'Approve as', 'Change DNS', 'See an alert'];
    for (const title of titles) {
      await see(tour.getByText(title));
      expect((await tour.boundingBox())?.height).toBeLessThanOrEqual(740 / 8);
      await tour.getByRole('button', { name: 'Skip' }).tap();
    }
  });
});
