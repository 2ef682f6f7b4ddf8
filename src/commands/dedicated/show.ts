import { type Order, orderTarget } from '../../core/account/account.ts';
import { bareId } from '../../core/account/bare-id.ts';
import { statusText } from '../../core/account/trouble.ts';
import { choice, integer, order, order as orderArg, withDefault } from '../../core/command/args.ts';
import { bytes, count, day, monthly } from '../../core/text/words.ts';
import { parseProviderDate, sayDay } from '../../core/view/days.ts';
import { buttonRow, fieldsPart, formButton, runButton, says, text, type View } from '../../core/view/view.ts';
import type { TrafficLimits } from '../../provider/endpoints/orders.ts';
import { openAlertsOn } from '../alerts/list.ts';
import { type CommandContext, channelRead, defineList, defineQuery, moneyRead, withReadAt } from '../define.ts';
import { orderList } from '../orders/list.ts';
import { freshOrder, inTroubleFirst } from '../orders/read-order.ts';
import { protectionField } from '../protection-mark.ts';
import { dependsOn } from '../servers/see-servers.ts';

export const dsShow = defineQuery({
  path: 'ds show',
  words: `| dedicated server · hardware · spec · spec sheet · processor · raid | dedicated server show · what
    processor`,
  title: 'Dedicated server',
  summary: 'Show one dedicated server with its hardware',
  examples: ['ds show files-1', 'ds show 34-1000101'],
  args: { server: orderArg({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  ...moneyRead,
  run: ({ server }, context) => dedicatedCard(server, context, true),
});

const ownPanel = 'The provider’s API cannot start, stop or restart a dedicated server. Its own panel can.';

/** The card of one dedicated server with its hardware, read now. A card for the channel omits the cost. */
export async function dedicatedCard(server: Order, context: CommandContext, hasCosts = false): Promise<View> {
  const { reader, account, currency, may, now, bot } = context;
  const read = await reader.ds.read({ order_id: server.id });
  const order = freshOrder(read, 'ds');
  const { configuration } = read;
  const hardware: (readonly [string, string])[] =
    configuration === null
      ? [['Hardware', 'unknown: the provider does not describe it']]
      : [
          ['CPU', withUnit(configuration.cpu, configuration.cpu_count, 'cores')],
          ['Memory', withUnit('', configuration.memory, 'GB')],
          ['Disks', configuration.disks.replaceAll('\n', ', ')],
          ['RAID controller', configuration.raid_controller],
          ['Board', configuration.motherboard],
          ['Chassis', configuration.chassis],
          // The unit of `bandwidth` is not documented, so the value is shown unchanged.
          ['Bandwidth', withUnit('', configuration.bandwidth, '')],
          ['Network adapter', configuration.network_adapter],
        ];
  return {
    summary: `${order.label} (${order.id}): ${statusText(order)}`,
    parts: [
      { kind: 'heading', text: order.label, aside: statusText(order) },
      ...(await openAlertsOn([order], context)),
      ...fieldsPart([
        ['Order', order.id],
        ['Plan', order.plan],
        ['Hostname', order.hostname ?? ''],
        ['Addresses', order.addresses.join(', ')],
        ...hardware,
        ['Costs', hasCosts ? monthly(order.costMonth, await currency()) : ''],
        ...dependsOn([order], await account(), { now, may }),
        ['Tags', order.tags.join(', ')],
        ['Project', order.project?.name ?? ''],
        ['Pin', await protectionField(bot, orderTarget(order))],
      ]),
      { kind: 'context', text: ownPanel },
      ...buttonRow([
        runButton('Traffic', `ds traffic ${order.id}`),
        runButton('Limit', `ds limit ${order.id}`),
        ...(may('organize', orderTarget(order)) ? [formButton('Tag', `tag ${order.id}`)] : []),
      ]),
    ],
  };
}

function withUnit(word: string, n: number | null, unit: string): string {
  return [word, n === null ? '' : `${n} ${unit}`.trim()].filter((part) => part !== '').join(' · ');
}

export const dsList = defineList({
  path: 'ds list',
  words: `| dedicated server · dedicated · dedi · dedicated machine · bare-metal · physical server · physical
    machine | how many real machine · which dedicated machine`,
  title: 'Dedicated servers',
  summary: 'List the dedicated servers, with hardware and days paid',
  ...moneyRead,
  list: async (_, context, show) => {
    const { reader, may, now } = context;
    const servers = (await reader.ds.list()).map((server) => freshOrder(server, 'ds'));
    const own = servers.filter((server) => may('read', orderTarget(server)));
    const all = inTroubleFirst(own, now);
    if (all.length === 0) return says('There is no dedicated server that you may see here.');
    const active = all.filter((server) => server.status === 'active').length;
    const total = `${count(all.length, 'dedicated server')}: ${active} active${all.length === active ? '' : `, ${all.length - active} not`}`;
    return show({
      ...(await orderList(all, context)),
      total,
      foot: (note) => withReadAt(`${total}${note}`, now),
      buttons: [formButton('Traffic…', 'ds traffic')],
    });
  },
});

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
  ...channelRead,
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
  ...channelRead,
  run: async ({ server }, { reader, now }) => {
    const limits = await reader.ds.trafficUsed({ order_id: bareId(server.id) });
    const { used: amount, limit, used_rate: rate } = limits;
    // Without a limit, the provider's own rate.
    const share = percent(limit > 0 ? amount / limit : rate);
    const range = text('Counted from ', sayDay(limits.range_start), ' to ', sayDay(limits.range_end), '.');
    const used = `${share} used: ${bytes(amount)}${limit > 0 ? ` of ${bytes(limit)}` : ', no limit is given'}`;
    return {
      summary: `${server.label}: ${used}`,
      parts: [
        { kind: 'heading', text: `Traffic limit of ${server.label}`, aside: `${share} used` },
        { kind: 'text', text: used },
        outlook(limits, now),
        { kind: 'context', text: range },
        ...buttonRow([runButton('Per day', `ds traffic ${server.id}`)]),
      ],
    };
  },
});

/**
 * Says how long the traffic of the range lasts at its present rate. The dates are days without a time zone, so there is
 * no estimate before one whole day has passed.
 */
export function outlook({ used, limit, range_start, range_end }: TrafficLimits, now: number) {
  const says = (words: string) => ({ kind: 'text', text: words }) as const;
  const warns = (words: ReturnType<typeof text>) => ({ kind: 'notice', tone: 'warning', text: words }) as const;
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
