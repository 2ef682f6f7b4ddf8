import { accountTarget } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { defined } from '../../core/text/defined.ts';
import { minute } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { beforeCreation, createdOrder, creationStep, lookForOrder, orderIn } from './created.ts';
import { costSoFar, filledLike, nothingToFillIn, planCreation } from './creation.ts';
import { creationArgs } from './creation-args.ts';
import { imageKinds } from './images.ts';

/** Pages that depend on earlier choices. */
const isSized = (raw: RawArgs) => raw.hardware?.[0] === 'sizes';
const skipped: Readonly<Record<number, (raw: RawArgs) => boolean>> = {
  1: (raw) => !isSized(raw),
  // An unticked box also has a value.
  4: (raw) => !['more', ...furtherNames].some((name) => !['', 'no'].includes(raw[name]?.[0] ?? '')),
};
const sizeNames = ['cpu', 'ram', 'disk', 'arch', 'frequency'];
const furtherNames = ['disk_class', 'bandwidth', 'services', 'private_network', 'placement', 'placement_group'];

export const create = defineAction({
  path: 'create',
  title: 'Order a server',
  summary: 'Order a new server, paid from the balance',
  examples: [
    'create name=web-4 plan="Cloud NVMe 2" template="Debian 13" location=de',
    'create cpu=2 ram=4 disk=40 app=WordPress location=nl term=3 tags=web',
  ],
  args: creationArgs,
  pages: [
    ['hardware', 'plan'],
    sizeNames,
    ['template', 'app', 'snapshot'],
    ['name', 'location', 'term', 'tags', 'project', 'ssh_keys', 'more'],
    furtherNames,
  ],
  skips: (page, raw) => skipped[page]?.(raw) === true,
  fillIn: async (typed, context) => {
    const raw = await filledLike(typed, context);
    if (raw.plan !== undefined) return { ...raw, hardware: ['plan'] };
    return sizeNames.some((name) => raw[name] !== undefined) ? { ...raw, hardware: ['sizes'] } : raw;
  },
  soFar: costSoFar,
  preview: async (choices, context) => {
    const { title, details } = await planCreation(choices, context);
    return [[{ bold: title }], ...details.map(([label, value]): Text => text(`${label}: `, value))];
  },
  needs: [
    { of: ['plan', 'cpu', 'ram', 'disk', 'arch', 'frequency'], say: 'a plan, or cores, memory and disk' },
    { of: imageKinds, say: 'a template, an app or a snapshot' },
  ],
  capability: 'spend',
  isAccountWide: () => true,
  risk: 'dangerous',
  step: creationStep,
  plan: async ({ like, ...choices }, context) => {
    if (like !== undefined) throw nothingToFillIn;
    const { body, ...plan } = await planCreation(choices, context);
    const label = body.name ?? 'a server without a name';
    // The rest of the step is read right before the order.
    const data = { body, known: [], balance: null };
    return { ...plan, steps: [{ target: accountTarget, label, data }], typedName: label };
  },
  // Reads, right before the order, the data that distinguishes the new server from existing ones.
  recheckTarget: async ({ body }, { reader }) => ({ body, ...(await beforeCreation(body, reader)) }),
  execute: async ({ body }, { provider, creationWebhook }) => {
    const webhook = await creationWebhook?.();
    const { order_id } = await provider.vpsOrders.create({ ...body, ...defined({ webhook }) });
    return { text: `order ${order_id}`, data: { orderId: order_id } };
  },
  follow: () => ({ kind: 'until', action: 'create', timeoutMs: 30 * minute }),
  verify: (_, { reader }, receipt) => createdOrder(reader, receipt),
  reconcile: (step, { reader }) => lookForOrder(step, reader),
  done: ([{ data, receipt }]) => {
    const order = orderIn(receipt);
    const { name } = data.body;
    if (order === undefined) return { text: `${name ?? 'the server'} created` };
    return { text: name === undefined ? `${order} created` : `${name} created as ${order}` };
  },
});
