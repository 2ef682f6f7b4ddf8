import { text } from '../../core/args.ts';
import { defineQuery } from '../define.ts';
import { oneNamed } from './one-named.ts';

export const why = defineQuery({
  path: 'why',
  title: 'Why',
  summary: 'Explain which grant and rule decide about a command, or what is missing',
  examples: ['why restart web-1', 'why dns add'],
  args: {
    command: text({
      place: 'rest',
      hint: 'A command as you would type it, after @person if it is about somebody else. It is not run.',
      example: 'restart web-1',
    }),
  },
  capability: 'none',
  visibility: 'person',
  run: async ({ command }, { bot }) => {
    const [, word, rest] = /^(@\S+)\s*(.*)$/s.exec(command.trim()) ?? [];
    const line = (word === undefined ? command : (rest ?? '')).replace(/^\/?host\s+/i, '');
    if (word === undefined) return bot.explain(line);
    const id = word.slice(1);
    const person = /^[UW][A-Z0-9]+$/.test(id) ? id : (await oneNamed(word, bot, 'command', 'person')).id;
    return bot.explain(line, person);
  },
});
