import { identityOf, type Order } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import type { NewServer } from '../core/alert/alert-rule.ts';
import { day, minute } from '../core/text/words.ts';
import { aboutOrder, defineAlert, sampleOrder } from './define-alert.ts';

export const newServer = defineAlert({
  name: 'new-server',
  title: 'A new server',
  many: (n) => `${n} new servers`,
  everyMs: minute,
  fires: 'the provider reports that a server ordered here is there',
  clears: 'a day has passed',
  // Reads the names even for no server: a rule that reads nothing would say that it can read again.
  read: async ({ newServers, names, now }) => {
    const servers = await newServers(now - day);
    const { orders } = await names();
    return servers.map((made) => ({ made, order: orders.find((order) => order.id === made.id) }));
  },
  find: (servers) => servers.map(({ made, order }) => findingOf(made, order)),
  calm: (_, __, { target }) => ({ over: `${target.name} is no longer new` }),
  sample: () =>
    findingOf({ id: sampleOrder.id, name: 'web-1', address: '192.0.2.10', plan: 'VPS-2', by: '' }, sampleOrder),
});

function findingOf({ id, name, address, plan, by }: NewServer, order: Order | undefined): Finding {
  const unlisted = { kind: 'order', id, name: name || id, tags: [], project: null } as const;
  const about = order === undefined ? { cause: id, target: unlisted } : aboutOrder(order);
  return {
    ...about,
    title: `${about.target.name} is new`,
    lines: [
      [
        order === undefined ? [id, address, plan].filter(Boolean).join(' · ') : identityOf(order),
        ...(by === '' ? [] : [' · ordered by ', { user: by }]),
      ],
    ],
    severity: 'info',
    isNews: true,
    level: 0,
    offers: [{ label: 'Status', line: `status ${id}` }],
  };
}
