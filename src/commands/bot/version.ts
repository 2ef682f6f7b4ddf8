import { says } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

export const version = defineQuery({
  path: 'version',
  words: '| version | --version · -v · which version',
  title: 'Version',
  summary: 'Show the version of the bot',
  capability: 'none',
  run: async (_, { bot }) => {
    const paused = bot.isPaused ? ' · paused: it answers and watches, but starts nothing (HOSTLER_PAUSED)' : '';
    return says(`Hostler ${bot.version}${paused}`);
  },
});
