import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { become, happen, isSkipped, mainOf, message, openTab, passMinute, press, say, see, writes } from './support.ts';

describe.skipIf(isSkipped).concurrent('cards', () => {
  test('a second person approves, in one window or in two, and both show every change', async ({ slow }) => {
    const [omar, lena] = [await slow.window(), await slow.window('lead')];
    await say(omar, '/host hard-reset web-2');
    const [his, hers] = [message(omar, 'Hard reset web-2'), message(lena, 'Hard reset web-2')];
    await mainOf(his).click();
    await see(omar.getByText(/somebody else/i).first());
    expect(await writes(omar), 'he may not approve his own').toEqual([]);

    await mainOf(hers).click();
    await Promise.all([
      see(message(omar, /Hard reset web-2 · accepted/)),
      see(message(lena, /Hard reset web-2 · accepted/)),
    ]);
    await passMinute(omar);
    await Promise.all([
      see(message(omar, /Hard reset web-2 · answers again after/)),
      see(message(lena, /Hard reset web-2 · answers again after/)),
    ]);
    await see(his.getByText('approved by @lead'));
    expect(await mainOf(his).count()).toBe(0);
    expect(await writes(omar)).toEqual(['POST /vps/34-12399/hard_reset/']);
  });

  nightly('a reload and a dropped Slack connection during a job show it running, and its end', async ({ slow }) => {
    const page = await slow.window();
    await say(page, '/host restart web-1');
    await press(page, 'Restart web-1', 'Confirm');
    await see(message(page, /Restart web-1 · accepted/));
    await page.reload();
    await see(message(page, /Restart web-1 · accepted/));
    await openTab(page, 'Servers');
    await see(page.locator('#tab-servers').getByText('running'));
    await happen(page, 'Drop the Slack connection');
    await passMinute(page);
    await see(message(page, /Restart web-1 · answers again after/));
    // A line typed before the new connection reaches nobody.
    await see(page.getByText('● Hostler is connected'));
    expect(await writes(page)).toEqual(['POST /vps/34-12345/restart/']);

    const card = message(page, 'Restart web-1');
    await card.hover();
    await card.getByRole('button', { name: 'Reply in thread' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await see(thread.getByText(/web-1 restarted/).last());
    await thread.getByRole('textbox').fill('@hostler status web-1');
    await thread.getByRole('textbox').press('Enter');
    await see(thread.locator('.message').filter({ hasText: '192.0.2.10' }).last());
  });

  nightly('a private message is for nobody else; guests and strangers see their own channels', async ({ stage }) => {
    const page = await stage.window('reader');
    const other = await stage.window('lead');
    await say(page, '/host restart web-1');
    const refusal = await see(message(page, 'Only visible to you'));
    expect(await refusal.textContent()).toContain('You may not use /host restart');
    expect(await other.getByText('You may not use /host restart').count()).toBe(0);

    await become(page, 'Gus Guest');
    expect(await page.locator('.side-item', { hasText: 'ops-private' }).count()).toBe(0);
    await become(page, 'Petra Partner');
    await see(page.locator('.side-item', { hasText: 'partner-shared' }));
    expect(await page.locator('.side-item', { hasText: 'general' }).count()).toBe(0);
  });

  nightly('a channel is marked as unread for each person, also after a restart of the browser', async ({ stage }) => {
    const lena = await stage.window('lead');
    await lena.locator('.side-item', { hasText: 'general' }).click();
    const omar = await stage.window();
    await say(omar, 'Good morning, @lead');
    const ops = lena.locator('.side-item', { hasText: /^ops/ }).first();
    await see(ops.locator('.count', { hasText: '1' }));
    await ops.click();
    await ops.locator('.count').waitFor({ state: 'detached' });
    await see(lena.getByRole('separator', { name: 'New messages' }));
    const again = await stage.window('lead');
    await see(again.locator('.side-item', { hasText: 'dev' }).and(again.locator('.unread')));
    expect(await again.locator('.side-item.unread', { hasText: /^ops$/ }).count()).toBe(0);
  });
});
