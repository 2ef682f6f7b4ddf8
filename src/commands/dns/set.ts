import { readHost } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import { defaultTtl, fullName, identityOf, type RecordData, recordText } from '../../core/dns/record.ts';
import { changesTo, mustFit, type ZoneChange } from '../../core/dns/zone-diff.ts';
import { firstFew } from '../../core/text/words.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { describe, readZone, recordAction } from './changes.ts';
import { recordArgs, valuesOf, withAddress } from './fields.ts';
import { editLine, isThere, shortText, twinOf } from './named-records.ts';
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
