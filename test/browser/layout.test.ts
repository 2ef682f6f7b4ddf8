import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { isSkipped, message, openTab, say, see } from './support.ts';

const heightsOf = (all: Locator): Promise<number[]> =>
  all.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().height));

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };
const sizes = [desktop, { width: 1024, height: 768 }, phone];

describe.skipIf(isSkipped).concurrent('the place of things on the page', () => {
  test('names are on one line, and all tabs in one row in sight, on each kind of screen', async ({ page }) => {
    await say(page, '/host hard-reset db-1');
    const card = await see(message(page, 'Hard reset db-1'));
    await openTab(page, /^Trouble/);
    await page.getByRole('switch').first().click();
    await see(page.getByRole('tab', { name: 'Trouble (1)' }));
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const provider = page.locator('#provider-button');
    const list = page.getByRole('tablist', { name: "The provider's side" });
    for (const size of sizes) {
      await page.setViewportSize(size);
      if ((await provider.getAttribute('aria-expanded')) === 'false') await provider.click();
      await see(list);
      const boxes = await Promise.all((await list.getByRole('tab').all()).map((tab) => tab.boundingBox()));
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
      const right = Math.max(...boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0)));
      const edge = await list.boundingBox();
      // The dot of a fault that is on hangs over the edge of its tab.
      expect(right + 6).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0));
      // On a narrow screen the provider's side covers the messages.
      if (size !== desktop) await page.getByRole('button', { name: "Close the provider's side" }).click();

      const replies = size === desktop ? 'Reply in thread' : /repl/;
      await card.hover();
      await card.getByRole('button', { name: replies }).first().click();
      if (size === desktop) {
        await thread.getByRole('textbox').fill('@Hostler list tag:db');
        await thread.getByRole('textbox').press('Enter');
      }
      await see(thread.getByText('db-2'));
      // A line of the name is 22 pixels high.
      expect(Math.max(...(await heightsOf(thread.locator('.by'))))).toBeLessThan(30);
      await thread.getByRole('button', { name: 'Close the thread' }).click();
    }
  });

  nightly('a field with a long choice is no wider than its form', async ({ stage }) => {
    const page = await stage.window('lead', { viewport: phone, hasTouch: true, isMobile: true });
    await say(page, '/host notifications');
    const dialog = page.getByRole('dialog');
    await see(dialog.getByText('Mention me when my request ends'));
    expect(await dialog.locator('.dialog-body').evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0);
  });

  nightly('only the message under the mouse shows its buttons, though another one has the focus', async ({ page }) => {
    await say(page, '/host restart web-1');
    await say(page, '/host restart web-2');
    const [first, second] = [message(page, 'Restart web-1'), message(page, 'Restart web-2')];
    await see(second);
    await first.getByRole('button', { name: 'More' }).first().focus();
    await second.hover();
    const shown = await page
      .locator('#channel .tools')
      .evaluateAll(
        (all) => all.filter((one) => one.ownerDocument.defaultView?.getComputedStyle(one).opacity === '1').length,
      );
    expect(shown).toBe(1);
  });
});
