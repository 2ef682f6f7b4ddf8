import { z } from 'zod';
import { defineAction } from '../define.ts';
import { bucketArg, bucketNamed, nameOf } from './buckets.ts';

export const s3Secret = defineAction({
  path: 's3 secret',
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
