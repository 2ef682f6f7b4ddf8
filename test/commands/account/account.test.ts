import { expect } from 'vitest';
import { costs } from '../../../src/commands/account/account.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('balance', 'account', 'costs');

test('account shows the account; balance the balance, how long it lasts, and the next renewals', async ({ viewOf }) => {
  expect(viewText(await viewOf('account'))).toBe('Name: Example Ltd\nMail: ops@example.com\n[Balance → balance]');
  expect(viewText(await viewOf('balance'))).toMatchInlineSnapshot(`
    "€ 84.20 · covers 21 days (€ 116.85 a month) · 1 unpaid invoice (€ 2.50)
    Next renewals │ Paid until │ A month
    cache-1 │ ‹day› (2 days) │ € 3.50
    staging-1 │ ‹day› (6 days) │ € 3.50
    ci-1 │ ‹day› (8 days) │ € 3.50
    files-1 │ ‹day› (9 days) │ € 27
    mail-1 │ ‹day› (11 days) │ € 3.50
    · 17 orders counted as renewed from the balance; whether one renews is not known. The next 5 are shown.
    · The API gives no details of an invoice: see and pay it in the provider's panel.
    [Expiring → orders expiring 14d] [Unpaid orders → orders unpaid] [Whose account → account]"
  `);
});

test('an order that is marked for cancellation or not active is no future cost', async ({ sim, viewOf }) => {
  sim.order({ order: '34-1000101', cancel_mark: true });
  sim.order({ order: '34-1000102', status: 'blocked' });
  sim.balance({ balance: 57.85, unpaid: [] });
  expect((await viewOf('balance')).summary).toBe('€ 57.85 · covers 32 days (€ 57.85 a month) · no unpaid invoices');
  const empty = await openRunner({ seed: 'empty' });
  expect((await empty.viewOf('balance')).summary).toBe('€ 0 · nothing is due · no unpaid invoices');
});

test('costs shows the orders and the monthly costs by project and by tag', async ({ viewOf }) => {
  expect(costs.visibility).toBe('money');
  const said = viewText(await viewOf('costs'));
  expect(said).toMatch(
    /^Costs of │ Orders │ A month\nNo project │ 10 │ € 76.85\nProject Website │ 6 │ € 35.50\nProject Internal │ 3 /,
  );
  expect(said).toContain('\nTag prod │ 9 │ € 98\nTag dedicated │ 2 │ € 59\n');
  expect(said).toContain('· 19 orders · € 122.85 a month · an order counts once for each of its tags');
});

test('costs counts only orders that the person may read and that are not canceled', async () => {
  const ids = new Set(['34-12345', '34-12399', '34-12352']);
  const { sim, viewOf } = await openRunner({ may: (_, target) => target.kind !== 'order' || ids.has(target.id) });
  sim.order({ order: '34-12352', status: 'canceled' });
  const text = viewText(await viewOf('costs'));
  expect(text).toMatch(/· 2 orders · € [\d.]+ a month · /);
  expect(text).not.toContain('Tag cache');
});

test('the balance and the account are refused for a grant on some servers only', async () => {
  const { refusalOf, sim } = await openRunner({ may: (_, target) => target.kind === 'order' });
  for (const line of ['balance', 'invoices', 'account'])
    expect(await refusalOf(line)).toMatchObject({ reason: 'not_granted', hint: 'It has to be granted on `all`.' });
  expect(sim.requests()).toEqual([]);
});
