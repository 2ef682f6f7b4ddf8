import { type Account, orderTarget } from '../../core/account/account.ts';
import { statusText } from '../../core/account/trouble.ts';
import { count, monthly } from '../../core/text/words.ts';
import { buttonRow, dangerButton, dotted, fieldsPart, formButton, offered, runButton } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { type CommandContext, defineQuery, moneyRead } from '../define.ts';
import { protectionField } from '../protection-mark.ts';
import { dependsOn } from '../servers/see-servers.ts';
import { anyOrder, type FreshOrder, kindWord, readOrder } from './read-order.ts';

export const order = defineQuery({
  path: 'order',
  words: `| contract · contract detail · term · auto-renewal | when expire · when does expire · going to expire · is
    renewed · what costs · when does end · when does · when will · until when is · till when is · what does cost ·
    how much does · until when paid · when is paid · how many cost · how much cost · cost in month · when is due`,
  title: 'Show an order',
  summary: 'Show one order in full',
  examples: ['order web-1', 'order 375-13'],
  alsoSays: ['expire', 'end', 'renew', 'run', 'out', 'paid', 'cost'],
  args: { order: { ...anyOrder, place: 'rest' } },
  ...moneyRead,
  run: async ({ order: listed }, context) => {
    const [order, account, currency, hardware] = await Promise.all([
      readOrder(context.reader, listed),
      context.account(),
      context.currency(),
      hardwareOf[listed.kind](listed.id, context.reader),
    ]);
    return {
      summary: `${order.label} (${order.id}): ${statusText(order)}`,
      parts: [
        { kind: 'heading', text: order.label, aside: statusText(order) },
        ...fieldsPart([
          ['Order', `${order.id} · ${kindWord(order)}`],
          ['Plan', order.plan || 'None'],
          ['Hardware', hardware],
          ['Hostname', order.hostname ?? ''],
          ['Addresses', order.addresses.join(', ')],
          ['Reverse DNS', reverseNamesOf(order.id, account)],
          ['Costs', monthly(order.costMonth, currency)],
          ...dependsOn([order], account, context),
          ['Canceled', cancellation(order)],
          ['Tags', order.tags.join(', ') || 'None'],
          ['Project', order.project?.name ?? 'None'],
          ['Pin', await protectionField(context.bot, orderTarget(order))],
        ]),
        ...buttonsFor(order, context),
      ],
    };
  },
});

/** `192.0.2.10 → web-1.example.com`, a line for each address. */
function reverseNamesOf(id: string, { reverseNames }: Account): string {
  if (reverseNames === undefined) return 'Unknown: it could not be read.';
  return (reverseNames.get(id) ?? []).map(({ ip, name }) => `${ip} → ${name || 'none'}`).join('\n');
}

function cancellation(order: FreshOrder): string {
  if (order.status === 'canceled') return 'it is over';
  if (order.cancelMark === null) return 'unknown: the provider does not say whether it is marked';
  return order.cancelMark ? 'when its paid period ends' : '';
}

/** `2 cores of at least 2.4 GHz · 4 GB RAM · 40 GB disk · x86_64` */
async function serverHardware(id: string, reader: Reader) {
  const { configuration } = await reader.vpsOrders.read({ order_id: id });
  if (configuration === null) return '';
  const { cpu_count: cores, ram_size: ram, disk_size: disk, cpu_arch: arch, min_cpu_freq: frequency } = configuration;
  const atLeast = frequency === null ? '' : ` of at least ${frequency} GHz`;
  return dotted([
    cores === null ? '' : `${count(cores, 'core')}${atLeast}`,
    ram === null ? '' : `${ram} GB RAM`,
    disk === null ? '' : `${disk} GB disk`,
    arch ?? '',
  ]);
}

/** `Intel Xeon E3-1230 v6 · 4 cores · 32 GB RAM · 2 x 480 GB SSD` */
async function dedicatedHardware(id: string, reader: Reader) {
  const { configuration } = await reader.ds.read({ order_id: id });
  if (configuration === null) return '';
  const { cpu, cpu_count: cores, memory, disks } = configuration;
  return dotted([
    cpu,
    cores === null ? '' : count(cores, 'core'),
    memory === null ? '' : `${memory} GB RAM`,
    disks.replaceAll('\n', ', '),
  ]);
}

const hardwareOf = { vps: serverHardware, ds: dedicatedHardware, other: () => '' };

function buttonsFor(order: FreshOrder, { may }: CommandContext) {
  const target = orderTarget(order);
  if (order.status === 'canceled') return [];
  const mayOrganize = may('organize', target);
  return buttonRow(
    offered([
      [order.kind === 'vps', runButton('Status', `status ${order.id}`)],
      [order.kind === 'ds', runButton('Traffic', `ds traffic ${order.id}`)],
      [mayOrganize, formButton('Rename', `rename ${order.id}`)],
      [mayOrganize, formButton('Tag', `tag ${order.id}`)],
      [mayOrganize, formButton('Move', `move ${order.id}`)],
      [order.cancelMark === true && may('operate', target), runButton('Keep', `keep ${order.id}`)],
      [order.cancelMark !== true && may('destroy', target), dangerButton('End…', `cancel ${order.id}`)],
    ]),
  );
}
