import { choice, integer, order, withDefault } from '../../core/command/args.ts';
import { bytes, count } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { type Row, text } from '../../core/view/view.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';

export const dsTraffic = defineQuery({
  path: 'ds traffic',
  title: 'Traffic of a server',
  summary: 'Show the traffic of a port of a dedicated server in the last month or year',
  examples: ['ds traffic files-1', 'ds traffic files-1 year port:0'],
  args: {
    server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'] }),
    period: withDefault(choice({ hint: 'The last month, or the last year.', of: ['month', 'year'] }), 'month'),
    port: withDefault(integer({ hint: 'The network port, counted from 0.', min: 0, max: 255 }), 0),
    page,
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ server, period, port, page }, { reader }) => {
    const { data } = await reader.ds.traffic({ order_id: server.id, period, port });
    const days = data.map(([date, { input, output }]) => ({ date, input, output, total: input + output }));
    const row = (day: (typeof days)[number]): Row => [
      sayDay(day.date),
      `${bytes(day.input)} · ${bytes(day.output)}`,
      bytes(day.total),
    ];
    const total = (key: 'input' | 'output' | 'total') => days.reduce((sum, day) => sum + day[key], 0);
    const where = `${server.label} · port ${port} · last ${period}`;
    const other = period === 'month' ? 'year' : 'month';
    const buttons = [
      runButton(`Last ${other}`, `ds traffic ${server.id} ${other} ${port}`),
      runButton('Limit', `ds limit ${server.id}`),
    ] as const;
    if (total('total') === 0) {
      const none = `${where}: no traffic was counted.`;
      return { summary: none, parts: [{ kind: 'text', text: none }, ...buttonRow(buttons)] };
    }
    const peak = days.reduce((most, day) => (day.total > most.total ? day : most));
    const lineFor = (to: number) => `ds traffic ${server.id} ${period} ${port} page:${to}`;
    // Newest first, since people ask about recent days.
    const shown = paged(days.toReversed(), page, { row, lineOf: lineFor });
    const sums = `In ${bytes(total('input'))} · out ${bytes(total('output'))} · together ${bytes(total('total'))}`;
    return {
      summary: `${where}: ${sums}`,
      parts: [
        { kind: 'heading', text: `Traffic of ${server.label}`, aside: `last ${period}, port ${port}` },
        { kind: 'text', text: sums },
        { kind: 'text', text: text(`Peak: ${bytes(peak.total)} on `, sayDay(peak.date)) },
        {
          kind: 'table',
          columns: [{ name: 'Date' }, { name: 'In · out', align: 'right' }, { name: 'Together', align: 'right' }],
          rows: shown.rows.map(row),
        },
        { kind: 'context', text: `${count(days.length, 'row')}, the newest first${shown.note}` },
        ...buttonRow([...shown.buttons, ...buttons]),
      ],
      ...shown.more,
    };
  },
});
