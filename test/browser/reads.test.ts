import { describe, expect } from 'vitest';
import { homeHeight } from './home-height.ts';
import { nightly, test } from './stage.ts';
import { become, isSkipped, message, press, say, see } from './support.ts';

describe.skipIf(isSkipped).concurrent('the answer to a query', () => {
  nightly('Home with all alerts and four requests is little higher than a screen', async ({ page }) => {
    expect(await homeHeight(page)).toBeLessThanOrEqual(1_150);
    await page.setViewportSize({ width: 1024, height: 800 });
    const row = page.locator('.home .section', { hasText: 'Hard reset web-1' });
    await see(row.getByRole('button', { name: 'Review…' }));
    // One line of text is 22 pixels high, and the button 32.
    expect((await row.boundingBox())?.height).toBeLessThan(40);
  });

  test('the answer to a query is private, is shared once, and is refreshed in place', async ({ page }) => {
    const cards = page.locator('#channel .message').filter({ hasText: '34-12345' });
    await say(page, '/host status web-1');
    await see(message(page, 'web-1 · 🟢 on').getByText('Only visible to you'));
    const before = await cards.count();
    await press(page, 'web-1 · 🟢 on', 'More actions');
    await page.getByRole('menuitem', { name: 'Share here', exact: true }).click();
    await see(message(page, '@operator shared /host status web-1'));
    const shared = message(page, 'Shared with this channel.');
    await see(shared.getByText('Only visible to you'));
    await press(page, 'Shared with this channel.', 'More actions');
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Refresh']);
    await page.getByRole('menuitem', { name: 'Refresh', exact: true }).click();
    await shared.waitFor({ state: 'detached' });
    expect(await cards.count()).toBe(before + 1);
    await become(page, 'Lena Lead');
    await see(message(page, '@operator shared /host status web-1'));
    expect(await cards.count()).toBe(1);
  });
});
