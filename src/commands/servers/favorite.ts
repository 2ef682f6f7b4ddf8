import { order } from '../../core/command/args.ts';
import { tooManyFavorites } from '../../core/command/own-settings.ts';
import { Refusal } from '../../core/view/errors.ts';
import { favoriteLabel } from '../../core/view/signs.ts';
import { says } from '../../core/view/view.ts';
import { runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';

export const favorite = defineQuery({
  path: 'favorite',
  isBehind: true,
  title: 'Add to favorites',
  summary: 'Add a server to your own favorites, which Home lists first',
  examples: ['favorite web-1', 'favorite db-1'],
  args: { server: order({ hint: 'The server to add.', example: 'web-1' }) },
  capability: 'read',
  visibility: 'person',
  run: async ({ server }, { own }) => {
    const change = await own.setFavorite(server.id, true);
    if (change === 'full')
      throw new Refusal('impossible', tooManyFavorites, {
        suggestions: [{ label: 'Show your favorites', command: 'favorites' }],
      });
    const words = change === 'same' ? 'is one of your favorites already' : 'is one of your favorites now';
    return says(`${server.label} ${words}. Home lists them first, after the servers in trouble.`, [
      runButton(favoriteLabel(true), `unfavorite ${server.id}`),
    ]);
  },
});
