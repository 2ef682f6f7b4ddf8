import { z } from 'zod';
import { bareId } from '../../core/account/bare-id.ts';
import { integer } from '../../core/command/args.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { verdictOf } from '../outcome.ts';
import { bucketArg, bucketNamed, nameOf, sayUsed } from './buckets.ts';

export const s3Threshold = defineAction({
  path: 's3 threshold',
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
