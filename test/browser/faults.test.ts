import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isSkipped, message, openStage, openTab, say, see, writes } from './support.ts';

async function flip(page: Page, label: string | RegExp): Promise<void> {
  await openTab(page, /^Trouble/);
  await page.getByRole('switch', { name: label }).click();
}

const confirm = (page: Page, words: string | RegExp) =>
  message(page, words).getByRole('button', { name: 'Confirm' }).click();

describe.skipIf(isSkipped)('the switches for what can go wrong', () => {
  test('a job fails, an answer is lost, a click is delivered twice: each is said, and nothing is sent twice', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');

    await flip(page, 'The next job fails');
    await see(page.getByRole('tab', { name: 'Trouble (1)' }));
    await say(page, '/host restart web-1');
    await confirm(page, 'Restart web-1');
    await see(message(page, /Restart web-1 · failed/));
    await see(message(page, 'The hypervisor did not answer in time'));
    await openTab(page, /^Trouble/);
    await see(page.getByRole('switch', { name: 'The next job fails', checked: false }));

    await flip(page, 'The next answer is lost');
    await say(page, '/host stop web-2');
    await confirm(page, 'Stop web-2');
    await see(message(page, /Stop web-2 · answer lost|did not answer in time, so I do not know/));
    await see(message(page, /Stop web-2 · done/));

    await flip(page, 'Every click is delivered twice');
    await say(page, '/host restart web-3');
    await confirm(page, 'Restart web-3');
    await see(message(page, /Restart web-3 · done/));
    await openTab(page, 'Requests');
    await see(page.locator('.wire.slack', { hasText: '2 times' }).first());
    expect(await writes(page)).toEqual([
      'POST /vps/34-12345/restart/',
      'POST /vps/34-12399/stop/',
      'POST /vps/34-12407/restart/',
    ]);
  });

  test('slow, too many requests, and down: the bot says so and comes back', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await flip(page, 'Every answer takes 4 seconds');
    await say(page, '/host balance');
    await see(message(page, '84.20'));
    await openTab(page, 'Requests');
    expect(await page.locator('.wire.slack .status.bad').count(), 'Slack was told in time').toBe(0);
    await flip(page, 'Every answer takes 4 seconds');

    await flip(page, 'The API is down');
    await say(page, '/host invoices');
    await see(message(page, /does not answer|did not answer|unavailable|503/i));
    await flip(page, 'The API is down');

    await flip(page, 'Too many requests');
    await say(page, '/host account');
    await page.waitForTimeout(1_000);
    await flip(page, 'Too many requests');
    await see(message(page, /ops@example.com|Example Ltd|too many|throttled/i));
  });

  test('a record changed by hand undoes an approval; a dropped socket comes back; time goes forward', async () => {
    const stage = await openStage();
    const page = await stage.window('operator');
    await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
    await see(message(page, 'Change 1 record').getByRole('button', { name: 'Confirm' }));
    await openTab(page, /^Trouble/);
    await page.getByRole('button', { name: 'Change a DNS record by hand' }).click();
    await openTab(page, 'DNS');
    await see(page.getByRole('cell', { name: '203.0.113.66' }));
    await confirm(page, 'Change 1 record');
    await see(
      page
        .locator('#channel .message')
        .filter({ hasText: /changed after you|not run/i })
        .first(),
    );
    expect(await writes(page)).toEqual([]);

    await openTab(page, /^Trouble/);
    await page.getByRole('button', { name: 'Drop the Slack connection' }).click();
    await see(page.getByText('○ Hostler is not connected').or(page.getByText('● Hostler is connected')));
    await see(page.getByText(/● Hostler is connected/));
    await say(page, '/host version');
    await see(message(page, /Hostler \d/));

    await openTab(page, /^Trouble/);
    await page.getByRole('button', { name: '+ 1 day' }).click();
    await see(page.locator('#provider .pane-title').getByText('+1 d'));
    await openTab(page, 'Servers');
    await see(
      page
        .locator('#tab-servers')
        .getByText(/18 days paid/)
        .first(),
    );
  });
});
