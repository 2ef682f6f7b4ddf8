import { orderTarget } from '../../core/account/account.ts';
import { count } from '../../core/text/words.ts';
import { formButton, says } from '../../core/view/view.ts';
import { defineList } from '../list.ts';
import { orderList } from '../orders/list.ts';
import { freshOrder, inTroubleFirst } from '../orders/read-order.ts';
import { withReadAt } from '../read-at.ts';

export const dsList = defineList({
  path: 'ds list',
  title: 'Dedicated servers',
  summary: 'List the dedicated servers, with hardware and days paid',
  examples: ['ds list', 'ds list page:1'],
  args: {},
  capability: 'read',
  visibility: 'money',
  list: async (_, { reader, currency, may, now, bot }, show) => {
    const [servers, inCurrency, protectionOf] = await Promise.all([reader.ds.list(), currency(), bot.protections()]);
    const own = servers
      .map((server) => freshOrder(server, { kind: 'ds' }))
      .filter((server) => may('read', orderTarget(server)));
    const all = inTroubleFirst(own, now);
    if (all.length === 0) return says('There is no dedicated server that you may see here.');
    const active = all.filter((server) => server.status === 'active').length;
    const total = `${count(all.length, 'dedicated server')}: ${active} active${all.length === active ? '' : `, ${all.length - active} not`}`;
    return show({
      ...orderList({ all, currency: inCurrency, now, protectionOf }),
      total,
      foot: (note) => withReadAt(`${total}${note}`, now),
      buttons: [formButton('Traffic…', 'ds traffic')],
    });
  },
});
