import { describe, expect } from 'vitest';
import { nightly, test } from './stage.ts';
import { become, isSkipped, mainButton, message, press, see } from './support.ts';

describe.skipIf(isSkipped).concurrent('the tour', () => {
  nightly('a button that is held while the tour changes around it still gets its click', async ({ stage }) => {
    const open = async () => {
      const page = await stage.window('operator', { hasTour: true });
      await page.evaluate(() =>
        localStorage.setItem(
          'hostler.tour',
          JSON.stringify({ step: 4, sinceMs: Date.now(), isDone: false, isClosed: false }),
        ),
      );
      await page.reload();
      const tour = page.getByRole('region', { name: 'A short tour' });
      await see(tour.getByText('See an alert'));
      return { page, tour };
    };
    const [{ page, tour }, other] = await Promise.all([open(), open()]);
    await tour.getByRole('button', { name: 'Skip' }).hover();
    await page.mouse.down();
    await other.tour.getByRole('button', { name: 'Let the balance run low' }).click();
    await see(tour.getByRole('button', { name: 'Type it for me' }));
    // The row has become narrower or wider: the finger stays on its button.
    await tour.getByRole('button', { name: 'Skip' }).hover();
    await page.mouse.up();
    await see(tour.getByText('That was the tour.'));
  });

  test('a newcomer goes through all five steps and closes the tour, and it stays closed', async ({ stage }) => {
    const page = await stage.window('operator', { hasTour: true });
    const tour = page.getByRole('region', { name: 'A short tour' });
    const typeIt = async () => {
      await tour.getByRole('button', { name: 'Type it for me' }).click();
      await page.locator('#composer').press('Enter');
    };
    /** The step ends when its last card has ended. */
    const next = async (card?: RegExp) => {
      await see(tour.getByText('✓ Done.'));
      if (card !== undefined) expect(await message(page, card).count()).toBe(1);
      await tour.getByRole('button', { name: /Next step|Finish/ }).click();
    };

    await see(tour.getByText('See your servers'));
    await tour.getByRole('button', { name: 'Type it for me' }).click();
    await see(tour.getByText('Press Enter to send it.'));
    expect(await tour.locator('.primary').count()).toBe(0);
    await page.locator('#composer').press('Enter');
    await see(
      page
        .getByRole('cell', { name: 'web-1', exact: true })
        .or(page.getByText('web-1', { exact: true }))
        .first(),
    );
    await next();

    await see(tour.getByText('Restart one'));
    await typeIt();
    await see(mainButton(page, 'Restart web-1'));
    expect(await tour.getByText('Press Enter to send it.').count(), 'the line is sent').toBe(0);
    expect(await tour.locator('.primary').count(), 'the card has the next button').toBe(0);
    await press(page, 'Restart web-1', 'Confirm');
    await next(/Restart web-1 · answers again after/);

    await see(tour.getByText('Approve as somebody else'));
    await typeIt();
    await see(mainButton(page, 'Hard reset web-2'));
    await tour.getByRole('button', { name: 'Become Lena' }).click();
    await see(page.locator('#who', { hasText: 'Lena Lead' }));
    await see(page.getByText('You are Lena Lead. Times are in America/New_York.'));
    await press(page, 'Hard reset web-2', 'Approve');
    await next(/Hard reset web-2 · answers again after/);

    await tour.getByRole('button', { name: 'Become Omar' }).click();
    await see(page.locator('#who', { hasText: 'Omar Operator' }));
    await see(tour.getByText('Change DNS, and take it back'));
    await typeIt();
    await press(page, 'Change A www', 'Confirm');
    await press(page, 'Change A www', 'Undo');
    await press(page, 'Undo: Change A www', 'Confirm');
    await next(/Undo: Change A www.* · done in/);

    await see(tour.getByText('See an alert'));
    await tour.getByRole('button', { name: 'Let the balance run low' }).click();
    await typeIt();
    await press(page, 'Alerts: balance', 'Confirm');
    const alert = await see(message(page, /Balance covers \d days/));
    await next(/Turn on alerts: balance · done in/);
    await alert.getByRole('button', { name: "I'm on it" }).click();
    await see(message(page, /is on it/i));

    await tour.getByRole('button', { name: 'Done', exact: true }).click();
    await tour.waitFor({ state: 'hidden' });
    await page.reload();
    await see(message(page, 'Restart web-1'));
    expect(await tour.isVisible()).toBe(false);
    await become(page, 'Lena Lead');
    expect(await tour.isVisible()).toBe(false);
  });
});
