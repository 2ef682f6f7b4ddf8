import { describe, expect } from 'vitest';
import { expectAccessible } from './axe.ts';
import { test } from './stage.ts';
import { isSkipped, mainButton, message, openTab, press, say, see, writes } from './support.ts';

// A machine asks with a token; the page shows what it sends and what it gets.

describe.skipIf(isSkipped).concurrent('the machine of the page', () => {
  test('asks for a change: its card names it, and the answer shows the end when a person confirms', async ({
    page,
  }) => {
    await openTab(page, 'Calls');
    const side = page.locator('#tab-requests');
    const exchange = side.getByRole('region', { name: 'The last call and its answer' });
    expect(await exchange.isVisible()).toBe(false);
    await side.getByRole('textbox', { name: 'Line of the machine' }).fill('restart web-3 because it\'s "41"');
    await page.keyboard.press('Enter');
    await see(message(page, 'Restart web-3').getByText('ci, a token of @operator'));
    await see(side.getByRole('status').getByText('waiting', { exact: true }));
    expect(await exchange.textContent()).toMatch(/^POST \/api\/run \{"line":"restart web-3 .*\n202 \{\n {2}"id": "/);
    await side.getByText('With curl').click();
    const curl = await side.getByRole('region', { name: 'The call with curl' }).textContent();
    expect(curl).toMatch(
      /^curl http:\/\/127\.0\.0\.1:\d+\/api\/run -H 'Authorization: Bearer hst_machines\.\w{64}' -d /,
    );
    expect(curl).toContain(String.raw`'{"line":"restart web-3 because it'\''s \"41\"","key":"'$(date +%s)'"}'`);
    await expectAccessible(page, 'machine', { within: '#tab-requests' });
    await mainButton(page, 'Restart web-3').click();
    await see(side.getByRole('status').getByText(/^ran: web-3 restarted/));
    expect(await exchange.textContent()).toMatch(
      /^GET \/api\/requests\/[a-z2-9]{10}\?wait=50 \n200 \{[\s\S]*"verdict": "ran"/,
    );
    expect(await writes(page)).toEqual(['POST /vps/34-12407/restart/']);

    await say(page, '/host token revoke ci');
    await press(page, 'Revoke the token ci', 'Confirm');
    await see(message(page, /Revoke the token ci · done/));
    await side.getByRole('button', { name: 'Ask as ci' }).click();
    await see(side.getByRole('status').getByText('There is nothing at this address.'));
  });
});
