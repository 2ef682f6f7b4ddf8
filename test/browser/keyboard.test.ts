import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isSkipped, message, openStage, see } from './support.ts';

/** What has the focus, by its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    "(() => { const a = document.activeElement; return a.getAttribute('aria-label') ?? (a.labels?.[0] ?? a).textContent })()",
  );

async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press(key);
    const at = await focused(page);
    if (typeof name === 'string' ? at === name : name.test(at)) return;
  }
  throw new Error(`Tab never reached ${name}`);
}

describe.skipIf(isSkipped)('without a mouse', () => {
  test('a command is completed, confirmed and followed into its thread', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page), 'the first link skips to where one writes').toBe('Message #ops');
    await page.keyboard.type('/ho');
    await see(page.getByRole('option', { name: '/host' }));
    await page.keyboard.press('Enter');
    await page.keyboard.type('rest');
    await see(page.getByRole('option', { name: '/host restart' }));
    await page.keyboard.press('Tab');
    expect(await page.locator('#composer').inputValue()).toBe('/host restart ');
    await page.keyboard.type('web-1');
    await page.keyboard.press('Enter');
    await see(message(page, 'Restart web-1').getByRole('button', { name: 'Confirm' }));
    await tabTo(page, 'Confirm', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await see(message(page, /Restart web-1 · done in/));
    expect(
      await page.evaluate("document.activeElement.closest('.message') !== null"),
      'the focus stays at the card',
    ).toBe(true);
    await see(message(page, 'Restart web-1').getByRole('button', { name: /1 reply/ }));
    await tabTo(page, /1 reply/);
    await page.keyboard.press('Enter');
    await see(page.getByRole('complementary', { name: 'Thread' }));
    expect(await focused(page)).toBe('Reply in thread');
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatch(/1 reply/);
  });

  test('a modal keeps the focus, its lists go by arrows, Esc gives the focus back; menus too', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await page.locator('#composer').focus();
    await page.keyboard.type('/host restart');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await see(dialog.getByText('Parallel'));
    for (let steps = 0; steps < 9; steps += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    }
    await tabTo(page, 'Servers');
    await page.keyboard.press('Enter');
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
});
