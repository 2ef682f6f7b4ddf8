import { integer, optional, person, text, withDefault } from '../../core/args.ts';
import type { AuditLine } from '../../core/bot.ts';
import { quoteValue } from '../../core/grammar/tokens.ts';
import type { Text } from '../../core/view.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';

export const audit = defineQuery({
  path: 'audit',
  summary: 'Who asked, approved and did what in this channel',
  examples: ['audit', 'audit last=50'],
  args: {
    last: withDefault(integer({ place: 'option', hint: 'how many rows', min: 1, max: 80 }), 20),
    by: optional(person({ place: 'option', hint: 'only what this person did' })),
    request: optional(text({ place: 'option', hint: 'only this request, by its id' })),
    page,
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ last, by, request, page }, { bot, channel }) => {
    const rows = await bot.audit({
      channel,
      limit: last,
      ...(by === undefined ? {} : { actor: by }),
      ...(request === undefined ? {} : { operation: request }),
    });
    if (rows.length === 0)
      return { summary: 'Nothing yet.', parts: [{ kind: 'text', text: 'Nothing has been written down here yet.' }] };
    const lineOf = (to: number) =>
      ['audit', `last=${last}`, by && `by=@${by}`, request && `request=${quoteValue(request)}`, `page=${to}`]
        .filter(Boolean)
        .join(' ');
    const shown = paged(rows, page, { row: rowOf, lineOf });
    return {
      summary: `${rows.length} audit rows`,
      parts: [
        {
          kind: 'table',
          columns: [
            { name: 'No.', align: 'right' },
            { name: 'When' },
            { name: 'Who' },
            { name: 'What' },
            { name: 'Text' },
            { name: 'Request' },
          ],
          rows: shown.rows.map(rowOf),
        },
        {
          kind: 'context',
          text: `newest first${shown.note}; the whole chain: hostler audit export, hostler audit verify`,
        },
        ...buttonRow(shown.buttons),
      ],
    };
  },
});

function rowOf(row: AuditLine): Text[] {
  return [
    String(row.seq),
    [{ date: row.at, style: 'full' }],
    row.actor === null ? 'the bot' : [{ user: row.actor }],
    row.kind.replaceAll('_', ' '),
    row.text.slice(0, 200),
    row.operation ?? '',
  ];
}
