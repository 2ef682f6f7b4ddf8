import { text } from '../../core/args.ts';
import { defineQuery } from '../define.ts';

export const why = defineQuery({
  path: 'why',
  summary: 'Which grant and which rule decide about a command, or which is missing',
  examples: ['why restart web-1', 'why dns add'],
  args: {
    command: text({ place: 'rest', hint: 'a command as you would type it; it is not run', example: 'restart web-1' }),
  },
  capability: 'none',
  visibility: 'person',
  run: ({ command }, { bot }) => bot.explain(command.replace(/^\/?host\s+/i, '')),
});
