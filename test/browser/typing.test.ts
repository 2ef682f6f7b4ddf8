import { describe, expect, vi } from 'vitest';
import { patienceMs } from '../support/suite/patience.ts';
import { nightly, test } from './stage.ts';
import { become, isSkipped, message, openTab, press, say, see } from './support.ts';

describe.skipIf(isSkipped).concurrent('the box for messages', () => {
  test('a suggestion is chosen with Tab, arrows or a click, and never with Enter alone', async ({ page }) => {
    const box = page.locator('#composer');
    await box.pressSequentially('/ho');
    await see(page.getByRole('option', { name: '/host' }));
    await box.press('Enter');
    await see(message(page, '/ho is not a valid command.').getByText('Only visible to you'));

    await box.pressSequentially('good morning @le');
    await see(page.getByRole('option', { name: '@lead' }));
    await box.press('Enter');
    await see(message(page, /good morning @le$/));

    await box.pressSequentially('good evening @le');
    await see(page.getByRole('option', { name: '@lead' }));
    await box.press('ArrowDown');
    await box.press('Enter');
    expect(await box.inputValue()).toBe('good evening @lead ');
    await box.press('Enter');
    await see(message(page, 'good evening').locator('.mention', { hasText: '@lead' }));

    await box.pressSequentially('/h');
    await box.press('Tab');
    expect(await box.inputValue()).toBe('/host ');
    await box.pressSequentially('frobnicate');
    expect(await page.getByRole('option').count(), 'Slack completes nothing after a command').toBe(0);
    await box.press('Enter');
    expect(await box.inputValue()).toBe('');
    await see(message(page, 'frobnicate was not understood.').getByText('Only visible to you'));
  });

  nightly('a mention as in the README is answered, by Slackbot where the bot is not', async ({ page }) => {
    await say(page, '@Hostler status web-1');
    await message(page, '@hostler status web-1').getByRole('button', { name: /repl/ }).click();
    await see(page.getByRole('complementary', { name: 'Thread' }).getByText('34-12345'));
    await page.keyboard.press('Escape');
    await page.locator('.side-item', { hasText: 'random' }).click();
    await say(page, '@Hostler status web-1');
    await see(message(page, 'You mentioned @hostler, but they’re not in this channel.'));
  });
});

describe.skipIf(isSkipped).concurrent('the noise counter', () => {
  nightly('pings are counted for each person: one for an approver, none for a requester', async ({ page }) => {
    const counts = async (handle: string) => {
      const row = page.locator('#tab-noise tr', { has: page.getByRole('rowheader', { name: handle }) });
      const [pings, direct, answers, unread] = (await row.getByRole('cell').allTextContents()).map(Number);
      return { pings, direct, answers, unread };
    };
    await openTab(page, 'Noise');
    await see(page.getByText('Hostler has posted 0 messages that a channel sees, and 0 in threads.'));
    await say(page, '/host list');
    await see(message(page, '12 servers'));
    expect(await counts('@operator')).toMatchObject({ pings: 0, answers: 1 });
    await say(page, '/host restart web-1');
    await press(page, 'Restart web-1', 'Confirm');
    await see(message(page, /Restart web-1 · answers again after/));
    await see(page.getByText('Hostler has posted 1 message that a channel sees'));
    expect(await counts('@operator')).toMatchObject({ pings: 0, direct: 0, answers: 1 });
    await say(page, '/host hard-reset web-2');
    await see(message(page, 'Hard reset web-2'));
    await see(page.getByText('Hostler has posted 2 messages'));
    const lena = await counts('@lead');
    expect(lena.pings).toBe(1);
    expect(lena.unread).toBeGreaterThan(1);
    await page.locator('#who').click();
    await see(page.getByRole('menuitemradio', { name: /Lena Lead.*unread, 1 pings/ }));
    await page.keyboard.press('Escape');
    await become(page, 'Lena Lead');
    await vi.waitFor(async () => expect((await counts('@lead')).unread).toBeLessThan(lena.unread ?? 0), patienceMs);
  });
});
