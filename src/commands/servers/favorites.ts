import { orderTarget } from '../../core/account/account.ts';
import { count } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import { says } from '../../core/view/view.ts';
import { menuPart, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';

export const favorites = defineQuery({
  path: 'favorites',
  isBehind: true,
  title: 'Your favorites',
  summary: 'List the servers that you marked as favorites',
  examples: ['favorites', 'favorites'],
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, { account, may, own }) => {
    const marked = await own.favorites();
    // A favorite grants no right: servers that the person may not read here are omitted.
    const servers = (await account()).orders
      .filter((order) => marked.has(order.id) && order.status !== 'canceled' && may('read', orderTarget(order)))
      .toSorted((a, b) => a.label.localeCompare(b.label));
    if (servers.length === 0)
      return says(['You have no favorites here. Add one with ', { code: '/host favorite web-1' }, '.']);
    return {
      summary: `Your favorites: ${count(servers.length, 'server')}`,
      parts: [
        { kind: 'heading', text: `${signs.favorite} Your favorites` },
        ...servers.map(({ label, addresses, id }) => ({
          kind: 'text' as const,
          text: [{ bold: label }, ` · ${addresses[0] ?? id}`],
        })),
        ...menuPart(
          'Show one…',
          servers.map(({ id, label }) => runButton(label, `status ${id}`)),
        ),
        ...menuPart(
          'Remove one…',
          servers.map(({ id, label }) => runButton(label, `unfavorite ${id}`)),
        ),
      ],
    };
  },
});
