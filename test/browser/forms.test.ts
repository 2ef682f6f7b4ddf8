import { describe, expect, test } from 'vitest';
import { become, isSkipped, message, openStage, say, see } from './support.ts';

describe.skipIf(isSkipped)('forms', () => {
  test('a wrong value is said at its field, which gets the focus; the right one goes on', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await say(page, '/host dns add');
    const dialog = page.getByRole('dialog');
    await see(dialog.getByText('Value').first());
    await dialog.getByRole('button', { name: /^Domain/ }).click();
    await page.getByRole('combobox', { name: /Search/ }).fill('example.com');
    await page.getByRole('option', { name: 'example.com' }).first().click();
    await dialog.getByLabel('Host').fill('www2');
    await dialog.getByRole('button', { name: /^Type/ }).click();
    await page.getByRole('option', { name: 'A', exact: true }).click();
    const value = dialog.getByLabel('Value');
    await value.fill('300.1.2.3');
    await dialog.locator('[type=submit]').click();

    await see(dialog.locator('.error'));
    const described = await value.getAttribute('aria-describedby');
    const error = dialog.locator('.error');
    expect(described?.split(' ')).toContain(await error.getAttribute('id'));
    expect(await value.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate("document.activeElement.getAttribute('aria-describedby')")).toBe(described);
    expect(await value.inputValue(), 'what was typed stays').toBe('300.1.2.3');

    await value.fill('192.0.2.77');
    await value.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await see(message(page, 'www2'));
  });

  test('a password is revealed once, to who asked, and to nobody again', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await say(page, '/host password web-1');
    await see(message(page, 'root password').getByRole('button', { name: 'Approve' }));
    await become(page, 'Lena Lead');
    await message(page, 'root password').getByRole('button', { name: 'Approve' }).click();
    await see(message(page, /password of web-1 · done/));
    await become(page, 'Omar Operator');
    await page
      .locator('.side-item', { hasText: /^Hostler/ })
      .first()
      .click();
    const reveal = page.getByRole('button', { name: 'Reveal once' });
    await reveal.click();
    const dialog = page.getByRole('dialog');
    const password = (await dialog.locator('code').first().textContent()) ?? '';
    expect(password.length).toBeGreaterThan(7);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.locator('body').textContent()).not.toContain(password);
    if (await reveal.isVisible()) await reveal.click();
    await page.waitForTimeout(500);
    expect(await page.locator('body').textContent()).not.toContain(password);
  });
});
