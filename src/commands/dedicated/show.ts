import { orderTarget } from '../../core/account.ts';
import { order } from '../../core/args.ts';
import type { Text } from '../../core/view.ts';
import { monthly } from '../../core/words.ts';
import { buttonRow, formButton, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { freshOrder, statusText } from '../orders/fresh.ts';
import { dependsOn } from '../servers/power.ts';

export const dsShow = defineQuery({
  path: 'ds show',
  title: 'Dedicated server',
  summary: 'Show one dedicated server with its hardware',
  examples: ['ds show files-1', 'ds show 34-1000101'],
  args: { server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  capability: 'read',
  visibility: 'money',
  run: async ({ server }, { reader, account, may, now }) => {
    const read = await reader.ds.read({ order_id: server.id });
    const order = freshOrder(read, { kind: 'ds' });
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
            // The unit of `bandwidth` is not documented: it is given as it comes.
            ['Bandwidth', withUnit('', configuration.bandwidth, '')],
            ['Network adapter', configuration.network_adapter],
          ];
    const fields: (readonly [string, Text])[] = [
      ['Order', order.id],
      ['Plan', order.plan],
      ['Hostname', order.hostname ?? ''],
      ['Addresses', order.addresses.join(', ')],
      ...hardware,
      ['Costs', monthly(order.costMonth)],
      ...dependsOn([order], await account(), { now, may }),
      ['Tags', order.tags.join(', ')],
      ['Project', order.project?.name ?? ''],
    ];
    return {
      summary: `${order.label} (${order.id}): ${statusText(order)}`,
      parts: [
        { kind: 'heading', text: order.label, aside: statusText(order) },
        { kind: 'fields', fields: fields.filter(([, value]) => value !== '') },
        {
          kind: 'context',
          text: 'The provider’s API cannot start, stop or restart a dedicated server. Its own panel can.',
        },
        ...buttonRow([
          runButton('Traffic', `ds traffic ${order.id}`),
          runButton('Limit', `ds limit ${order.id}`),
          ...(may('organize', orderTarget(order)) ? [formButton('Tag', `tag add ${order.id}`)] : []),
        ]),
      ],
    };
  },
});

function withUnit(word: string, n: number | null, unit: string): string {
  return [word, n === null ? '' : `${n} ${unit}`.trim()].filter((one) => one !== '').join(' · ');
}
