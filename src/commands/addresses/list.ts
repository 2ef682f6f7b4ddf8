import { accountTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { isSameAddress } from '../../core/account/ip-address.ts';
import { optional, text } from '../../core/command/args.ts';
import { count } from '../../core/text/words.ts';
import type { Row } from '../../core/view/view.ts';
import type { PublicAddress } from '../../provider/endpoints/network.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { leftOutItems } from '../unreadable.ts';

interface Item {
  readonly address: PublicAddress;
  readonly order: Order | undefined;
}

export const ipList = defineQuery({
  path: 'ip list',
  title: 'List addresses',
  summary: 'List the IP addresses of the account with their servers and reverse DNS',
  examples: ['ip list', 'ip list mail'],
  args: {
    filter: optional(
      text({ hint: 'Part of an address, a server, a location or a reverse DNS name.', example: 'mail', place: 'rest' }),
    ),
    page,
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ filter, page }, { reader, account, may }) => {
    const [all, { orders }] = await Promise.all([reader.network.addresses(), account()]);
    const wanted = filter?.trim().toLowerCase() ?? '';
    const orderById = new Map(orders.map((order) => [order.id, order]));
    const rows = all
      .map((address): Item => ({ address, order: orderById.get(address.order?.unique_number ?? '') }))
      .filter(({ order }) => may('read', order === undefined ? accountTarget : orderTarget(order)))
      .filter(
        (row) =>
          wordsOf(row).some((word) => word.toLowerCase().includes(wanted)) || isSameAddress(row.address.ip, wanted),
      );
    const fit = filter === undefined ? '' : ` that fit ${filter}`;
    // The server of a malformed item is unknown.
    const odd = may('read', accountTarget) ? leftOutItems(all.unreadable, 'address', 'addresses') : [];
    if (rows.length === 0) {
      const none = `There are no addresses${fit} that you may see here.`;
      return {
        summary: none,
        parts: [
          ...odd,
          { kind: 'text', text: none },
          ...buttonRow(filter === undefined ? [] : [runButton('All', 'ip list')]),
        ],
      };
    }
    const sorted = rows.toSorted(
      (a, b) => nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }) || a.address.ip.localeCompare(b.address.ip),
    );
    const line = filter === undefined ? 'ip list' : `ip list filter=${JSON.stringify(filter)}`;
    const shown = paged(sorted, page, { row: cellsOf, lineOf: (to) => `${line} page:${to}` });
    const totals = `${count(rows.length, 'address', 'addresses')}${fit}`;
    return {
      summary: totals,
      parts: [
        ...odd,
        {
          kind: 'table',
          columns: [{ name: 'Address' }, { name: 'Server' }, { name: 'Reverse DNS' }],
          rows: shown.rows.map(cellsOf),
        },
        {
          kind: 'context',
          text: `${totals}${shown.note} · the API does not change reverse DNS; ask support with /host ticket open`,
        },
        ...buttonRow(shown.buttons),
      ],
      ...shown.more,
    };
  },
});

function nameOf({ address, order }: Item): string {
  return order?.label ?? (address.order === null ? 'none' : address.order.name || address.order.unique_number);
}

function cellsOf(item: Item): Row {
  const { ip, location, rdns } = item.address;
  return [`${ip} · ${location.label || location.value || 'place unknown'}`, nameOf(item), rdns || 'none'];
}

function wordsOf(item: Item): string[] {
  const { ip, location, rdns, order } = item.address;
  return [ip, rdns, location.value, location.label, order?.unique_number ?? '', nameOf(item)];
}
