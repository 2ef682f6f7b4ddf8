import { defineQuery } from '../define.ts';

export const version = defineQuery({
  path: 'version',
  words: '| version | --version · -v · which version',
  title: 'Version',
  summary: 'Show the version of the bot',
  capability: 'none',
  run: async (_, { bot }) => {
    const text = `Hostler ${bot.version}${bot.isPaused ? ' · paused: it answers and watches, but starts nothing (HOSTLER_PAUSED)' : ''}`;
    return { summary: text, parts: [{ kind: 'text', text }] };
  },
});
