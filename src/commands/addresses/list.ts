import { accountTarget, namesOf, type Order, orderTarget } from '../../core/account/account.ts';
import { isSameAddress } from '../../core/account/ip-address.ts';
import { optional, text } from '../../core/command/args.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { runButton } from '../../core/view/view.ts';
import type { PublicAddress } from '../../provider/endpoints/network.ts';
import { channelRead } from '../define.ts';
import { leftOutItems } from '../left-out.ts';
import { defineList } from '../list.ts';
import { mustName } from '../must-name.ts';

interface Item {
  readonly address: PublicAddress;
  readonly order: Order | undefined;
}

export const ipList = defineList({
  path: 'ip list',
  words: `| ip · address · ip address · ips · addresses · reserved ip · internet address · ip number · ipv6 · ipv4 ·
    public ip · public ips | has ip · who has ip · whose ip · what is ip of`,
  title: 'List addresses',
  summary: 'List the IP addresses of the account with their servers and reverse DNS',
  examples: ['ip list', 'ip list mail'],
  args: {
    filter: optional(
      text({ hint: 'Part of an address, a server, a location or a reverse DNS name.', example: 'mail', place: 'rest' }),
    ),
  },
  ...channelRead,
  list: async ({ filter }, { reader, account, may }, show) => {
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
    const servers = orders.filter((order) => rows.length + odd.length === 0 && may('read', orderTarget(order)));
    mustName('ip list', { words: [wanted], names: servers.flatMap(namesOf) });
    const total = `${count(rows.length, 'address', 'addresses')}${fit}`;
    return show({
      all: rows.toSorted((a, b) => byNumbers(nameOf(a), nameOf(b)) || a.address.ip.localeCompare(b.address.ip)),
      columns: [{ name: 'Address' }, { name: 'Server' }, { name: 'Reverse DNS' }],
      row: (item) => {
        const { ip, location, rdns } = item.address;
        return [`${ip} · ${location.label || location.value || 'place unknown'}`, nameOf(item), rdns || 'none'];
      },
      none: `There are no addresses${fit} that you may see here.`,
      total,
      foot: (note) => `${total}${note} · the API does not change reverse DNS; ask support with /host ticket open`,
      above: odd,
      buttons: filter === undefined || rows.length > 0 ? [] : [runButton('All', 'ip list')],
    });
  },
});

function nameOf({ address, order }: Item): string {
  return order?.label ?? (address.order === null ? 'none' : address.order.name || address.order.unique_number);
}

function wordsOf(item: Item): string[] {
  const { ip, location, rdns, order } = item.address;
  return [ip, rdns, location.value, location.label, order?.unique_number ?? '', nameOf(item)];
}
