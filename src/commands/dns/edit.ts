import { z } from 'zod';
import { option, text, type ValuesOf, words } from '../../core/command/args.ts';
import { readHost } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import { isSame, isWritable, type KnownRecord, type RecordType, usesPrio } from '../../core/dns/record.ts';
import { mustFit, type ZoneChange } from '../../core/dns/zone-diff.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { badValue } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { describe, readZone, recordAction, unwritable } from './changes.ts';
import { host, prio, recordsOf, ttl, type, value } from './fields.ts';
import { editLine, findRecords, shortText } from './named-records.ts';
import { planRecords } from './record-plan.ts';

const fields = {
  host: option(host),
  type: option(type),
  value: option(value),
  ttl,
  // Without a chosen type, the record may be one with a prio.
  prio: { ...prio, isAsked: (raw: RawArgs) => raw.type === undefined || (prio.isAsked?.(raw) ?? true) },
};

export const dnsEdit = defineAction({
  ...recordAction,
  path: 'dns edit',
  words: `edit · update · modify · correct | record · dns entry | dns change · dns update · dns modify · change
    only ttl · change priority`,
  title: 'Change a DNS record',
  summary: 'Change fields of a record; the others stay',
  examples: ['dns edit example.com www A value=192.0.2.11', 'dns edit example.com blog CNAME ttl=5m'],
  args: {
    domain: recordsOf,
    record: text({ hint: 'Its id, or host and type, such as www A.', example: 'www A', place: 'rest' }),
    ...fields,
  },
  plan: async ({ domain, record: typed, ...changed }, context) => {
    const zone = await readZone(context.reader, domain.name);
    const records = findRecords([typed], zone, domain.name, changed.value === undefined);
    const [record] = records;
    if (record === undefined || records.length > 1)
      throw badValue('One record is edited at a time.', 'Name one.', 'record');
    if (Object.values(changed).every((value) => value === undefined)) {
      const edit = { label: 'Edit…', command: editLine(domain.name, record), isForm: true };
      const hint = 'Give host=, type=, value=, ttl= or prio=, or fill in the form.';
      throw badValue(`What should change in ${shortText(record)}?`, hint, undefined, edit);
    }
    if (!isWritable(record)) throw unwritable(record);
    const after = edited(record, changed, domain.name);
    const change: ZoneChange = { do: 'change', id: record.id, before: record, after };
    const changes = isSame(record, after) ? [] : [change];
    await mustFit(changes, zone, domain.name);
    const same = `${domain.name} has ${describe(record)} already.`;
    return planRecords([{ domain, zone, changes }], { same }, context);
  },
});

type Writable = KnownRecord & { readonly type: RecordType };

function edited(record: Writable, changes: ValuesOf<typeof fields>, domain: string) {
  const type = changes.type ?? record.type;
  const isOtherType = type !== record.type;
  // With another type, the value is validated again; an unchanged value is sent in the provider's spelling.
  const isTouched = changes.value !== undefined || isOtherType || changes.prio !== undefined;
  const read = isTouched
    ? readValue(type, changes.value ?? record.value, domain, {
        typed: changes.prio,
        kept: usesPrio(record.type) ? (record.prio ?? 0) : null,
      })
    : { value: record.value, prio: record.prio };
  const value = changes.value === undefined && !isOtherType ? record.value : read.value;
  return {
    host:
      changes.host === undefined && !isOtherType ? record.host : readHost(changes.host ?? record.host, domain, type),
    type,
    value,
    prio: read.prio,
    ttl: changes.ttl ?? record.ttl,
  };
}

export const dnsRemove = defineAction({
  ...recordAction,
  path: 'dns remove',
  words: `remove · delete · drop · del · rm · wipe | record · entry · dns · subdomain · dns entry · name | dns
    delete · dns rm · dns del · take entry out · record can go`,
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
