import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { flip, happen, isSkipped, mainButton, message, openTab, press, say, see, writes } from './support.ts';

const confirm = (page: Page, words: string | RegExp) => press(page, words, 'Confirm');

describe.skipIf(isSkipped).concurrent('the switches for faults', () => {
  nightly('"The next job fails": the card quotes the provider, and nothing is retried', async ({ page }) => {
    await flip(page, 'The next job fails');
    await see(page.getByRole('tab', { name: 'Trouble (1)' }));
    await say(page, '/host restart web-1');
    await confirm(page, 'Restart web-1');
    await see(message(page, /Restart web-1 · failed/).getByText('The hypervisor did not answer in time'));
    await see(page.getByRole('switch', { name: 'The next job fails', checked: false }));
    await openTab(page, 'Servers');
    await see(page.locator('.job').filter({ hasText: 'web-1' }).getByText('ended in error'));
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);
  });

  test('"The next answer is lost": the result is unknown, then found, and one call is sent', async ({ page }) => {
    await flip(page, 'The next answer is lost');
    await say(page, '/host stop web-2');
    await confirm(page, 'Stop web-2');
    await see(message(page, /Stop web-2 · done/));
    await message(page, 'Stop web-2').getByRole('button', { name: /repl/ }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await see(thread.getByText('may have begun. Not retried'));
    await see(thread.getByText(/web-2 stopped.* the power is off/).last());
    expect(await writes(page)).toEqual(['POST /vps/34-12399/stop/']);
    await see(page.locator('.wire.write').getByText('no answer'));
  });

  nightly('"The next server boots, but answers nothing": the card waits, and offers next steps', async ({ page }) => {
    await flip(page, 'The next server boots, but answers nothing');
    await say(page, '/host restart web-1');
    await confirm(page, 'Restart web-1');
    await see(message(page, /Restart web-1 · waiting for its answer/));
    await see(page.getByRole('switch', { name: 'The next server boots, but answers nothing', checked: false }));
    await happen(page, '+ 10 minutes');
    await see(
      message(page, /Restart web-1 · power on, nothing answers after/).getByRole('button', { name: 'Rescue mode' }),
    );
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);
  });

  test('"The next server answers late": the card waits, and says when the server answered', async ({ page }) => {
    await flip(page, 'The next server answers late');
    await see(page.getByRole('tab', { name: 'Trouble (1)' }));
    await say(page, '/host restart web-1');
    await confirm(page, 'Restart web-1');
    await see(message(page, /Restart web-1 · waiting for its answer/));
    await see(page.getByRole('switch', { name: 'The next server answers late', checked: false }));
    await happen(page, '+ 1 minute');
    await see(message(page, /Restart web-1 · answers again after/));
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);
  });

  nightly('"Every answer takes 4 seconds": Slack is acknowledged in time, then answered', async ({ page }) => {
    await flip(page, 'Every answer takes 4 seconds');
    await say(page, '/host balance');
    await see(message(page, '84.20'));
    await openTab(page, 'Calls');
    await see(
      page
        .locator('.wire.slack')
        .getByText(/acknowledged in \d+ ms/)
        .first(),
    );
    expect(await page.locator('.wire.slack .bad').allTextContents()).toEqual([]);
  });

  nightly('"Too many requests": a read waits and says why it failed, a change runs later', async ({ page }) => {
    await say(page, '/host restart web-2');
    await see(mainButton(page, 'Restart web-2'));
    await flip(page, /^Too many requests/);
    await say(page, '/host account');
    await see(message(page, 'The provider is slow to respond; the bot is still waiting for it.'));
    await see(message(page, /the provider answered 429.*asks the bot to slow down/));
    await confirm(page, 'Restart web-2');
    await see(message(page, 'Restart web-2').getByText(/answered 429.*It is tried again/));
    expect(await writes(page)).toEqual([]);
    await flip(page, /^Too many requests/);
    await say(page, '/host account');
    await see(message(page, 'ops@example.com'));
    await see(message(page, /Restart web-2 · answers again after/));
    expect(await writes(page)).toHaveLength(1);
  });

  nightly('"The API is down": unread values are unknown, a change waits, and both then work', async ({ page }) => {
    await say(page, '/host restart web-1');
    await see(mainButton(page, 'Restart web-1'));
    await flip(page, 'The API is down');
    await say(page, '/host invoices');
    await see(message(page, /The provider is not answering \(503/).getByRole('button', { name: 'Try again' }));
    await say(page, '/host list');
    await see(message(page, /The provider is not answering \(503.*This is what the bot knew at/));
    await see(message(page, '12 servers: 12 unknown'));
    await confirm(page, 'Restart web-1');
    await see(message(page, 'Restart web-1').getByText(/answered 503.*It is tried again/));
    expect(await writes(page)).toEqual([]);
    await flip(page, 'The API is down');
    await see(message(page, /Restart web-1 · answers again after/));
    expect(await writes(page)).toHaveLength(1);
    await say(page, '/host list');
    await see(message(page, '12 servers: 10 on, 2 off'));
  });

  nightly('"Change a DNS record by hand": the approval is void, a new card has the difference', async ({ page }) => {
    await say(page, '/host dns set example.com www A 192.0.2.11 ttl=300');
    await see(message(page, 'Change A www.example.com').getByText(/− www.*192\.0\.2\.10/));
    await happen(page, 'Change a DNS record by hand');
    await openTab(page, 'DNS');
    await see(page.getByRole('cell', { name: '203.0.113.66' }));
    await confirm(page, 'Change A www.example.com');
    await see(
      page
        .locator('#channel .message')
        .filter({ hasText: /changed after you|not run/i })
        .first(),
    );
    expect(await writes(page)).toEqual([]);
    await see(mainButton(page, /− www.*203\.0\.113\.66/));
  });

  nightly('"Every click and command is delivered twice": one card, one answer and one call', async ({ page }) => {
    await flip(page, 'Every click and command is delivered twice');
    await say(page, '/host restart web-3');
    await confirm(page, 'Restart web-3');
    await see(message(page, /Restart web-3 · answers again after/));
    expect(await page.locator('#channel .message').filter({ hasText: 'Restart web-3' }).count()).toBe(1);
    expect(await writes(page)).toEqual(['POST /vps/34-12407/restart/']);
    const lines = page.locator('.wire.slack', { hasText: '2 times' });
    await see(lines.filter({ hasText: '/host' }));
    await see(lines.filter({ hasText: 'block_actions' }));
  });

  nightly('"Slack takes no calls (429)": a confirmed request runs, its card shows the end later', async ({ page }) => {
    await say(page, '/host restart web-1');
    await see(mainButton(page, 'Restart web-1'));
    await flip(page, 'Slack takes no calls (429)');
    await see(page.getByRole('tab', { name: 'Trouble (1)' }));
    await confirm(page, 'Restart web-1');
    await openTab(page, 'Servers');
    await see(page.locator('.job').filter({ hasText: 'web-1' }).getByText('done', { exact: false }));
    expect(await message(page, /Restart web-1 · (accepted|waiting|answers)/).count(), 'Slack took no edit').toBe(0);
    await flip(page, 'Slack takes no calls (429)');
    await see(message(page, /Restart web-1 · answers again after/));
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);
  });

  nightly('"To the next scheduled hour": the page says if there is none, or one begins at once', async ({ page }) => {
    const clock = page.locator('#provider .pane-title');
    await happen(page, 'To the next scheduled hour');
    await see(page.getByText('Nothing is scheduled.'));
    await happen(page, '+ 10 minutes');
    await see(clock.getByText('+10 min'));
    await say(page, '/host restart web-1 in=20h');
    await confirm(page, 'Restart web-1');
    await see(message(page, /Restart web-1 · scheduled/));
    expect(await writes(page)).toEqual([]);
    await happen(page, 'To the next scheduled hour');
    await see(clock.getByText(/\+(?:19|20) h/));
    await see(message(page, /Restart web-1 · accepted|Restart web-1 · answers again after/));
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);
  });

  nightly('"+ 1 day": an unanswered approval expires, and the paid time is a day less', async ({ page }) => {
    await say(page, '/host hard-reset web-2');
    await see(mainButton(page, 'Hard reset web-2'));
    await happen(page, '+ 1 day');
    await see(page.locator('#provider .pane-title').getByText('+1 d'));
    await see(message(page, /Hard reset web-2 · expired/).getByText('nobody approved it in time. Nothing was done.'));
    await see(page.getByRole('separator', { name: 'Yesterday' }));
    await say(page, '/host status web-1');
    await see(message(page, '(18 days)'));
    await openTab(page, 'Servers');
    await see(page.locator('#tab-servers .row', { hasText: 'web-1' }).getByText('18 days paid'));
    expect(await writes(page)).toEqual([]);
  });
});
