import { order } from '../../core/command/args.ts';
import { favoriteLabel } from '../../core/view/signs.ts';
import { says } from '../../core/view/view.ts';
import { runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';

export const unfavorite = defineQuery({
  path: 'unfavorite',
  isBehind: true,
  title: 'Remove from favorites',
  summary: 'Remove a server from your own favorites',
  examples: ['unfavorite web-1', 'unfavorite db-1'],
  args: { server: order({ hint: 'The server to remove.', example: 'web-1' }) },
  capability: 'read',
  visibility: 'person',
  run: async ({ server }, { own }) => {
    const change = await own.setFavorite(server.id, false);
    const words = change === 'same' ? 'is not one of your favorites' : 'is no longer one of your favorites';
    return says(`${server.label} ${words}.`, [runButton(favoriteLabel(false), `favorite ${server.id}`)]);
  },
});
