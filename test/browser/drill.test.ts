import { describe, expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { test } from './stage.ts';
import { happen, isSkipped, mainButton, openTab, press, say, see } from './support.ts';

// A drill from its first button to its card.

describe.skipIf(isSkipped).concurrent('a drill', () => {
  test('runs with a clock once for two clicks, and its card says who noticed, who acted and when it was over', async ({
    page,
  }) => {
    await openTab(page, 'Trouble');
    await page.getByRole('button', { name: 'A server hangs at boot' }).dblclick();
    const drill = page.getByRole('region', { name: 'Drill: A server hangs at boot' });
    await see(drill.getByText('web-1 was restarted at the provider'));
    await see(page.locator('#provider .pane-title').getByText(/^Drill 00:\d\d$/));
    await expectAccessible(page, 'drill', { within: '#tab-trouble' });
    await happen(page, '+ 10 minutes');
    await see(drill.getByRole('timer').getByText(/^10:\d\d$/));
    await say(page, '/host restart web-1');
    await see(mainButton(page, 'Restart web-1'));
    await press(page, 'Restart web-1', 'Confirm');
    await see(drill.getByText('web-1 answered again.'));
    await expectAccessible(page, 'drill-card', { within: '#tab-trouble' });
    const lines = await drill.locator('.drill-log li').allTextContents();
    expect(lines.slice(0, 4)).toEqual([
      expect.stringMatching(/^10:\d\dThe clock was moved forward$/),
      expect.stringMatching(/^10:\d\d@operator typed \/host restart web-1$/),
      expect.stringMatching(/^10:\d\dHostler in #ops: ⏳ Restart web-1$/),
      expect.stringMatching(/^10:\d\d@operator pressed “Restart web-1”$/),
    ]);
    expect(await drill.textContent()).toMatch(/Noticedafter 10:\d\d by @operator: typed \/host restart web-1/);
    await page.reload();
    await drill.getByRole('button', { name: 'Put the card away' }).click();
    await see(page.getByRole('button', { name: 'A zone is changed by hand' }));
    expect(await drill.count()).toBe(0);
  });
});
