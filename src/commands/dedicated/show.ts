import { type Order, orderTarget } from '../../core/account/account.ts';
import { statusText } from '../../core/account/trouble.ts';
import { order as orderArg } from '../../core/command/args.ts';
import { count, monthly } from '../../core/text/words.ts';
import { buttonRow, fieldsWith, formButton, runButton, says, type View } from '../../core/view/view.ts';
import { openAlertsOn } from '../alerts/open-on.ts';
import { type CommandContext, defineQuery } from '../define.ts';
import { defineList } from '../list.ts';
import { orderList } from '../orders/list.ts';
import { freshOrder, inTroubleFirst } from '../orders/read-order.ts';
import { protectionField } from '../protection-mark.ts';
import { withReadAt } from '../read-at.ts';
import { dependsOn } from '../servers/see-servers.ts';

export const dsShow = defineQuery({
  path: 'ds show',
  words: `| dedicated server · hardware · spec · spec sheet · processor · raid | dedicated server show · what
    processor`,
  title: 'Dedicated server',
  summary: 'Show one dedicated server with its hardware',
  examples: ['ds show files-1', 'ds show 34-1000101'],
  args: { server: orderArg({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  capability: 'read',
  visibility: 'money',
  run: ({ server }, context) => dedicatedCard(server, context, true),
});

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
  const fields = fieldsWith([
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
  ]);
  return {
    summary: `${order.label} (${order.id}): ${statusText(order)}`,
    parts: [
      { kind: 'heading', text: order.label, aside: statusText(order) },
      ...(await openAlertsOn([order], context)),
      { kind: 'fields', fields },
      {
        kind: 'context',
        text: 'The provider’s API cannot start, stop or restart a dedicated server. Its own panel can.',
      },
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
  capability: 'read',
  visibility: 'money',
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
