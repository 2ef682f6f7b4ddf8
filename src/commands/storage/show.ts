import { sayStatus } from '../../core/account/trouble.ts';
import { monthly } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { buttonRow, fieldsWith, formButton, runButton } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { protectionField } from '../protection-mark.ts';
import { bucketArg, bucketNamed, nameOf, sayUsed } from './buckets.ts';

export const s3Show = defineQuery({
  path: 's3 show',
  title: 'Show a bucket',
  summary: 'Show one bucket: space used, host name, access key',
  examples: ['s3 show "Media bucket"', 's3 show 664-2041'],
  args: { bucket: bucketArg },
  capability: 'read',
  visibility: 'money',
  run: async ({ bucket: word }, context) => {
    const [seen, currency] = await Promise.all([bucketNamed(word, context), context.currency()]);
    const { bucket, target } = seen;
    const fields = fieldsWith([
      [
        'Order',
        `${bucket.id}${bucket.status === '' ? '' : ` · ${sayStatus(bucket.status)}`}${bucket.cancel_mark === true ? ', will be canceled' : ''}`,
      ],
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
    ]);
    return {
      summary: `${nameOf(bucket)}: ${sayUsed(seen)}`,
      parts: [
        { kind: 'heading', text: nameOf(bucket), aside: sayUsed(seen) },
        { kind: 'fields', fields },
        ...buttonRow([
          ...(context.may('operate', target) ? [formButton('Warn at…', `s3 threshold ${bucket.id}`)] : []),
          ...(context.may('secrets', target) ? [runButton('Secret key', `s3 secret ${bucket.id}`)] : []),
          runButton('Order', `order ${bucket.id}`),
        ]),
      ],
    };
  },
});
