import { describe, expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { test } from './stage.ts';
import { become, isSkipped, mainButton, message, openTab, press, say, see } from './support.ts';

/** For people who do not see the page, or see little of it. */

describe.skipIf(isSkipped).concurrent('axe finds no fault, light or dark', () => {
  test('in a channel, a thread, the menu of people, every tab of the provider, and a form with errors', async ({
    stage,
  }) => {
    const page = await stage.window('operator', { hasTour: true });
    await say(page, '/host list');
    await see(page.getByRole('table').last());
    await say(page, '/host nonsense');
    await see(message(page, 'Only visible to you'));
    await openTab(page, /^Trouble/);
    await page.getByRole('switch', { name: 'The next answer is lost' }).click();
    await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
    await press(page, 'Change A www.example.com', 'Confirm');
    await see(message(page, /Change A www.example.com.* · done/));
    await expectAccessible(page, 'channel');
    await message(page, 'Change A www.example.com').getByRole('button', { name: /repl/ }).click();
    await see(page.getByRole('complementary', { name: 'Thread' }));
    await expectAccessible(page, 'thread');
    await page.keyboard.press('Escape');
    for (const tab of ['DNS', 'Money', 'More', 'Calls', 'Noise', /^Trouble/]) {
      await openTab(page, tab);
      await expectAccessible(page, String(tab));
    }
    await page.locator('#who').click();
    await expectAccessible(page, 'menu of people');
    await page.keyboard.press('Escape');
    // A label out of the scrolled part of a form counts as hidden to axe: the whole form has to fit.
    await page.setViewportSize({ width: 1280, height: 2600 });
    await say(page, '/host dns add');
    const dialog = page.getByRole('dialog');
    await dialog.locator('[type=submit]').click();
    await see(dialog.locator('.error').first());
    await dialog.evaluate((element) => element.style.setProperty('max-height', 'none'));
    await expectAccessible(page, 'form with errors');
    await dialog.getByRole('button', { name: /^Domain/ }).click();
    await see(page.getByRole('option').first());
    await expectAccessible(page, 'list in a form');
  });

  test('on the card of an alert and of a server, the menu, the dialog for rights, Home, and an approval from it', async ({
    stage,
  }) => {
    const page = await stage.window('operator');
    await openTab(page, 'Money');
    await page.getByRole('button', { name: 'Let it run low' }).click();
    await say(page, '/host alerts on balance');
    await press(page, 'Alerts: balance', 'Confirm');
    await say(page, '/host');
    await see(message(page, 'Only visible to you').getByRole('button', { name: 'All commands' }));
    await say(page, '/host status web-1');
    await see(message(page, '34-12345').getByRole('button', { name: 'Stats', exact: true }));
    await expectAccessible(page, 'menu and server card');
    await message(page, 'Only visible to you').first().scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'All commands' }).click();
    await see(page.getByRole('option').first());
    await expectAccessible(page, 'all commands');
    await page.keyboard.press('Escape');
    await say(page, '/host hard-reset web-2');
    await see(mainButton(page, 'Hard reset web-2'));

    await become(page, 'Lena Lead');
    await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
    await see(page.getByText('Needs you (1)'));
    await expectAccessible(page, 'Home');
    await page.getByRole('button', { name: 'Review…' }).click();
    await see(page.getByRole('dialog').getByText('Hard reset web-2'));
    await expectAccessible(page, 'approval from Home');
    await page.keyboard.press('Escape');

    await become(page, 'Ada Admin');
    await page.locator('.side-item', { hasText: /^dev/ }).first().click();
    await say(page, '/host access');
    await message(page, 'Only visible to you').getByRole('button', { name: 'Add…' }).click();
    await see(page.getByRole('dialog').getByText('User groups').last());
    await expectAccessible(page, 'dialog for rights');
    await page.keyboard.press('Escape');

    await page.locator('.side-item', { hasText: /^ops/ }).first().click();
    await see(message(page, /Balance covers \d+ days/).getByRole('button', { name: "I'm on it" }));
    await expectAccessible(page, 'alert card');
    expect(await page.getByText('This page cannot show').count()).toBe(0);
  });
});
