import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from './stage.ts';
import { isSkipped, message, openTab, press, say, see } from './support.ts';

/** For whoever has no mouse, no eyes for it, or only a phone. */

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

interface Result {
  readonly violations: readonly Finding[];
  readonly passes: readonly Finding[];
}

/** Everything axe finds that is serious or worse. What is dark differs from what is light only in its contrast. */
async function findings(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // The page's own policy lets no script of ours in as an element; evaluating goes past the page.
  await page.evaluate(source);
  const rules =
    colorScheme === 'dark'
      ? "{type: 'rule', values: ['color-contrast']}"
      : "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']";
  const { violations, passes }: Result = await page.evaluate(`axe.run(document, {runOnly: ${rules}})`);
  expect(passes.find(({ id }) => id === 'color-contrast')?.nodes.length, 'contrast was looked at').toBeGreaterThan(10);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}

describe.skipIf(isSkipped).concurrent('axe', () => {
  test.for(['light', 'dark'] as const)(
    'finds nothing serious on channel, thread, modal, Home and the provider: %s',
    { timeout: 240_000 },
    async (colorScheme, { stage }) => {
      const page = await stage.window('operator', { colorScheme, hasTour: true });
      await say(page, '/host list');
      await see(page.getByRole('table').last());
      await say(page, '/host nonsense');
      await see(message(page, 'Only visible to you'));
      await openTab(page, /^Trouble/);
      await page.getByRole('switch', { name: 'The next answer is lost' }).click();
      await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
      await press(page, 'Change A www.example.com', 'Confirm');
      await see(message(page, /Change A www.example.com.* · done/));
      expect(await findings(page, colorScheme), 'channel').toEqual([]);
      await message(page, 'Change A www.example.com').getByRole('button', { name: /repl/ }).click();
      await see(page.getByRole('complementary', { name: 'Thread' }));
      expect(await findings(page, colorScheme), 'thread').toEqual([]);
      await page.keyboard.press('Escape');

      for (const tab of ['DNS', 'Money', 'Requests', /^Trouble/]) {
        await openTab(page, tab);
        expect(await findings(page, colorScheme), String(tab)).toEqual([]);
      }
      await page.locator('#who').click();
      expect(await findings(page, colorScheme), 'menu').toEqual([]);
      await page.keyboard.press('Escape');

      await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
      await see(page.locator('.home .header').first());
      expect(await findings(page, colorScheme), 'Home').toEqual([]);

      await page.locator('.side-item', { hasText: /^ops/ }).first().click();
      await say(page, '/host dns add');
      const dialog = page.getByRole('dialog');
      await dialog.locator('[type=submit]').click();
      await see(dialog.locator('.error').first());
      expect(await findings(page, colorScheme), 'modal with errors').toEqual([]);
      await dialog.getByRole('button', { name: /^Domain/ }).click();
      await see(page.getByRole('option').first());
      expect(await findings(page, colorScheme), 'list in a modal').toEqual([]);
    },
  );
});

/** The name of the element with the focus. */
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

describe.skipIf(isSkipped).concurrent('without a mouse', () => {
  test('a command is completed, confirmed and followed into its thread', async ({ stage }) => {
    const page = await stage.window('operator');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page), 'the first link skips to where one writes').toBe('Message #ops');
    await page.keyboard.type('/ho');
    await see(page.getByRole('option', { name: '/host' }));
    await page.keyboard.press('Tab');
    expect(await page.locator('#composer').inputValue()).toBe('/host ');
    await page.keyboard.type('restart web-1');
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

  test('a modal keeps the focus, its lists go by arrows, Esc gives the focus back; menus too', async ({ stage }) => {
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

describe.skipIf(isSkipped).concurrent('at phone width', () => {
  test('channels, cards, threads, forms and the provider are all within reach, and nothing is wider than the phone', async ({
    stage,
  }) => {
    const page = await stage.window('operator', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    const width = () => page.evaluate('document.scrollingElement.scrollWidth');
    await say(page, '/host restart web-1');
    await message(page, 'Restart web-1').getByRole('button', { name: 'Confirm' }).tap();
    await see(message(page, /Restart web-1 · done in/));
    expect(await width()).toBe(360);
    await message(page, 'Restart web-1')
      .getByRole('button', { name: /1 reply/ })
      .tap();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await see(thread.getByText(/^web-1 restarted/));
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
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).tap();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await say(page, '/host list');
    await see(page.getByRole('table').last());
    expect(await width()).toBe(360);
  });
});
