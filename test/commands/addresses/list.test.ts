import { expect } from 'vitest';
import { makeOrder } from '../../core/support.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { openerOf, testOf } from '../commands-called.ts';

const openRunner = openerOf('ip list');
const test = testOf('ip list');

test('ip list shows addresses with server, place and reverse DNS, also if the order has none', async ({ viewOf }) => {
  expect(viewText(await viewOf('ip list mo'))).toMatchInlineSnapshot(`
    "Address │ Server │ Reverse DNS
    203.0.113.40 · Spain │ monitor-1 │ monitor-1.example.com
    203.0.113.41 · Spain │ monitor-1 │ none
    · 2 addresses that fit mo · the API does not change reverse DNS; ask support with /host ticket open"
  `);
  expect(viewText(await viewOf('ip list hosting.example'))).toContain('203-0-113-25.hosting.example');
});

test('ip list shows only the addresses of servers that the person may read', async () => {
  const { viewOf } = await openRunner({ may: (_, { id }) => id === '34-12345' });
  const view = viewText(await viewOf('ip list'));
  expect(view).toContain('192.0.2.10');
  expect(view).not.toContain('192.0.2.11');
});

test('a server without an address is no unknown word', async () => {
  const { viewOf } = await openRunner({
    account: (account) => ({ ...account, orders: [...account.orders, makeOrder('34-99', 'bare-1')] }),
  });
  expect(viewText(await viewOf('ip list bare-1'))).toBe(
    'There are no addresses that fit bare-1 that you may see here.\n[All → ip list]',
  );
});
