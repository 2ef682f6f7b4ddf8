import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import {
  type Arg,
  choice,
  flag,
  text as freeText,
  integer,
  optional,
  project,
  searched,
  withDefault,
  words,
} from '../../core/command/args.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { defined } from '../../core/text/defined.ts';
import { minute } from '../../core/text/words.ts';
import { type Text, text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { tagSchema } from '../orders/signed-tags.ts';
import { keysToInstall } from '../ssh-keys/keys.ts';
import { withoutStar } from '../without-star.ts';
import { beforeCreation, createdOrder, lookForOrder } from './created.ts';
import { costSoFar, filledLike, nothingToFillIn, planCreation } from './creation.ts';
import { creationBody } from './creation-parts.ts';
import { imageArgs, imageKinds } from './images.ts';

/** Pages that depend on earlier choices. */
const isSized = (raw: RawArgs) => raw.hardware?.[0] === 'sizes';
const skipped: Readonly<Record<number, (raw: RawArgs) => boolean>> = {
  1: (raw) => !isSized(raw),
  // An unticked box also has a value.
  4: (raw) => !['more', ...furtherNames].some((name) => !['', 'no'].includes(raw[name]?.[0] ?? '')),
};
const sizeNames = ['cpu', 'ram', 'disk', 'arch', 'frequency'];
const furtherNames = ['disk_class', 'bandwidth', 'services', 'private_network', 'placement', 'placement_group'];

type Size = Pick<Parameters<typeof integer>[0], 'alsoCalled' | 'label' | 'unit'> & { readonly of: string };

/** A whole number between the first and the last of the usual ones, which the form offers. */
function sized(usual: readonly number[], { of, ...size }: Size): Arg<number | undefined> {
  const { unit } = size;
  const [min = 1, max = 1] = [usual[0], usual.at(-1)];
  const hint = `Without a plan: ${min} to ${max} ${unit === undefined ? '' : `${unit} of `}${of}.`;
  const options = usual.map((value) => ({ value: String(value), label: [value, unit].join(' ').trim() }));
  return optional({ ...integer({ ...size, hint, min, max, place: 'option' }), widget: 'choice', options });
}

export const create = defineAction({
  path: 'create',
  title: 'Order a server',
  summary: 'Order a new server, paid from the balance',
  examples: [
    'create name=web-4 plan="Cloud NVMe 2" template="Debian 13" location=de',
    'create cpu=2 ram=4 disk=40 app=WordPress location=nl term=3 tags=web',
  ],
  args: {
    hardware: {
      ...optional(
        choice({
          of: ['plan', 'sizes'],
          labels: { plan: 'A ready-made plan', sizes: 'Own sizes' },
          hint: 'The next page asks for own sizes.',
          place: 'form',
        }),
      ),
      preset: 'plan',
    },
    plan: optional(
      searched({ hint: 'A plan, by name or id. Leave it empty for own sizes.', source: 'plans', place: 'option' }),
    ),
    cpu: sized([1, 2, 3, 4, 6, 8, 10, 12, 14, 16], { of: 'cores', label: 'Cores' }),
    ram: sized([2, 4, 6, 8, 12, 16, 24, 32], { of: 'memory', label: 'Memory', alsoCalled: ['mem'], unit: 'GB' }),
    disk: sized([20, 30, 40, 60, 80, 100, 120, 160, 200, 240, 300], { of: 'disk', unit: 'GB' }),
    arch: optional(
      choice({ of: ['x86_64', 'arm'], hint: 'Without a plan: the processor.', label: 'Processor', place: 'option' }),
    ),
    frequency: optional(
      freeText({
        hint: 'Without a plan: the minimum GHz, such as 3.1.',
        // The provider accepts at most one decimal.
        schema: z.string().regex(/^\d{1,2}(\.\d)?$/, 'a number of GHz with at most one decimal, such as 3.1'),
        place: 'option',
      }),
    ),
    ...imageArgs(),
    name: optional(
      freeText({
        hint: 'Display name, at most 25 characters.',
        example: 'web-4',
        schema: withoutStar(
          z.string().trim().min(1, 'a name that is not empty').max(25, 'a name of at most 25 characters'),
        ),
        place: 'option',
      }),
    ),
    location: searched({
      hint: 'Location: a country or its code.',
      example: 'de',
      alsoCalled: ['region', 'country', 'place'],
      source: 'locations',
      place: 'option',
    }),
    term: withDefault(
      choice({ of: ['1', '3', '6', '12'], hint: 'Billing term in months.', alsoCalled: ['months'], place: 'option' }),
      '1',
    ),
    more: {
      ...flag({ hint: 'Another disk, bandwidth, services, networks and placement.', label: 'More options' }),
      place: 'form',
    },
    disk_class: optional(
      searched({ hint: 'Another class of disk than the plan has.', source: 'disks', place: 'option' }),
    ),
    bandwidth: optional(
      integer({
        hint: 'More bandwidth than the plan has, in the unit of the location.',
        min: 1,
        max: 1_000_000,
        place: 'option',
      }),
    ),
    services: optional(
      words({
        hint: 'Extra services by id. For several of one, write 2x3: three of service 2.',
        example: '2',
        schema: z
          .string()
          .regex(/^\d{1,9}(x[1-9]\d{0,2})?$/i, 'ids such as 2, or 2x3 for three of it; see /host catalog services'),
        most: 20,
        place: 'option',
      }),
    ),
    tags: optional(
      words({ hint: 'Tags, with spaces between.', example: 'web prod', schema: tagSchema, most: 20, place: 'option' }),
    ),
    project: optional(project({ hint: 'The project it belongs to.', place: 'option' })),
    like: {
      ...optional(freeText({ hint: 'A server whose order fills in the form.', example: 'web-1', place: 'option' })),
      isTypedOnly: true,
    },
    ssh_keys: keysToInstall('Without it, no key is installed.'),
    private_network: flag({ hint: 'Connect it to the private network of the account.' }),
    placement: optional(
      choice({
        of: ['OPTIONAL', 'STRICT'],
        labels: { OPTIONAL: 'if possible', STRICT: 'or not at all' },
        hint: 'How strictly the placement group is kept.',
        place: 'option',
      }),
    ),
    placement_group: optional(
      integer({ hint: 'The id of a placement group.', min: 1, max: 2_147_483_647, place: 'option' }),
    ),
  },
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
  step: z.object({
    body: creationBody,
    /** Earlier orders that could be mistaken for the new one. */
    known: z.array(z.string()),
    /** The balance before the order; null if it could not be read. */
    balance: z.number().nullable(),
  }),
  plan: async ({ like, ...choices }, context) => {
    if (like !== undefined) throw nothingToFillIn;
    const { title, subject, effect, glance, details, facts, body, earlier, balance } = await planCreation(
      choices,
      context,
    );
    const label = body.name ?? 'a server without a name';
    return {
      title,
      subject,
      targets: [accountTarget],
      effect,
      ...defined({ glance }),
      details,
      facts,
      steps: [{ target: accountTarget, label, data: { body, known: earlier, balance } }],
      typedName: label,
    };
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
  done: ([step]) => {
    const order = z.object({ orderId: z.string() }).safeParse(step?.receipt?.data).data?.orderId;
    const name = step?.data.body.name;
    if (order === undefined) return { text: `${name ?? 'the server'} created` };
    return { text: name === undefined ? `${order} created` : `${name} created as ${order}` };
  },
});
