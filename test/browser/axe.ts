import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Everything axe finds on a page that is serious or worse. */

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

/** Dark differs from light only in its contrast. */
const rules = {
  light: "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']",
  dark: "{type: 'rule', values: ['color-contrast']}",
};

/** Looks at what is shown now, in light and in dark. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    // The page's own policy lets no script of ours in as an element; evaluating goes past the page.
    await page.evaluate(`${source}; 0`);
    const { violations, passes }: Result = await page.evaluate(
      `axe.run(document, {runOnly: ${rules[colorScheme]}, resultTypes: ['violations', 'passes']})`,
    );
    const seen = passes.find(({ id }) => id === 'color-contrast')?.nodes.length;
    expect(seen, `${place}, ${colorScheme}: contrast was looked at`).toBeGreaterThan(10);
    const found = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
    expect(found, `${place}, ${colorScheme}`).toEqual([]);
  }
}
