import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isSkipped, message, openStage, openTab, say, see } from './support.ts';

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

/** Everything axe finds that is serious or worse, contrast included. */
async function findings(page: Page): Promise<string[]> {
  // The page's own policy lets no script of ours in as an element; evaluating goes past the page.
  await page.evaluate(source);
  const { violations, passes }: Result = await page.evaluate(
    "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']})",
  );
  expect(passes.find(({ id }) => id === 'color-contrast')?.nodes.length, 'contrast was looked at').toBeGreaterThan(10);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}

describe.skipIf(isSkipped)('axe', () => {
  test.each(['light', 'dark'] as const)(
    'finds nothing serious on channel, thread, modal, Home and the provider: %s',
    async (colorScheme) => {
      const stage = await openStage();
      const page = await stage.window('operator', { colorScheme, hasTour: true });
      await say(page, '/host list');
      await see(page.getByRole('table').last());
      await say(page, '/host nonsense');
      await see(message(page, 'Only visible to you'));
      await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
      await message(page, 'Change 1 record').getByRole('button', { name: 'Confirm' }).click();
      await see(message(page, /Change 1 record.* · done/));
      expect(await findings(page), 'channel').toEqual([]);
      await message(page, 'Change 1 record')
        .getByRole('button', { name: /1 reply/ })
        .click();
      await see(page.getByRole('complementary', { name: 'Thread' }));
      expect(await findings(page), 'thread').toEqual([]);
      await page.keyboard.press('Escape');

      for (const tab of ['DNS', 'Money', 'Requests', 'Trouble']) {
        await openTab(page, tab);
        expect(await findings(page), tab).toEqual([]);
      }
      await page.locator('#who').click();
      expect(await findings(page), 'menu').toEqual([]);
      await page.keyboard.press('Escape');

      await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
      await see(page.locator('.home .header').first());
      expect(await findings(page), 'Home').toEqual([]);

      await page.locator('.side-item', { hasText: /^ops/ }).first().click();
      await say(page, '/host dns add');
      const dialog = page.getByRole('dialog');
      await dialog.locator('[type=submit]').click();
      await see(dialog.locator('.error').first());
      expect(await findings(page), 'modal with errors').toEqual([]);
      await dialog.getByRole('button', { name: /^Domain/ }).click();
      await see(page.getByRole('option').first());
      expect(await findings(page), 'list in a modal').toEqual([]);
    },
  );
});
