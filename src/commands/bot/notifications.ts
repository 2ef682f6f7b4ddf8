import { notificationsButton, says } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

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
