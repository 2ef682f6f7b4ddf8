import { orderTarget, type Target } from '../core/account/account.ts';
import { planGb } from '../core/account/plan-size.ts';
import type { Finding } from '../core/alert/alert.ts';
import { hour } from '../core/text/words.ts';
import { defineAlert, type Gravity, gravityOf, leftAccount, sampleOrder, warning } from './define-alert.ts';

type Filled = Readonly<Record<'sizeGb' | 'usedGb', number>> & { readonly target: Target };

export const storageSpace = defineAlert({
  name: 's3-space',
  title: 'Object storage runs full',
  many: (n) => `${n} buckets run full`,
  everyMs: hour,
  fires: 'the used space is above the threshold',
  clears: 'less is used, or the bucket is gone',
  thresholds: { unit: 'percent', usual: [80, 95], isFalling: false, min: 1, max: 100, most: 5 },
  read: async ({ reader, names }) => {
    const [list, account] = await Promise.all([reader.s3.list(), names()]);
    const buckets = list.flatMap(({ id, space_used }) => {
      const order = account.orders.find((order) => order.id === id);
      const sizeGb = planGb(order?.plan ?? '');
      if (order === undefined || sizeGb === undefined) return [];
      return [{ target: orderTarget(order), usedGb: space_used, sizeGb }];
    });
    return { buckets, account };
  },
  find: ({ buckets }, at) =>
    buckets.flatMap((bucket) => {
      const gravity = gravityOf(at, (percent) => share(bucket) >= percent);
      return gravity === undefined ? [] : [findingOf(bucket, gravity)];
    }),
  calm: (cause, { buckets, account }, open) => {
    const bucket = buckets.find(({ target }) => target.id === cause);
    if (bucket === undefined) return leftAccount(account, open.target);
    return `${bucket.target.name} is ${Math.floor(share(bucket))} % full`;
  },
  sample: () =>
    findingOf(
      { target: { ...orderTarget(sampleOrder), id: '664-7', name: 'Media' }, usedGb: 232, sizeGb: 250 },
      warning,
    ),
});

const share = ({ usedGb, sizeGb }: Filled) => (usedGb / sizeGb) * 100;

function findingOf(bucket: Filled, gravity: Gravity): Finding {
  const { target, usedGb, sizeGb } = bucket;
  return {
    cause: target.id,
    target,
    title: `${target.name} is ${Math.floor(share(bucket))} % full`,
    lines: [`${target.id} · ${usedGb} of ${sizeGb} GB, by the name of its plan`],
    ...gravity,
    offers: [{ label: 'Show', line: `s3 show ${target.id}` }],
  };
}
