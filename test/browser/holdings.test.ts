import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { isSkipped, message, openTab, press, say, see } from './support.ts';

// Keys, addresses, storage and tickets on the provider's side of the page.

describe.skipIf(isSkipped).concurrent('the provider’s side of the page', () => {
  test('the provider’s side shows keys, addresses, a bucket near its threshold and a ticket', async ({ page }) => {
    await openTab(page, 'More');
    const side = page.locator('#tab-more');
    await see(side.getByText('Answers are posted nowhere'));
    await see(side.getByText('Ada laptop'));
    await see(side.getByText(/SHA256:.*ada@laptop/));
    await see(side.getByText('203-0-113-25.hosting.example'));
    await see(side.getByText('232 of 250 GB'));
    await see(side.getByText('ci-1: hard reset ended in error'));
    // Nothing secret is on the page.
    expect(await side.textContent()).not.toMatch(/AAAA[A-Za-z0-9+/]{20}/);
    await side.getByRole('button', { name: 'Fill by 10 GB: Media bucket' }).click();
    await see(side.getByText('242 of 250 GB'));
    await say(page, '/host s3 show 664-2041');
    await see(message(page, '242 GB of 250 GB (96 %)'));
  });

  nightly('a ticket opened in the channel is answered by the panel, through the webhook', async ({ page }) => {
    await say(page, '/host ticket webhook set');
    await press(page, 'Post comments in tickets to this channel', 'Confirm');
    await see(message(page, /Post comments in tickets to this channel · done in/));
    await say(page, '/host ticket open "web-1 hangs" "Since 06:10." order=web-1');
    await press(page, 'Open a support ticket: web-1 hangs', 'Confirm');
    await see(message(page, /Open a support ticket: web-1 hangs · done in/));
    await openTab(page, 'More');
    const side = page.locator('#tab-more');
    await see(side.getByText('Answers are posted to the bot.'));
    await side.getByRole('button', { name: 'Answer web-1 hangs' }).click();
    await see(message(page, 'New comment in the ticket “web-1 hangs”'));
    await see(message(page, /New comment in the ticket.*We have looked into it and moved it to another node/s));
    await see(side.getByText('answered'));
    // A ticket that nobody opened here goes to the channel that subscribed.
    await side.getByRole('button', { name: 'Answer ci-1: hard reset ended in error' }).click();
    await see(message(page, 'A support ticket has a new comment'));
  });
});
