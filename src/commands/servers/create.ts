import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import type { Receipt, Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { list, minute } from '../../core/text/words.ts';
import { badValue, ifReadable } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction, verdictOf } from '../define.ts';
import { costSoFar, filledLike, planCreation } from './creation.ts';
import { creationArgs } from './creation-args.ts';
import { creationBody } from './creation-parts.ts';
import { imageKinds } from './images.ts';
import { powerOf } from './see-servers.ts';

/** Pages that depend on earlier choices. */
const isSized = (raw: RawArgs) => raw.hardware?.[0] === 'sizes';
const skipped: Readonly<Record<number, (raw: RawArgs) => boolean>> = {
  1: (raw) => !isSized(raw),
  // An unticked box also has a value.
  4: (raw) => !['more', ...furtherNames].some((name) => !['', 'no'].includes(raw[name]?.[0] ?? '')),
};
const sizeNames = ['cpu', 'ram', 'disk', 'arch', 'frequency'];
const furtherNames = ['disk_class', 'bandwidth', 'services', 'private_network', 'placement', 'placement_group'];

const nothingToFillIn = '`like` fills in the form, and this line leaves nothing to fill in.';

const creationStep = z.object({
  body: creationBody,
  /** Earlier orders that could be mistaken for the new one. */
  known: z.array(z.string()),
  /** The balance before the order; null if it could not be read. */
  balance: z.number().nullable(),
});

export const create = defineAction({
  path: 'create',
  words: `create · order · buy · rent · new · need · get · provision · deploy | server · machine · vps · instance ·
    vm · droplet · computer | order server · order a server · order a new server · order new server · one more
    server · one more computer · new server · another server · spin up · instance create · order servers · order
    new servers · one server more · spin up another`,
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
    if (like !== undefined) throw badValue(nothingToFillIn, 'Leave out `like`, or the template.', 'like');
    const { body, label, ...plan } = await planCreation(choices, context);
    // The rest of the step is read right before the order.
    const data = { body, known: [], balance: null };
    return { ...plan, steps: [{ target: accountTarget, label, data }], typedName: label };
  },
  // Reads, right before the order, the data that distinguishes the new server from existing ones. The list is required:
  // without it, a lost response could not be resolved.
  recheckTarget: async ({ body }, { reader }) => {
    const [orders, balance] = await Promise.all([reader.vpsOrders.list(), ifReadable(reader.account.balance())]);
    const earlier = orders.filter((order) => order.name === (body.name ?? '')).map((order) => order.id);
    return { body, known: earlier, balance: balance?.balance ?? null };
  },
  execute: async ({ body }, { provider, creationWebhook }) => {
    const webhook = await creationWebhook?.();
    const { order_id } = await provider.vpsOrders.create({ ...body, ...defined({ webhook }) });
    return { text: `order ${order_id}`, data: { orderId: order_id } };
  },
  follow: () => ({ kind: 'until', action: 'create', timeoutMs: 30 * minute }),
  verify: async (_step, { reader }, receipt) => {
    const id = orderIn(receipt);
    if (id === undefined) return { is: 'unsure', text: 'the provider named no order' };
    const { status, ipaddress_set } = await reader.vpsOrders.read({ order_id: id });
    if (status === 'canceled' || status === 'blocked' || status === 'disabled')
      return { is: 'not', text: `order ${id} is ${status}: the server was not made`, isFinal: true };
    const power = status === 'active' ? await powerOf(reader, id) : 'unknown';
    const addresses = ipaddress_set.length === 0 ? '' : `, ${ipaddress_set.join(', ')}`;
    const isOn = status === 'active' && power === 'on';
    return verdictOf(isOn, `order ${id} is ${status}, and the power is ${power}${addresses}`);
  },
  // Resolves a lost response, for which only an order is proof: exactly one new order with the requested properties.
  // Without one, the balance shows whether something was paid.
  reconcile: async ({ body, known: earlier, balance }, { reader }) => {
    const tags = body.tags ?? [];
    const all = await reader.vpsOrders.list();
    const fresh = all.filter(
      (order) =>
        !earlier.includes(order.id) &&
        order.name === (body.name ?? '') &&
        order.status !== 'canceled' &&
        tags.every((tag) => order.tags.includes(tag)),
    );
    const called = body.name === undefined ? 'without a name' : `called ${body.name}`;
    const [only] = fresh;
    if (only !== undefined && fresh.length === 1)
      return { is: 'so', text: `order ${only.id} is there, new and ${called}: it is ${only.status}` };
    if (fresh.length > 1)
      return { is: 'unsure', text: `several new orders ${called} are there: ${list(fresh.map((order) => order.id))}` };
    const odd = all.unreadable.find(({ id }) => !earlier.includes(id));
    if (odd !== undefined) return { is: 'unsure', text: `order ${odd.id} is new, and what it is cannot be read` };
    return paidFor(`no new order ${called} is in the account`, balance, reader);
  },
  done: ([{ data, receipt }]) => {
    const order = orderIn(receipt);
    const { name } = data.body;
    if (order === undefined) return { text: `${name ?? 'the server'} created` };
    return { text: name === undefined ? `${order} created` : `${name} created as ${order}` };
  },
});

function orderIn(receipt: Receipt | undefined): string | undefined {
  return z.object({ orderId: z.string() }).safeParse(receipt?.data).data?.orderId;
}

async function paidFor(none: string, before: number | null, reader: Reader): Promise<Verdict> {
  const now = await ifReadable(reader.account.balance());
  if (now === undefined) return { is: 'unsure', text: `${none}, and the balance could not be read` };
  // A higher balance means that someone paid in, which may hide a payment.
  if (before !== null && now.balance === before)
    return { is: 'not', text: `${none}, and the balance is what it was right before` };
  const fall = before === null ? '' : `: it is ${now.balance < before ? 'lower' : 'higher'} than right before`;
  return { is: 'unsure', text: `${none}, yet the balance does not rule it out${fall}` };
}
