import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { nightly, test } from './stage.ts';
import { isSkipped, mainButton, message, see } from './support.ts';

/** For people without a mouse: these tests press keys only. */

/** The name of the element with the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    "(() => { const a = document.activeElement; return a.getAttribute('aria-label') ?? (a.labels?.[0] ?? a).textContent })()",
  );

async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 120; steps += 1) {
    await page.keyboard.press(key);
    const at = await focused(page);
    if (typeof name === 'string' ? at === name : name.test(at)) return;
  }
  throw new Error(`Tab never reached ${name}`);
}

const pressAt = async (page: Page, name: string | RegExp, key = 'Tab'): Promise<void> => {
  await tabTo(page, name, key);
  await page.keyboard.press('Enter');
};

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** The first link skips to where one writes. */
async function toComposer(page: Page): Promise<void> {
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatch(/^Message #/);
}

describe.skipIf(isSkipped).concurrent('using the page without a mouse', () => {
  test('a command, its card, the menu behind ⋯ and its thread can be used by keyboard', async ({ page }) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page), 'the first link skips to where one writes').toBe('Message #ops');
    await page.keyboard.type('/ho');
    await see(page.getByRole('option', { name: '/host' }));
    await page.keyboard.press('Tab');
    expect(await page.locator('#composer').inputValue()).toBe('/host ');
    await type(page, 'restart web-1');
    await see(mainButton(page, 'Restart web-1'));
    await message(page, 'Restart web-1').getByRole('button', { name: 'More actions', exact: true }).focus();
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key);
      await see(page.getByRole('menuitem', { name: 'Details' }));
      expect(await focused(page)).toBe('Details');
      await page.keyboard.press('ArrowDown');
      expect(await focused(page)).toBe('Schedule…');
      if (key === 'Enter') await expectAccessible(page, 'menu of a card', { within: '[role=menu]' });
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'hidden' });
      expect(await focused(page)).toBe('More actions');
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await see(page.getByRole('dialog').getByText('34-12345'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await toComposer(page);
    await pressAt(page, 'Restart web-1', 'Shift+Tab');
    await see(message(page, /Restart web-1 · answers again after/));
    expect(
      await page.evaluate("document.activeElement.closest('.message') !== null"),
      'the focus stays at the card',
    ).toBe(true);
    await pressAt(page, 'Reply in thread');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await see(thread);
    expect(await focused(page)).toBe('Reply in thread');
    await type(page, '@Hostler status web-1');
    await see(thread.getByText('paid until').last());
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatch(/\d repl/);
  });

  nightly('modals and menus keep the focus, lists work with arrows, and Esc gives it back', async ({ page }) => {
    await page.locator('#composer').focus();
    await type(page, '/host restart');
    const dialog = page.getByRole('dialog');
    await see(dialog.getByText('Parallel'));
    for (let steps = 0; steps < 9; steps += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    }
    await pressAt(page, /^Servers: /);
    await page.keyboard.type('web');
    await see(page.getByRole('option', { name: /web-1/ }).first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await see(dialog.locator('.token').first());
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    expect(await dialog.isVisible(), 'Esc closed the list and not the modal').toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Message #ops');

    await page.locator('#who').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('l');
    expect(await focused(page)).toMatch(/Lena Lead/);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toMatch(/You are Omar/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await see(page.locator('#who', { hasText: 'Ada Admin' }));
    await page.getByRole('tab', { name: 'Servers' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'DNS' }).getAttribute('aria-selected')).toBe('true');
  });

  nightly('the menu, the card of a server and Home can be used by keyboard', async ({ page }) => {
    await toComposer(page);
    await type(page, '/host');
    await see(message(page, 'Only visible to you').getByRole('button', { name: 'Alerts' }));
    await pressAt(page, 'Alerts', 'Shift+Tab');
    await see(message(page, 'Alerts here'));
    await toComposer(page);
    await type(page, '/host status web-2');
    await see(message(page, 'web-2 · ').getByRole('button', { name: 'Restart' }));
    await pressAt(page, /^Restart/, 'Shift+Tab');
    await see(mainButton(page, 'Restart web-2'));
    await pressAt(page, 'Restart web-2');
    await see(message(page, /Restart web-2 · answers again after/));
    await toComposer(page);
    await type(page, '/host hard-reset web-3');
    await see(message(page, 'Hard reset web-3'));

    await page.locator('#who').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('l');
    await page.keyboard.press('Enter');
    await see(page.locator('#who', { hasText: 'Lena Lead' }));
    await pressAt(page, /Hostler Home/);
    await see(page.getByText('Needs you (1)'));
    await pressAt(page, 'Review…');
    await see(page.getByRole('dialog').getByText('Hard reset web-3'));
    await pressAt(page, 'Approve');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText('Needs you (1)').waitFor({ state: 'detached' });
    await see(page.locator('.job').filter({ hasText: 'hard reset' }).filter({ hasText: 'web-3' }).getByText('done'));
  });

  nightly('the dialog for rights and the buttons of an alert can be used by keyboard', async ({ stage }) => {
    const page = await stage.window('admin');
    await page.getByRole('tab', { name: 'Servers' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await pressAt(page, /^Let it run low/);
    const omar = await stage.window();
    await toComposer(omar);
    await type(omar, '/host alerts on balance');
    await see(mainButton(omar, 'Alerts: balance'));
    await pressAt(omar, 'Turn on alerts: balance', 'Shift+Tab');

    await pressAt(page, /^dev/);
    await see(page.getByRole('heading', { name: 'dev' }));
    await toComposer(page);
    await type(page, '/host access');
    await see(message(page, 'Only visible to you').getByRole('button', { name: 'Add…' }));
    await pressAt(page, 'Add…', 'Shift+Tab');
    const dialog = page.getByRole('dialog');
    await see(dialog.getByText('User groups').last());
    await pressAt(page, /^User groups: /);
    await page.keyboard.type('dev');
    await see(page.getByRole('option', { name: /dev/i }).first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await see(dialog.locator('.token').first());
    await page.keyboard.press('Escape');
    await tabTo(page, /^read/);
    await page.keyboard.press('Space');
    await pressAt(page, 'Preview');
    await see(dialog.getByText('Becomes possible'));
    await pressAt(page, (await dialog.locator('[type=submit]').textContent()) ?? '');
    await dialog.waitFor({ state: 'hidden' });
    await see(mainButton(page, 'Becomes possible'));
    await toComposer(page);
    await pressAt(page, 'Give access here', 'Shift+Tab');
    await see(message(page, /· done/));

    await see(message(omar, /Balance covers \d+ days/).getByRole('button', { name: "I'm on it" }));
    await toComposer(omar);
    await pressAt(omar, "I'm on it", 'Shift+Tab');
    await see(message(omar, /is on it/i));
  });
});
