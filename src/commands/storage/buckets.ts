import { z } from 'zod';
import { type Order, orderTarget, unreadableTarget } from '../../core/account/account.ts';
import { bareId } from '../../core/account/bare-id.ts';
import { planGb } from '../../core/account/plan-size.ts';
import { sayStatus } from '../../core/account/trouble.ts';
import { integer, searched } from '../../core/command/args.ts';
import { byNumbers, count, monthly } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { notFound } from '../../core/view/errors.ts';
import { buttonRow, dotted, fieldsPart, formButton, runButton } from '../../core/view/view.ts';
import type { Bucket } from '../../provider/endpoints/orders.ts';
import { findItem } from '../catalog/find.ts';
import { type CommandContext, defineAction, defineList, defineQuery, moneyRead, verdictOf } from '../define.ts';
import { leftOutItems } from '../left-out.ts';
import { protectionField, protectionMark } from '../protection-mark.ts';

const bucketArg = searched({
  hint: 'A bucket, by name or order id.',
  source: 'buckets',
  example: 'Media bucket',
  place: 'rest',
});

type SeenBucket = ReturnType<typeof seen>;

async function bucketsSeen({ reader, account, may }: CommandContext) {
  const [buckets, { orders }] = await Promise.all([reader.s3.list(), account()]);
  return {
    buckets: buckets.map((bucket) => seen(bucket, orders)).filter(({ target }) => may('read', target)),
    unreadable: buckets.unreadable.filter(({ id }) => may('read', unreadableTarget({ kind: 'order', id }))),
  };
}

async function bucketNamed(word: string, context: CommandContext): Promise<SeenBucket> {
  const { buckets } = await bucketsSeen(context);
  const items = buckets.map((entry) => ({ id: entry.bucket.id, name: nameOf(entry.bucket), entry }));
  if (items.length === 0) throw notFound('There is no bucket that you may see here.', 'See /host s3 list.', 'bucket');
  const { entry } = findItem(word, items, { noun: 'bucket', field: 'bucket', see: 's3 list' });
  return { ...entry, bucket: await context.reader.s3.read({ order_id: entry.bucket.id }) };
}

function seen(bucket: Bucket, orders: readonly Order[]) {
  const order = orders.find((candidate) => candidate.id === bucket.id);
  const target = orderTarget(order ?? { ...bucket, label: nameOf(bucket) });
  // The API does not return the size; some plans have it in their name.
  return { bucket, target, sizeGb: planGb(order?.plan ?? '') };
}

export function nameOf(bucket: Bucket): string {
  return bucket.name || bucket.bucket_name || bucket.id;
}

/** `232 GB of 250 GB (93 %)` */
function sayUsed({ bucket, sizeGb }: SeenBucket): string {
  const used = `${bucket.space_used} GB`;
  return sizeGb === undefined ? used : `${used} of ${sizeGb} GB (${Math.floor((bucket.space_used / sizeGb) * 100)} %)`;
}

export const s3List = defineList({
  path: 's3 list',
  words: `| bucket · storage · s3 · volume · object storage | s3 ls · how full storage · how full · where are stored ·
    stored · space left · enough space · bucket space · place used · storage used · storage usage · storage inventory ·
    how much storage · s3 usage · s3 storage · bucket usage`,
  title: 'Object storage',
  summary: 'List the object storage of the account with the space used',
  ...moneyRead,
  list: async (_, context, show) => {
    const [{ buckets, unreadable }, currency, protectionOf] = await Promise.all([
      bucketsSeen(context),
      context.currency(),
      context.bot.protections(),
    ]);
    const odd = leftOutItems(unreadable, 'bucket');
    const total = count(buckets.length, 'bucket');
    return show({
      all: buckets.toSorted((a, b) => byNumbers(nameOf(a.bucket), nameOf(b.bucket))),
      columns: [{ name: 'Name' }, { name: 'Used' }, { name: 'Status' }],
      row: (seen) => [
        `${nameOf(seen.bucket)}${protectionMark(protectionOf, seen.target)}`,
        sayUsed(seen),
        `${sayStatus(seen.bucket.status) || 'unknown'} · ${monthly(seen.bucket.cost_month, currency)}`,
      ],
      none: `There is no ${odd.length > 0 ? 'other ' : ''}object storage that you may see here.`,
      total,
      foot: (note) => `${total}${note} · GB is very likely the unit: the API does not say`,
      above: odd,
      showOne: ({ bucket }) => runButton(nameOf(bucket), `s3 show ${bucket.id}`),
    });
  },
});

export const s3Show = defineQuery({
  path: 's3 show',
  words: '| bucket · endpoint · hostname · access key | bucket show',
  title: 'Show a bucket',
  summary: 'Show one bucket: space used, host name, access key',
  examples: ['s3 show "Media bucket"', 's3 show 664-2041'],
  args: { bucket: bucketArg },
  ...moneyRead,
  run: async ({ bucket: word }, context) => {
    const [seen, currency] = await Promise.all([bucketNamed(word, context), context.currency()]);
    const { bucket, target } = seen;
    const status = bucket.status === '' ? '' : ` · ${sayStatus(bucket.status)}`;
    return {
      summary: `${nameOf(bucket)}: ${sayUsed(seen)}`,
      parts: [
        { kind: 'heading', text: nameOf(bucket), aside: sayUsed(seen) },
        ...fieldsPart([
          ['Order', `${bucket.id}${status}${bucket.cancel_mark === true ? ', will be canceled' : ''}`],
          ['Used', sayUsed(seen)],
          ['Bucket', [{ code: bucket.bucket_name }]],
          ['Host', bucket.hostname ?? 'unknown'],
          ['Access key', [{ code: bucket.access_key }]],
          ['Secret key', 'Not shown here.'],
          ['Warning', 'The API does not say at which free space the provider warns.'],
          ['Price', bucket.cost_month === null ? 'unknown' : monthly(bucket.cost_month, currency)],
          ['Paid until', bucket.expiration_date === null ? 'Unknown' : sayDay(bucket.expiration_date)],
          ['Tags', bucket.tags.join(', ') || 'None'],
          ['Project', bucket.project?.name ?? 'None'],
          ['Pin', await protectionField(context.bot, target)],
        ]),
        ...buttonRow([
          ...(context.may('operate', target) ? [formButton('Warn at…', `s3 threshold ${bucket.id}`)] : []),
          ...(context.may('secrets', target) ? [runButton('Secret key', `s3 secret ${bucket.id}`)] : []),
          runButton('Order', `order ${bucket.id}`),
        ]),
      ],
    };
  },
});

export const s3Secret = defineAction({
  path: 's3 secret',
  words: `| s3 secret · s3 key · bucket secret · bucket key · secret key · secret access key · key secret · s3
    credential | secret key · secret access key · key secret · secret from · secret of · reveal credential · s3
    credential · bucket secret · storage key`,
  title: 'Show a secret key',
  summary: 'Show the secret key of a bucket once, only to the person who asks',
  examples: ['s3 secret "Media bucket"', 's3 secret 664-2041'],
  args: { bucket: bucketArg },
  capability: 'secrets',
  risk: 'dangerous',
  step: z.object({ id: z.string(), name: z.string() }),
  plan: async ({ bucket: word }, context) => {
    const { bucket, target } = await bucketNamed(word, context);
    const name = nameOf(bucket);
    return {
      title: `Show the secret key of ${name}`,
      subject: [[{ bold: name }, ` · ${bucket.id} · ${bucket.bucket_name}`]],
      effect: 'The key opens everything in the bucket, and the API cannot replace it.',
      glance: 'opens everything in the bucket · cannot be replaced · shown once, to the person who asks',
      details: [
        ['Shown', 'Once, in a direct message, only to the person who asks. It is stored nowhere else.'],
        ['Changed', 'Nothing. The key stays as it is.'],
      ],
      facts: { bucket: bucket.id, 'access key': bucket.access_key },
      steps: [{ target, label: name, data: { id: bucket.id, name } }],
    };
  },
  execute: async ({ id, name }, { provider }) => {
    const { secret_key } = await provider.s3.secretKey({ order_id: id });
    return { text: '', data: null, secret: { title: `The secret key of ${name}`, value: secret_key } };
  },
  verify: async (_step, _context, receipt) =>
    receipt === undefined
      ? { is: 'not', isFinal: true, text: 'the key was not read; nothing was changed, so ask again' }
      : { is: 'so', text: 'the key was read from the provider' },
  done: ([step]) => ({ text: `secret key of ${step.data.name} sent to the person who asked` }),
});

export const s3Threshold = defineAction({
  path: 's3 threshold',
  words: `| storage threshold · storage limit · low space · space limit · storage warning · space warning | low space
    limit · gb free · gb left`,
  title: 'Set a space warning',
  summary: 'Set the free space at which the provider warns; 0 switches the warning off',
  examples: ['s3 threshold "Media bucket" 20', 's3 threshold 664-2041 0'],
  args: {
    bucket: { ...bucketArg, place: 'word' },
    free: integer({
      hint: 'Free space in GB, or 0 for no warning.',
      label: 'Free GB',
      min: 0,
      max: 1_000_000,
      example: '20',
    }),
  },
  capability: 'operate',
  risk: 'routine',
  step: z.object({ id: z.string(), name: z.string(), freeGb: z.int() }),
  plan: async ({ bucket: word, free }, context) => {
    const seen = await bucketNamed(word, context);
    const { bucket, target, sizeGb } = seen;
    const name = nameOf(bucket);
    const isBelow = free > 0 && sizeGb !== undefined && sizeGb - bucket.space_used <= free;
    return {
      title: free === 0 ? `Switch off the space warning of ${name}` : `Warn when ${name} has ${free} GB left`,
      subject: [[{ bold: name }, ` · ${bucket.id} · ${sayUsed(seen)} used`]],
      effect:
        free === 0
          ? 'The provider no longer warns when space runs low.'
          : `The provider sends its own warning when ${free} GB or less are free. How it sends it is not documented.`,
      glance: dotted([
        `${sayUsed(seen)} used`,
        isBelow ? 'less than that is free already' : '',
        free === 0 ? 'the provider no longer warns' : 'the provider warns',
        'the threshold so far is unknown: no undo',
      ]),
      details: [
        ['So far', 'Unknown: the API does not return the threshold, so no button can undo this.'],
        ['Now', isBelow ? 'Less than that is free already.' : ''],
      ],
      facts: { bucket: bucket.id, name, 'warn at': free },
      steps: [{ target, label: name, data: { id: bucket.id, name, freeGb: free } }],
    };
  },
  execute: async ({ id, freeGb }, { provider }) => {
    const answer = await provider.s3.setThreshold({ order_id: bareId(id), space_warning_notify_gb: freeGb });
    return { text: '', data: { freeGb: answer.space_warning_notify_gb } };
  },
  // Only the response to the change contains the threshold.
  verify: async ({ freeGb }, _context, receipt) => {
    const answered = z.object({ freeGb: z.number() }).safeParse(receipt?.data).data?.freeGb;
    if (answered === undefined)
      return { is: 'unsure', isFinal: true, text: 'the threshold cannot be read; setting it again does no harm' };
    return { ...verdictOf(answered === freeGb, `the provider answered ${answered} GB`), isFinal: true };
  },
  done: ([{ data }]) => ({
    text:
      data.freeGb === 0 ? `space warning of ${data.name} switched off` : `${data.name} warns at ${data.freeGb} GB free`,
  }),
});
