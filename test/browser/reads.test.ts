import { describe, expect } from 'vitest';
import { homeHeight } from './home-height.ts';
import { test } from './stage.ts';
import { become, isSkipped, message, press, say, see } from './support.ts';

describe.skipIf(isSkipped).concurrent('the answer to a query', () => {
  test('Home with all alerts and four requests that wait is little higher than a screen', async ({ stage }) => {
    expect(await homeHeight(await stage.window('operator'))).toBeLessThanOrEqual(1_150);
  });

  test('a request that waits takes one row on Home, with its button at the right', async ({ stage }) => {
    const page = await stage.window('operator', { viewport: { width: 1024, height: 800 } });
    await say(page, '/host hard-reset web-1 because no ping since 4:20');
    await see(message(page, 'Hard reset web-1'));
    await become(page, 'Lena Lead');
    await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
    const row = page.locator('.home .section', { hasText: 'Hard reset web-1' });
    await see(row.getByRole('button', { name: 'Review…' }));
    // One line of text is 22 pixels high, and the button 32.
    expect((await row.boundingBox())?.height).toBeLessThan(40);
  });

  test('the answer to a query is private, is refreshed in place, and is shared once with a click', async ({
    stage,
  }) => {
    const page = await stage.window('operator');
    const cards = page.locator('#channel .message').filter({ hasText: '34-12345' });
    await say(page, '/host status web-1');
    await see(message(page, 'web-1 · 🟢 on').getByText('Only visible to you'));
    const before = await cards.count();
    for (const name of ['Refresh', 'Share here']) {
      await press(page, 'web-1 · 🟢 on', 'More actions');
      await page.getByRole('menuitem', { name, exact: true }).click();
    }
    await see(message(page, '@operator shared /host status web-1'));
    await see(message(page, 'Shared with this channel.').getByText('Only visible to you'));
    await press(page, 'Shared with this channel.', 'More actions');
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Refresh']);
    expect(await cards.count()).toBe(before + 1);
    await become(page, 'Lena Lead');
    await see(message(page, '@operator shared /host status web-1'));
    expect(await cards.count()).toBe(1);
    await say(page, '@hostler status web-1');
    await message(page, '@Hostler status web-1').getByRole('button', { name: /repl/ }).click();
    await see(page.getByRole('complementary', { name: 'Thread' }).getByText('34-12345'));
  });
});
