import { text } from '../../core/command/args.ts';
import { defineQuery } from '../define.ts';

export const whoCan = defineQuery({
  path: 'who can',
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
  visibility: 'person',
  run: ({ what }, { bot }) => bot.whoCan(what.replace(/^\/?host\s+/i, '').replace(/\?$/, '')),
});
