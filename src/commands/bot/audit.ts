import { integer, optional, person, text, withDefault } from '../../core/args.ts';
import type { Text } from '../../core/view.ts';
import { defineQuery } from '../define.ts';

export const audit = defineQuery({
  path: 'audit',
  summary: 'Who asked, approved and did what in this channel',
  examples: ['audit', 'audit last=50'],
  args: {
    last: withDefault(integer({ place: 'option', hint: 'how many rows', min: 1, max: 80 }), 20),
    by: optional(person({ place: 'option', hint: 'only what this person did' })),
    request: optional(text({ place: 'option', hint: 'only this request, by its id' })),
  },
  capability: 'read',
  visibility: 'person',
  run: async ({ last, by, request }, { bot, channel }) => {
    const rows = await bot.audit({
      channel,
      limit: last,
      ...(by === undefined ? {} : { actor: by }),
      ...(request === undefined ? {} : { operation: request }),
    });
    if (rows.length === 0)
      return { summary: 'Nothing yet.', parts: [{ kind: 'text', text: 'Nothing has been written down here yet.' }] };
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
          rows: rows.map((row): Text[] => [
            String(row.seq),
            [{ date: row.at, style: 'full' }],
            row.actor === null ? 'the bot' : [{ user: row.actor }],
            row.kind.replaceAll('_', ' '),
            row.text.slice(0, 200),
            row.operation ?? '',
          ]),
        },
        { kind: 'context', text: 'newest first; the whole chain: hostler audit export, hostler audit verify' },
      ],
    };
  },
});
