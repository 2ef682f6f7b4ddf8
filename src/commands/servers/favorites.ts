import { orderTarget } from '../../core/account/account.ts';
import { order } from '../../core/command/args.ts';
import { tooManyFavorites } from '../../core/command/own-settings.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { favoriteLabel, signs } from '../../core/view/signs.ts';
import { menuPart, runButton, says } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

const common = { isBehind: true, capability: 'read' } as const;

export const favorites = defineQuery({
  ...common,
  path: 'favorites',
  words: '| favorite · starred · bookmark | my favorite · my server',
  title: 'Your favorites',
  summary: 'List the servers that you marked as favorites',
  run: async (_, { account, may, own }) => {
    const marked = await own.favorites();
    // A favorite grants no right: servers that the person may not read here are omitted.
    const servers = (await account()).orders
      .filter((order) => marked.has(order.id) && order.status !== 'canceled' && may('read', orderTarget(order)))
      .toSorted((a, b) => byNumbers(a.label, b.label));
    if (servers.length === 0)
      return says(['You have no favorites here. Add one with ', { code: '/host favorite web-1' }, '.']);
    const buttons = (path: string) => servers.map(({ label, id }) => runButton(label, `${path} ${id}`));
    return {
      summary: `Your favorites: ${count(servers.length, 'server')}`,
      parts: [
        { kind: 'heading', text: `${signs.favorite} Your favorites` },
        ...servers.map(({ label, addresses, id }) => ({
          kind: 'text' as const,
          text: [{ bold: label }, ` · ${addresses[0] ?? id}`],
        })),
        ...menuPart('Show one…', buttons('status')),
        ...menuPart('Remove one…', buttons('unfavorite')),
      ],
    };
  },
});

export const favorite = defineQuery({
  ...common,
  path: 'favorite',
  words: 'star · bookmark · fav | | add favorite · add to favorite · my favorite add · star = · pin to favorite',
  title: 'Add to favorites',
  summary: 'Add a server to your own favorites, which Home lists first',
  examples: ['favorite web-1', 'favorite db-1'],
  args: { server: order({ hint: 'The server to add.', example: 'web-1' }) },
  run: async ({ server: { id, label } }, { own }) => {
    const change = await own.setFavorite(id, true);
    if (change === 'full')
      throw new Refusal('impossible', tooManyFavorites, {
        suggestions: [{ label: 'Show your favorites', command: 'favorites' }],
      });
    const words = change === 'same' ? 'is one of your favorites already' : 'is one of your favorites now';
    return says(`${label} ${words}. Home lists them first, after the servers in trouble.`, [
      runButton(favoriteLabel(true), `unfavorite ${id}`),
    ]);
  },
});

export const unfavorite = defineQuery({
  ...common,
  path: 'unfavorite',
  words: 'unstar · unfav | | remove favorite · remove from favorite · out of favorite',
  title: 'Remove from favorites',
  summary: 'Remove a server from your own favorites',
  examples: ['unfavorite web-1', 'unfavorite db-1'],
  args: { server: order({ hint: 'The server to remove.', example: 'web-1' }) },
  run: async ({ server: { id, label } }, { own }) => {
    const change = await own.setFavorite(id, false);
    const words = change === 'same' ? 'is not one of your favorites' : 'is no longer one of your favorites';
    return says(`${label} ${words}.`, [runButton(favoriteLabel(false), `favorite ${id}`)]);
  },
});
