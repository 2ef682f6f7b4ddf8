import { describe, expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { alerted, rightsOf } from './pictures.ts';
import { nightly, test } from './stage.ts';
import { become, flip, isSkipped, mainButton, message, openTab, press, say, see } from './support.ts';

/** For people who do not see the page, or see little of it. */

describe.skipIf(isSkipped).concurrent('axe finds no fault, light or dark', () => {
  test('in a channel, a thread, the menu of people, each tab of the provider, a wrong form', async ({ stage }) => {
    const page = await stage.window('operator', { hasTour: true });
    await say(page, '/host list');
    await see(page.getByRole('table').last());
    await say(page, '/host nonsense');
    await see(message(page, 'Only visible to you'));
    await flip(page, 'The next answer is lost');
    await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
    await press(page, 'Change A www.example.com', 'Confirm');
    await see(message(page, /Change A www.example.com.* · done/));
    await expectAccessible(page, 'channel');
    await message(page, 'Change A www.example.com').getByRole('button', { name: /repl/ }).click();
    await see(page.getByRole('complementary', { name: 'Thread' }));
    await expectAccessible(page, 'thread', { within: '#thread' });
    await page.keyboard.press('Escape');
    for (const tab of ['DNS', 'Money', 'More', 'Calls', 'Noise', /^Trouble/]) {
      await openTab(page, tab);
      await expectAccessible(page, String(tab), { within: '#provider' });
    }
    await page.locator('#who').click();
    await expectAccessible(page, 'menu of people', { within: '[role=menu]' });
    await page.keyboard.press('Escape');
    // A label out of the scrolled part of a form counts as hidden to axe: the whole form has to fit.
    await page.setViewportSize({ width: 1280, height: 2600 });
    await say(page, '/host dns add');
    const dialog = page.getByRole('dialog');
    await dialog.locator('[type=submit]').click();
    await see(dialog.locator('.error').first());
    await dialog.evaluate((element) => element.style.setProperty('max-height', 'none'));
    await expectAccessible(page, 'form with errors', { within: 'dialog[open]' });
    await dialog.getByRole('button', { name: /^Domain/ }).click();
    await see(page.getByRole('option').first());
    await expectAccessible(page, 'list in a form', { within: '[role=listbox]' });
  });

  nightly('on an alert, a server, the menu, the dialog for rights, Home, and an approval from it', async ({ page }) => {
    await alerted(page);
    await say(page, '/host');
    await see(message(page, 'Only visible to you').getByRole('button', { name: 'All commands' }));
    await say(page, '/host status web-1');
    await see(message(page, '34-12345').getByRole('button', { name: 'Stats', exact: true }));
    await expectAccessible(page, 'menu and server card');
    await message(page, 'Only visible to you').first().scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'All commands' }).click();
    await see(page.getByRole('option').first());
    await expectAccessible(page, 'all commands', { within: '[role=listbox]' });
    await page.keyboard.press('Escape');
    await say(page, '/host hard-reset web-2');
    await see(mainButton(page, 'Hard reset web-2'));

    await become(page, 'Lena Lead');
    await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
    await see(page.getByText('Needs you (1)'));
    await expectAccessible(page, 'Home');
    await page.getByRole('button', { name: 'Review…' }).click();
    await see(page.getByRole('dialog').getByText('Hard reset web-2'));
    await expectAccessible(page, 'approval from Home', { within: 'dialog[open]' });
    await page.keyboard.press('Escape');

    await become(page, 'Ada Admin');
    const rights = await rightsOf(page);
    await see(rights.getByText('User groups').last());
    await expectAccessible(page, 'dialog for rights', { within: 'dialog[open]' });
    await page.keyboard.press('Escape');

    await page.locator('.side-item', { hasText: /^ops/ }).first().click();
    await see(message(page, /Balance covers \d+ days/).getByRole('button', { name: "I'm on it" }));
    await expectAccessible(page, 'alert card', { within: '#channel' });
    expect(await page.getByText('This page cannot show').count()).toBe(0);
  });
});
