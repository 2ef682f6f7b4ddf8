import { type Account, type UnreadableItem, unreadableTarget } from '../core/account/account.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { minute } from '../core/text/words.ts';
import { defineAlert, warning } from './define-alert.ts';

export const unreadable = defineAlert<Account>({
  name: 'unreadable',
  title: 'The provider’s response about an item cannot be read',
  many: (n) => `The provider’s responses about ${n} items cannot be read`,
  everyMs: 15 * minute,
  fires:
    'an item of a list does not have the expected form; it is left out everywhere, and no other alert rule reads it',
  clears: 'it can be read again, or is gone',
  read: ({ account }) => account(),
  find: ({ unreadable }) => unreadable.map(findingOf),
  calm: (_, account, { target: { kind, id } }): AlertEnd | undefined => {
    if ((kind === 'domain' || kind === 'project') && account.unread.includes(`${kind}s`)) return undefined;
    const isThere = [
      ...account.orders.map((order) => order.id),
      ...account.domains.map(({ name }) => name),
      ...account.projects.map((project) => String(project.id)),
    ].includes(id);
    return isThere ? `The ${kind} ${id} can be read again` : { over: `The ${kind} ${id} is no longer listed` };
  },
  sample: () => findingOf({ kind: 'order', id: '34-12345', why: 'id: Invalid input' }),
});

function findingOf(item: UnreadableItem): Finding {
  return {
    cause: `${item.kind}:${item.id}`,
    target: unreadableTarget(item),
    title: `The ${item.kind} ${item.id} cannot be read`,
    lines: [item.why, 'No other alert covers it, and commands on it are refused. Everything else works.'],
    ...warning,
    offers: [{ label: 'Orders', line: 'orders' }],
  };
}
