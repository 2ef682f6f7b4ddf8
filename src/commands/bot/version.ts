import { defineQuery } from '../define.ts';

export const version = defineQuery({
  path: 'version',
  summary: 'Which version of the bot this is',
  examples: ['version', 'version'],
  args: {},
  capability: 'none',
  visibility: 'person',
  run: async (_, { bot }) => ({
    summary: `Hostler ${bot.version}`,
    parts: [{ kind: 'text', text: `Hostler ${bot.version}` }],
  }),
});
