import { z } from 'zod';
import { words } from '../../core/command/args.ts';
import { defineAction } from '../define.ts';
import { readZone, recordAction } from './changes.ts';
import { recordsOf } from './fields.ts';
import { findRecords } from './named-records.ts';
import { planRecords } from './record-plan.ts';

export const dnsRemove = defineAction({
  ...recordAction,
  path: 'dns remove',
  title: 'Remove DNS records',
  summary: 'Remove records from a domain',
  examples: ['dns remove example.com blog CNAME', 'dns remove example.com @ MX backup-mx.example.net'],
  args: {
    domain: recordsOf,
    record: {
      ...words({
        hint: 'Ids, or host and type (and value), such as blog CNAME.',
        example: 'blog CNAME',
        schema: z.string(),
        most: 50,
      }),
      // Kept as typed: a value may repeat words and contain commas.
      read: (words: readonly string[]) => words,
    },
  },
  risk: 'dangerous',
  plan: async ({ domain, record }, context) => {
    const zone = await readZone(context.reader, domain.name);
    const changes = findRecords(record, zone, domain.name).map(
      (before) => ({ do: 'remove', id: before.id, before }) as const,
    );
    return planRecords([{ domain, zone, changes }], { same: '', risk: 'dangerous' }, context);
  },
});
