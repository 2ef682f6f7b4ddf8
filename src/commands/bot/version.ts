import { notificationsButton, says } from '../../core/view/view.ts';
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

export const notifications = defineQuery({
  path: 'notifications',
  words: `| notification · mention · ping me · pings · direct message · dm | stop pinging · stop paging · stop
    notifying · stop mentioning · notification setting · my notification · do not ping me · don't ping me · too
    many direct message · pings i get · not many message`,
  title: 'Notifications',
  summary: 'Choose which direct messages and mentions you get',
  capability: 'none',
  dialog: 'notifications',
  run: async () =>
    says('Choose which direct messages and mentions you get: for you alone, in every channel.', [notificationsButton]),
});
