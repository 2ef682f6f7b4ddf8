import { count } from '../../core/text/words.ts';
import { dotted, formButton } from '../../core/view/view.ts';
import { defineList } from '../define.ts';

const note = 'The API neither lists nor reads tickets: their answers are in the customer area.';

export const ticketList = defineList({
  path: 'ticket list',
  words: `| ticket · support case · support ticket · case · tix | did provider answer · our ticket · any ticket ·
    ticket answered · provider answered · support case · any tix · issue list · anyone write support · answer from
    support · support say · provider say · answer from provider · reply from support · there open ticket · any open
    ticket · status of ticket`,
  title: 'Tickets',
  summary: 'List the tickets that were opened from this channel, with their pages',
  capability: 'tickets',
  isAboutChannel: true,
  list: async (_, { bot, channel }, show) => {
    const own = (await bot.openedTickets()).filter((ticket) => ticket.channel === channel);
    const total = count(own.length, 'ticket');
    return show({
      all: own.toSorted((a, b) => b.at - a.at),
      columns: [{ name: 'Subject' }, { name: 'Order' }, { name: 'Opened' }],
      row: ({ subject, order, by, at, url }) => [
        /^https?:\/\//.test(url) ? [{ link: url, text: subject }] : dotted([subject, url]),
        order ?? '–',
        [{ user: by }, ', ', { date: at, style: 'full' }],
      ],
      none: `No ticket was opened from this channel. ${note}`,
      total,
      foot: (pageNote) => `${total}${pageNote} · ${note}`,
      buttons: [formButton('Open a ticket…', 'ticket open')],
    });
  },
});
