import { z } from 'zod';
import { option, text, type ValuesOf, words } from '../../core/command/args.ts';
import { readHost } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import type { KnownRecord, RecordData, RecordType } from '../../core/dns/record.ts';
import { defaultTtl, fullName, identityOf, isSame, isWritable, recordText, usesPrio } from '../../core/dns/record.ts';
import { changesTo, mustFit, type ZoneChange } from '../../core/dns/zone-diff.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { firstFew } from '../../core/text/words.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { describe, readZone, recordAction, unwritable } from './changes.ts';
import { host, prio, recordArgs, recordsOf, ttl, type, value, valuesOf, withAddress } from './fields.ts';
import { editLine, findRecords, isThere, shortText, twinOf } from './named-records.ts';
import { planRecords } from './record-plan.ts';

export const dnsAdd = defineAction({
  ...recordAction,
  path: 'dns add',
  words: `add · create · put · make · new | record · dns · txt · cname · mx · aaaa · a record · subdomain · dns
    entry · entry · spf · name | dns new · dns create · new record · extra record · extra entry · additional aaaa`,
  title: 'Add a DNS record',
  summary: 'Add a record to a domain',
  examples: [
    'dns add example.com beta A 192.0.2.10 ttl=300',
    'dns add example.com @ TXT "google-site-verification=abc"',
  ],
  args: recordArgs,
  fillIn: withAddress,
  plan: async ({ domain, ttl, prio, ...typed }, context) => {
    const { name } = domain;
    const { type } = typed;
    const host = readHost(typed.host, name, type);
    const zone = await readZone(context.reader, name);
    const wanted = valuesOf('add', { ...typed, domain: name, host, ttl }).map((value): RecordData => {
      const read = readValue(type, value, name, { typed: prio, kept: null });
      return { host, type, ...read, ttl: ttl ?? defaultTtl };
    });
    const changes = eachOnce(wanted)
      .filter((after) => !isThere(after, ttl, zone, name))
      .map((after): ZoneChange => ({ do: 'add', after }));
    await mustFit(changes, zone, name);
    const [twin] = wanted.flatMap((after) => twinOf(zone, after) ?? []);
    const same = `${name} has ${twin === undefined ? 'it' : describe(twin)} already.`;
    return planRecords([{ domain, zone, changes }], { same }, context);
  },
});

export const dnsSet = defineAction({
  ...recordAction,
  path: 'dns set',
  words: `set · point · change · move · switch · redirect · lead · upsert | record · dns · entry · cname · txt ·
    mx · name | update to · point to · point at · lead to · dns point · should be · must go · must point · leads
    to · goes to ip`,
  title: 'Set a DNS record',
  summary: 'Create or replace a record',
  examples: ['dns set example.com www A 192.0.2.11 ttl=300', 'dns set example.com www A 192.0.2.10 192.0.2.11'],
  args: recordArgs,
  fillIn: withAddress,
  plan: async ({ domain, ttl, prio, ...typed }, context) => {
    const { name } = domain;
    const { type } = typed;
    const host = readHost(typed.host, name, type);
    const zone = await readZone(context.reader, name);
    const current = zone.filter((record) => record.host === host && record.type === type);
    const [present] = current;
    const wanted = valuesOf('set', { ...typed, domain: name, host, ttl }).map((value): RecordData => {
      const read = readValue(type, value, name, { typed: prio, kept: present?.prio ?? null });
      const like = twinOf(current, { host, type, value: read.value }) ?? present;
      return { host, type, ...read, ttl: ttl ?? like?.ttl ?? null };
    });
    const [after] = wanted;
    if (after === undefined) throw new Refusal('bad_value', 'The value is missing.', { field: 'value' });
    const isOne = wanted.length === 1;
    const changing = (label: string, record: (typeof zone)[number]) => {
      return { label, command: editLine(name, record, { ...after, ttl: ttl ?? record.ttl }) };
    };
    if (isOne && current.length > 1) {
      const text = `${fullName(host, name)} has ${current.length} ${type} records: ${firstFew(current, 8, shortText)}.`;
      const hint = 'Say which one should become this, or add it beside them with dns add.';
      const suggestions = current.slice(0, 4).map((record) => changing(`Change ${shortText(record)}`, record));
      throw new Refusal('ambiguous', text, { hint, suggestions, field: 'host' });
    }
    const changes = await changesTo(eachOnce(wanted), { domain, zone, current, keep: false });
    const cname = zone.find((record) => record.host === host && record.type === 'CNAME' && record !== present);
    if (isOne && cname !== undefined) {
      const text = `${recordText(cname)} is there, and a CNAME must be the only record of its name.`;
      const hint = `Change that record into ${type} ${after.value}, if nothing else needs it.`;
      throw badValue(text, hint, 'host', changing('Change it', cname));
    }
    await mustFit(changes, zone, name);
    const same = `${name} has ${isOne && present !== undefined ? describe(present) : 'these records'} already.`;
    return planRecords([{ domain, zone, changes }], { same }, context);
  },
});

function eachOnce(records: readonly RecordData[]): RecordData[] {
  return [...new Map(records.map((record) => [identityOf(record), record])).values()];
}

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
