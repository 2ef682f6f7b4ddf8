import { sayStatus } from '../../core/account/trouble.ts';
import { byNumbers, count, monthly } from '../../core/text/words.ts';
import { runButton } from '../../core/view/view.ts';
import { leftOutItems } from '../left-out.ts';
import { defineList } from '../list.ts';
import { protectionMark } from '../protection-mark.ts';
import { bucketsSeen, nameOf, sayUsed } from './buckets.ts';

export const s3List = defineList({
  path: 's3 list',
  title: 'Object storage',
  summary: 'List the object storage of the account with the space used',
  examples: ['s3 list', 's3 list page:1'],
  args: {},
  capability: 'read',
  visibility: 'money',
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
