import { readHost } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import {
  defaultTtl,
  identityOf,
  isSame,
  type KnownRecord,
  type RecordData,
  recordText,
  ttlText,
} from '../../core/dns/record.ts';
import { mustFit, type ZoneChange } from '../../core/dns/zone-diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { describe, readZone, recordAction } from './changes.ts';
import { recordArgs, valuesOf, withAddress } from './fields.ts';
import { editLine, twinOf } from './named-records.ts';
import { planRecords } from './record-plan.ts';

export const dnsAdd = defineAction({
  ...recordAction,
  path: 'dns add',
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
    const changes = [...new Map(wanted.map((after) => [identityOf(after), after])).values()]
      .filter((after) => !isThere(after, ttl, zone, name))
      .map((after): ZoneChange => ({ do: 'add', after }));
    mustFit(changes, zone, name);
    const [twin] = wanted.flatMap((after) => twinOf(zone, after) ?? []);
    const same = `${name} has ${twin === undefined ? 'it' : describe(twin)} already.`;
    return planRecords([{ domain, zone, changes }], { same }, context);
  },
});

/** True if the record exists. Refuses an existing record with another TTL, which would be a change. */
function isThere(after: RecordData, ttl: number | undefined, zone: readonly KnownRecord[], domain: string): boolean {
  const twin = twinOf(zone, after);
  if (twin === undefined) return false;
  const wanted = { ...after, ttl: ttl ?? twin.ttl };
  if (isSame(twin, wanted)) return true;
  throw new Refusal('bad_value', `${domain} has ${recordText(twin)} already, with ttl ${ttlText(twin)}.`, {
    hint: 'Change that one instead.',
    suggestions: [{ label: 'Change it', command: editLine(domain, twin, wanted) }],
    field: 'value',
  });
}
