import { type Order, orderTarget, unreadableTarget } from '../../core/account/account.ts';
import { planGb } from '../../core/account/plan-size.ts';
import { searched } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import type { Bucket } from '../../provider/endpoints/s3.ts';
import { findItem } from '../catalog/find.ts';

export const bucketArg = searched({
  hint: 'A bucket, by name or order id.',
  source: 'buckets',
  example: 'Media bucket',
  place: 'rest',
});

export type SeenBucket = ReturnType<typeof seen>;

/** Every bucket that this person may read. */
export async function bucketsSeen({ reader, account, may }: ReadContext<Reader>) {
  const [buckets, { orders }] = await Promise.all([reader.s3.list(), account()]);
  return {
    buckets: buckets.map((bucket) => seen(bucket, orders)).filter(({ target }) => may('read', target)),
    unreadable: buckets.unreadable.filter(({ id }) => may('read', unreadableTarget({ kind: 'order', id }))),
  };
}

/** Finds one bucket and reads it again. */
export async function bucketNamed(word: string, context: ReadContext<Reader>): Promise<SeenBucket> {
  const { buckets } = await bucketsSeen(context);
  const items = buckets.map((entry) => ({ id: entry.bucket.id, name: nameOf(entry.bucket), entry }));
  if (items.length === 0) {
    throw new Refusal('not_found', 'There is no bucket that you may see here.', {
      hint: 'See /host s3 list.',
      field: 'bucket',
    });
  }
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
export function sayUsed({ bucket, sizeGb }: SeenBucket): string {
  const used = `${bucket.space_used} GB`;
  return sizeGb === undefined ? used : `${used} of ${sizeGb} GB (${Math.floor((bucket.space_used / sizeGb) * 100)} %)`;
}
