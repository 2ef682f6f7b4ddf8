import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Checks a page with axe, in light and in dark. */

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
  light: "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']",
  dark: "{type: 'rule', values: ['color-contrast']}",
};

interface Look {
  /** The part of the page, as a selector: what is new on it. The whole page without one. */
  readonly within?: string;
  /** Chooses the findings that fail: the serious ones by default. */
  readonly counts?: (finding: Finding) => boolean;
}

async function look(page: Page, place: string, colorScheme: keyof typeof rules, within: string) {
  // The page's own policy lets no script of ours in as an element; evaluating goes past the page.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${source}; 0`);
  const { violations, passes }: Result = await page.evaluate(
    `axe.run('${within}', {runOnly: ${rules[colorScheme]}, resultTypes: ['violations', 'passes'], preload: false})`,
  );
  const seen = passes.find(({ id }) => id === 'color-contrast')?.nodes.length;
  expect(seen, `${place}, ${colorScheme}: contrast was looked at`).toBeGreaterThan(within === whole ? 10 : 1);
  return violations;
}

const whole = 'html';

/** A role that the element may not have is minor to axe, and some screen readers read it wrong. */
const isSerious = ({ id, impact }: Finding): boolean =>
  impact === 'serious' || impact === 'critical' || id === 'aria-allowed-role';

/** Checks the present page, in light and in dark. */
export async function expectAccessible(
  page: Page,
  place: string,
  { within = whole, counts = isSerious }: Look = {},
): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // The sandbox has an attribute for the theme, the documentation does not.
    await page.locator(`html:not([data-theme]), html[data-theme="${colorScheme}"]`).waitFor();
    const found = (await look(page, place, colorScheme, within))
      .filter(counts)
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
    expect(found, `${place}, ${colorScheme}`).toEqual([]);
  }
}
