import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../support/process/run.ts';
import { hasAllTests, sample } from '../support/suite/seed.ts';
import { expectAccessible } from './axe.ts';
import { browser } from './stage.ts';
import { isSkipped, newDataDir, see } from './support.ts';

// The site of the documentation, opened from the disk, without a server and a network.

describe.skipIf(isSkipped)('the site of the documentation', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await newDataDir();
    await run('npm', ['run', 'docs:build', '--', folder]);
  });

  async function open(name: string, width = 1280): Promise<Page> {
    const context = await (await browser()).newContext({ offline: true, viewport: { width, height: 900 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    onTestFinished(() => expect(complaints).toEqual([]));
    await page.goto(`${pathToFileURL(join(folder, name))}`);
    return page;
  }

  test('a search of the documentation finds a text, and its result leads to it', async () => {
    const page = await open('index.html');
    await page.keyboard.press('/');
    await page.keyboard.type('freeze');
    const results = page.getByRole('listitem').filter({ has: page.locator('p') });
    await see(results.first());
    expect(await results.count()).toBeGreaterThan(3);
    for (const text of await results.allTextContents()) expect(text).toMatch(/freeze|›/i);
    const link = results.getByRole('link').first();
    const to = await link.getAttribute('href');
    await link.click();
    await page.waitForURL(`**/${to}`);
    expect(await page.locator('article').textContent()).toMatch(/freeze/i);
    // An anchor leads to the section itself.
    const anchor = to?.split('#')[1] ?? '';
    await see(page.locator(`[id="${anchor}"]`));

    await page.getByRole('searchbox').fill('nothingofthekind');
    await see(page.getByText('No section has “nothingofthekind”'));
    await page.keyboard.press('Escape');
    expect(await page.locator('#results').isHidden()).toBe(true);
  });

  test.skipIf(!hasAllTests)('a matching heading is before a matching text, and Enter opens the first', async () => {
    const page = await open('index.html');
    await page.getByRole('searchbox').fill('back up restore');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/backup.html#back-up-and-restore');
  });

  test('links lead from page to page', async () => {
    const page = await open('index.html');
    await page.getByRole('article').getByRole('link', { name: 'Permissions', exact: true }).click();
    await page.waitForURL('**/permissions.html');
    expect(await page.title()).toBe('Permissions · Hostler');
    await page.getByRole('navigation').getByRole('link', { name: 'DNS' }).click();
    await see(page.getByRole('heading', { name: 'Undo a change' }));
  });

  test('the pages are accessible by screen reader and keyboard, light and dark', async () => {
    for (const name of sample(['index', 'settings', 'security', 'commands', 'readme'])) {
      const page = await open(`${name}.html`);
      await page.getByRole('searchbox').fill('freeze');
      await expectAccessible(page, name, { counts: () => true });
    }
  });

  test.skipIf(!hasAllTests)('on a phone no page is wider than the screen', async () => {
    for (const name of ['index', 'settings', 'policies', 'commands']) {
      const page = await open(`${name}.html`, 390);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
    }
  });
});
