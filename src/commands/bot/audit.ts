import { accountTarget } from '../../core/account.ts';
import { integer, optional, text, withDefault } from '../../core/args.ts';
import type { AuditLine } from '../../core/bot.ts';
import type { ReadContext } from '../../core/command.ts';
import { defined } from '../../core/defined.ts';
import { quoteValue } from '../../core/grammar/tokens.ts';
import { person } from '../../core/slack-args.ts';
import type { Text } from '../../core/view.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { mayKnow } from './may-know.ts';
import { oneNamed } from './one-named.ts';

export const audit = defineQuery({
  path: 'audit',
  summary: 'Show who requested, approved and did what in this channel',
  examples: ['audit', 'audit last=50'],
  alsoCalled: ['history', 'who did what'],
  args: {
    last: withDefault(integer({ place: 'option', hint: 'The number of rows.', min: 1, max: 80 }), 20),
    by: optional(person({ place: 'option', hint: 'Only what this person did.' })),
    request: optional(text({ place: 'option', hint: 'Only this request, by its id.' })),
    page,
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ last, by, request, page }, context) => {
    const { bot, channel } = context;
    const actor = by === undefined || /^[UW][A-Z0-9]{2,}$/.test(by) ? by : (await oneNamed(by, bot, 'by')).id;
    const all = await bot.audit({
      channel,
      limit: last,
      ...defined({ actor, operation: request }),
    });
    const rows = await knowable(all, context);
    const until = await bot.archivedUntil();
    const archived: Text =
      until === undefined
        ? ''
        : ['Older entries, from before ', { date: until, style: 'day' }, ', are in an archive; an admin can read it.'];
    if (rows.length === 0) {
      const nothing = until === undefined ? [] : [{ kind: 'context', text: archived } as const];
      return { summary: 'Nothing yet.', parts: [{ kind: 'text', text: 'No audit entries yet.' }, ...nothing] };
    }
    const lineOf = (to: number) =>
      ['audit', `last=${last}`, actor && `by=@${actor}`, request && `request=${quoteValue(request)}`, `page=${to}`]
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
        ...(until === undefined ? [] : [{ kind: 'context', text: archived } as const]),
        ...buttonRow(shown.buttons),
      ],
    };
  },
});

/** A row quotes what was typed: without a grant on all, people see their own and those of requests they may know. */
async function knowable(rows: readonly AuditLine[], context: ReadContext<unknown>): Promise<readonly AuditLine[]> {
  if (context.may('read', accountTarget)) return rows;
  const ids = [...new Set(rows.flatMap(({ operation }) => operation ?? []))];
  const operations = await Promise.all(ids.map((id) => context.bot.operation(id)));
  const known = new Set(operations.flatMap((one) => (one !== undefined && mayKnow(context)(one) ? [one.id] : [])));
  return rows.filter(({ actor, operation }) => actor === context.actor || (operation !== null && known.has(operation)));
}

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
