import { accountTarget, namesOf, orderTarget } from '../../core/account/account.ts';
import { isSameAddress } from '../../core/account/ip-address.ts';
import { optional, text } from '../../core/command/args.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { runButton } from '../../core/view/view.ts';
import { channelRead, defineList } from '../define.ts';
import { leftOutItems } from '../left-out.ts';
import { mustName } from '../must-name.ts';

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
      .map(({ order, ...address }) => {
        const id = order?.unique_number ?? '';
        const server = orderById.get(id);
        return { ...address, id, server, name: server?.label ?? (order === null ? 'none' : order.name || id) };
      })
      .filter(({ server }) => may('read', server === undefined ? accountTarget : orderTarget(server)))
      .filter(({ ip, rdns, location, id, name }) => {
        const words = [ip, rdns, location.value, location.label, id, name];
        return words.some((word) => word.toLowerCase().includes(wanted)) || isSameAddress(ip, wanted);
      });
    const fit = filter === undefined ? '' : ` that fit ${filter}`;
    // The server of a malformed item is unknown.
    const odd = may('read', accountTarget) ? leftOutItems(all.unreadable, 'address', 'addresses') : [];
    const servers = orders.filter((order) => rows.length + odd.length === 0 && may('read', orderTarget(order)));
    mustName('ip list', { words: [wanted], names: servers.flatMap(namesOf) });
    const total = `${count(rows.length, 'address', 'addresses')}${fit}`;
    return show({
      all: rows.toSorted((a, b) => byNumbers(a.name, b.name) || a.ip.localeCompare(b.ip)),
      columns: [{ name: 'Address' }, { name: 'Server' }, { name: 'Reverse DNS' }],
      row: ({ ip, location, name, rdns }) => [
        `${ip} · ${location.label || location.value || 'place unknown'}`,
        name,
        rdns || 'none',
      ],
      none: `There are no addresses${fit} that you may see here.`,
      total,
      foot: (note) => `${total}${note} · the API does not change reverse DNS; ask support with /host ticket open`,
      above: odd,
      buttons: filter === undefined || rows.length > 0 ? [] : [runButton('All', 'ip list')],
    });
  },
});
