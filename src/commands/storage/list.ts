import { count, monthly } from '../../core/text/words.ts';
import type { Row } from '../../core/view/view.ts';
import { buttonRow, menuPart, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { pinMark } from '../pin-mark.ts';
import { sayStatus } from '../servers/power.ts';
import { leftOutItems } from '../unreadable.ts';
import { bucketsSeen, nameOf, type SeenBucket, sayUsed } from './buckets.ts';

export const s3List = defineQuery({
  path: 's3 list',
  title: 'Object storage',
  summary: 'List the object storage of the account with the space used',
  examples: ['s3 list', 's3 list page:1'],
  args: { page },
  capability: 'read',
  visibility: 'money',
  run: async ({ page }, context) => {
    const [{ buckets, unreadable }, currency, pinOf] = await Promise.all([
      bucketsSeen(context),
      context.currency(),
      context.bot.pins(),
    ]);
    const odd = leftOutItems(unreadable, 'bucket');
    if (buckets.length === 0) {
      const none = `There is no ${odd.length > 0 ? 'other ' : ''}object storage that you may see here.`;
      return { summary: none, parts: [...odd, { kind: 'text', text: none }] };
    }
    const sorted = buckets.toSorted((a, b) =>
      nameOf(a.bucket).localeCompare(nameOf(b.bucket), 'en', { numeric: true }),
    );
    const row = (seen: SeenBucket) => rowOf(seen, currency, pinMark(pinOf, seen.target));
    const shown = paged(sorted, page, { row, lineOf: (to) => `s3 list page:${to}` });
    const totals = count(buckets.length, 'bucket');
    return {
      summary: totals,
      parts: [
        ...odd,
        {
          kind: 'table',
          columns: [{ name: 'Name' }, { name: 'Used' }, { name: 'Status' }],
          rows: shown.rows.map(row),
        },
        ...menuPart(
          'Show one in full',
          shown.rows.map(({ bucket }) => runButton(nameOf(bucket), `s3 show ${bucket.id}`)),
        ),
        { kind: 'context', text: `${totals}${shown.note} · GB is very likely the unit: the API does not say` },
        ...buttonRow(shown.buttons),
      ],
      ...shown.more,
    };
  },
});

function rowOf(seen: SeenBucket, currency: string | undefined, mark: string): Row {
  const { bucket } = seen;
  return [
    `${nameOf(bucket)}${mark}`,
    sayUsed(seen),
    `${bucket.status === '' ? 'unknown' : sayStatus(bucket.status)} · ${monthly(bucket.cost_month, currency)}`,
  ];
}
