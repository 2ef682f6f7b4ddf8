import { bareId } from '../../core/account/bare-id.ts';
import { choice, integer, order, withDefault } from '../../core/command/args.ts';
import { bytes, count, day } from '../../core/text/words.ts';
import { parseProviderDate, sayDay } from '../../core/view/days.ts';
import { buttonRow, runButton, says, type Text, text, type ViewPart } from '../../core/view/view.ts';
import type { TrafficLimits } from '../../provider/endpoints/ds.ts';
import { defineQuery } from '../define.ts';
import { defineList } from '../list.ts';

export const dsTraffic = defineList({
  path: 'ds traffic',
  words: '| dedicated traffic · uplink · throughput | sent and received',
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

export const dsLimit = defineQuery({
  path: 'ds limit',
  words: '| traffic limit',
  title: 'Traffic limit',
  summary: 'Show how much of its traffic a dedicated server has used, and how long the rest lasts',
  examples: ['ds limit files-1', 'ds limit 34-1000102'],
  args: { server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  capability: 'read',
  visibility: 'channel',
  run: async ({ server }, { reader, now }) => {
    const limits = await reader.ds.trafficUsed({ order_id: bareId(server.id) });
    const { used: amount, limit, used_rate: rate } = limits;
    // Without a limit, the provider's own rate.
    const share = percent(limit > 0 ? amount / limit : rate);
    const used = `${share} used: ${bytes(amount)}${limit > 0 ? ` of ${bytes(limit)}` : ', no limit is given'}`;
    return {
      summary: `${server.label}: ${used}`,
      parts: [
        { kind: 'heading', text: `Traffic limit of ${server.label}`, aside: `${share} used` },
        { kind: 'text', text: used },
        outlook(limits, now),
        {
          kind: 'context',
          text: text('Counted from ', sayDay(limits.range_start), ' to ', sayDay(limits.range_end), '.'),
        },
        ...buttonRow([runButton('Per day', `ds traffic ${server.id}`)]),
      ],
    };
  },
});

/**
 * Says how long the traffic of the range lasts at its present rate. The dates are days without a time zone, so there is
 * no estimate before one whole day has passed.
 */
export function outlook({ used, limit, range_start, range_end }: TrafficLimits, now: number): ViewPart {
  const says = (text: string): ViewPart => ({ kind: 'text', text });
  const warns = (text: Text): ViewPart => ({ kind: 'notice', tone: 'warning', text });
  if (limit > 0 && used >= limit)
    return warns(text('The limit is used up; the next range begins on ', sayDay(range_end), '.'));
  const start = parseProviderDate(range_start)?.ms;
  const end = parseProviderDate(range_end)?.ms;
  if (limit <= 0 || start === undefined || end === undefined || end <= start)
    return says('The provider gives too little to say how long it lasts.');
  const elapsedMs = Math.min(now, end) - start;
  if (elapsedMs < day) return says('The range has just begun, so it is too early to say how long it lasts.');
  const atMs = start + (limit * elapsedMs) / used;
  if (used > 0 && atMs < end) {
    const days = Math.floor((end - atMs) / day);
    const before = days < 1 ? ', just before the range ends.' : `, ${count(days, 'day')} before the range ends.`;
    return warns(text('At this pace it runs out on ', { date: atMs, style: 'day' }, before));
  }
  const expected = (used * (end - start)) / elapsedMs;
  const amount = `about ${bytes(expected)} (${percent(expected / limit)})`;
  return says(`At this pace it lasts: ${amount} by the end of the range.`);
}

/** `85 %`; a small share is never rounded to 0 %. */
export function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? 'under 1 %' : `${Math.floor(value)} %`;
}
