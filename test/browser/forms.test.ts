import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { isSkipped, message, press, revealPassword, say, see, writes } from './support.ts';

const redDot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(isSkipped).concurrent('forms', () => {
  test('a wrong value is reported at its field, which gets the focus, and a right one accepted', async ({ page }) => {
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

  test('a value of one page of a form is not sent with the next, and the order has its card', async ({ page }) => {
    const dialog = page.getByRole('dialog');
    const choose = async (field: RegExp, option: RegExp) => {
      await dialog.getByRole('button', { name: field }).click();
      await page.getByRole('option', { name: option }).first().click();
    };
    const submit = () => dialog.locator('[type=submit]').click();
    await say(page, '/host create');
    await choose(/^Plan/, /Cloud NVMe 2/);
    await submit();
    await see(dialog.getByText('So far: Cloud NVMe 2'));
    await choose(/^Template/, /Debian 13/);
    await submit();
    await see(dialog.getByText('step 3 of'));
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('web-4');
    await choose(/^Location/, /Germany/);
    await dialog.getByRole('radio', { name: 'Yes' }).first().check();
    await submit();
    await see(dialog.getByText('step 4 of 4'));
    await submit();
    await see(dialog.getByText('Price: € 5.50 a month'));
    await submit();
    await dialog.waitFor({ state: 'hidden' });
    await see(message(page, 'Create web-4'));
  });

  nightly('a password is revealed once to the person who asked, and to nobody again', async ({ page }) => {
    await revealPassword(page);
    const dialog = page.getByRole('dialog');
    const password = (await dialog.locator('code').first().textContent()) ?? '';
    expect(password.length).toBeGreaterThan(7);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await see(page.getByText('It cannot be shown again.'));
    expect(await page.getByRole('button', { name: 'Reveal once' }).count()).toBe(0);
    expect(await page.locator('body').textContent()).not.toContain(password);
  });

  nightly('a picture can be chosen, removed and chosen again, and becomes the logo of a project', async ({ page }) => {
    await say(page, '/host project logo');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Project/ }).click();
    await page.getByRole('option', { name: /Website/ }).click();
    const file = dialog.locator('input[type=file]');
    await file.setInputFiles({ name: 'wrong.png', mimeType: 'image/png', buffer: redDot });
    await dialog.getByRole('button', { name: 'Remove wrong.png' }).click();
    await see(dialog.getByRole('button', { name: 'Add a file' }));
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: redDot });
    await see(dialog.getByText('logo.png'));
    await dialog.locator('[type=submit]').click();
    await dialog.waitFor({ state: 'hidden' });
    await press(page, /logo/i, 'Confirm');
    await see(message(page, /logo.* · done/i));
    expect(await writes(page)).toEqual([expect.stringMatching(/^(POST|PUT) .*logo/)]);
  });
});
