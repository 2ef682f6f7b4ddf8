import { choice, integer, order, withDefault } from '../../core/command/args.ts';
import { bytes, count } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { runButton, says, text } from '../../core/view/view.ts';
import { defineList } from '../list.ts';

export const dsTraffic = defineList({
  path: 'ds traffic',
  title: 'Traffic of a server',
  summary: 'Show the traffic of a port of a dedicated server in the last month or year',
  examples: ['ds traffic files-1', 'ds traffic files-1 year port:0'],
  args: {
    server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'] }),
    period: withDefault(choice({ hint: 'The last month, or the last year.', of: ['month', 'year'] }), 'month'),
    port: withDefault(integer({ hint: 'The network port, counted from 0.', min: 0, max: 255 }), 0),
  },
  capability: 'read',
  visibility: 'channel',
  list: async ({ server, period, port }, { reader }, show) => {
    const { data } = await reader.ds.traffic({ order_id: server.id, period, port });
    const days = data.map(([date, { input, output }]) => ({ date, input, output, total: input + output }));
    const sum = (key: 'input' | 'output' | 'total') => days.reduce((total, day) => total + day[key], 0);
    const where = `${server.label} · port ${port} · last ${period}`;
    const other = period === 'month' ? 'year' : 'month';
    const buttons = [
      runButton(`Last ${other}`, `ds traffic ${server.id} ${other} ${port}`),
      runButton('Limit', `ds limit ${server.id}`),
    ];
    if (sum('total') === 0) return says(`${where}: no traffic was counted.`, buttons);
    const peak = days.reduce((most, day) => (day.total > most.total ? day : most));
    const sums = `In ${bytes(sum('input'))} · out ${bytes(sum('output'))} · together ${bytes(sum('total'))}`;
    return show({
      // Newest first, since people ask about recent days.
      all: days.toReversed(),
      columns: [{ name: 'Date' }, { name: 'In · out', align: 'right' }, { name: 'Together', align: 'right' }],
      row: (day) => [sayDay(day.date), `${bytes(day.input)} · ${bytes(day.output)}`, bytes(day.total)],
      total: `${where}: ${sums}`,
      foot: (note) => `${count(days.length, 'row')}, the newest first${note}`,
      above: [
        { kind: 'heading', text: `Traffic of ${server.label}`, aside: `last ${period}, port ${port}` },
        { kind: 'text', text: sums },
        { kind: 'text', text: text(`Peak: ${bytes(peak.total)} on `, sayDay(peak.date)) },
      ],
      buttons,
    });
  },
});
