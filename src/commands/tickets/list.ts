import type { KnownTicket } from '../../core/command/bot.ts';
import { count } from '../../core/text/words.ts';
import { dotted, type Row } from '../../core/view/view.ts';
import { buttonRow, formButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';

const note = 'The API neither lists nor reads tickets: their answers are in the customer area.';

export const ticketList = defineQuery({
  path: 'ticket list',
  title: 'Tickets',
  summary: 'List the tickets that were opened from this channel, with their pages',
  examples: ['ticket list', 'ticket list page:1'],
  args: { page },
  capability: 'tickets',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ page }, { bot, channel }) => {
    const own = (await bot.openedTickets())
      .filter((ticket) => ticket.channel === channel)
      .toSorted((a, b) => b.at - a.at);
    const buttons = [formButton('Open a ticket…', 'ticket open')];
    if (own.length === 0) {
      const none = 'No ticket was opened from this channel.';
      return { summary: none, parts: [{ kind: 'text', text: `${none} ${note}` }, ...buttonRow(buttons)] };
    }
    const shown = paged(own, page, { row: rowOf, lineOf: (to) => `ticket list page:${to}` });
    return {
      summary: count(own.length, 'ticket'),
      parts: [
        {
          kind: 'table',
          columns: [{ name: 'Subject' }, { name: 'Order' }, { name: 'Opened' }],
          rows: shown.rows.map(rowOf),
        },
        { kind: 'context', text: `${count(own.length, 'ticket')}${shown.note} · ${note}` },
        ...buttonRow([...shown.buttons, ...buttons]),
      ],
      ...shown.more,
    };
  },
});

function rowOf({ subject, order, by, at, url }: KnownTicket): Row {
  return [
    /^https?:\/\//.test(url) ? [{ link: url, text: subject }] : dotted([subject, url]),
    order ?? '–',
    [{ user: by }, ', ', { date: at, style: 'full' }],
  ];
}
