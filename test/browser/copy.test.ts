import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { startProvider } from '../../sandbox/provider/server.ts';
import { openStore } from '../../src/store/database.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { expectAccessible } from './axe.ts';
import { browser, test } from './stage.ts';
import { isSkipped, mainButton, message, openTab, openWindow, press, say, see, startCommand } from './support.ts';

// A copy of an account, from the command line to the card of a drill.

describe.skipIf(isSkipped).concurrent('a copy', () => {
  test('a drill is played on a copy of an account, which hears nothing of it', async ({ onTestFinished }) => {
    const real = await startProvider();
    onTestFinished(() => real.close());
    const databaseUrl = join(await newFolder('copy', onTestFinished), 'hostler.db');
    {
      await using store = await openStore(databaseUrl);
      await store.durations.add('restart', 500);
    }
    const settings = { HOST_API_URL: real.url, HOST_API_KEY: real.key, DATABASE_URL: databaseUrl };
    const sandbox = await startCommand(['--copy', '--drill', 'boot'], settings);
    onTestFinished(() => sandbox.kill());
    const read = real.sim.requests().length;
    const page = await openWindow(await browser(), sandbox.url);
    onTestFinished(() => page.context().close());

    await see(page.getByText(/^copy of Example Ltd, /));
    expect(await page.title()).toContain('copy of Example Ltd');
    await see(message(page, 'This is a copy of Example Ltd.'));
    expect(await page.getByRole('button', { name: 'Tour' }).count()).toBe(0);
    await openTab(page, /^Trouble/);
    const drill = page.getByRole('region', { name: 'Drill: A server hangs at boot' });
    const brief = (await (await see(drill.getByText(/was restarted at the provider/))).textContent()) ?? '';
    const server = brief.split(' ')[0] ?? '';
    await say(page, `/host restart ${server}`);
    await see(mainButton(page, `Restart ${server}`));
    await press(page, `Restart ${server}`, 'Confirm');
    await see(drill.getByText(`${server} answered again.`));
    await expectAccessible(page, 'copy', { within: '#top' });

    await page.getByRole('button', { name: 'Start over' }).click();
    await see(page.getByRole('dialog').getByText(/go back to the copy\./));
    await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
    await page
      .locator('.message', { hasText: `Restart ${server}` })
      .first()
      .waitFor({ state: 'detached' });
    await see(message(page, 'This is a copy of Example Ltd.'));
    await see(page.getByText(/^copy of Example Ltd, /));
    expect(real.sim.requests()).toHaveLength(read);
    expect(new Set(real.sim.requests().map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});
