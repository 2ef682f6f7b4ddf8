import { option, text } from '../../core/command/args.ts';
import { person } from '../../core/command/slack-args.ts';
import { defineQuery } from '../define.ts';
import { personNamed } from './one-named.ts';

export const why = defineQuery({
  path: 'why',
  words: `test | | why i can not · why i can't · why i cannot · why can i not · why can · can not why · why can't ·
    why cant · why may · why not allowed · can i · am i allowed · may i · may · would be allowed · what would
    happen if · can · allowed to · why am i not allowed to · why am i not able to · why is it not allowed to ·
    test whether · no right for · stands between · y cant i · which rule decide · say no when`,
  title: 'Why',
  summary: 'Explain which grant and rule decide about a command, or which is missing',
  examples: ['why restart web-1', 'why dns add'],
  args: {
    // The name differs from all arguments of other commands, since the explained line may contain any of them.
    about_whom: option(person({ hint: 'Typed: @person before the command. The default is you.' })),
    command: text({
      place: 'rest',
      hint: 'A command as you would type it. It is not run.',
      example: 'restart web-1',
    }),
  },
  capability: 'none',
  run: async ({ about_whom, command }, { bot }) => {
    const [, word = about_whom, rest = command] = /^(@\S+)\s*(?:not\s+)?(.*)$/s.exec(command.trim()) ?? [];
    const line = rest.replace(/^\/?host\s+/i, '');
    if (word === undefined) return bot.explain(line);
    const field = word === about_whom ? 'about_whom' : 'command';
    return bot.explain(line, await personNamed(word, bot, field));
  },
});

export const whoCan = defineQuery({
  path: 'who can',
  words: `| | who can · who may · who is allowed · who else can · who is able · who could · people permitted ·
    with capability · whom ask · who do i ask · which colleague may · who is permitted`,
  title: 'Who may do this',
  summary: 'Show who may use a capability or a command here',
  examples: ['who can restart web-1', 'who can dns'],
  args: {
    what: text({
      place: 'rest',
      hint: 'A capability such as operate, or a command as you would type it, with a target if you like.',
      example: 'restart web-1',
    }),
  },
  capability: 'none',
  isAboutChannel: true,
  run: ({ what }, { bot }) => bot.whoCan(what.replace(/^\/?host\s+/i, '').replace(/\?$/, '')),
});
