import { readHost } from '../../core/dns/names.ts';
import {
  defaultTtl,
  identityOf,
  isSame,
  type KnownRecord,
  mustFit,
  type RecordData,
  recordText,
  ttlText,
} from '../../core/dns/record.ts';
import { readValue } from '../../core/dns/values.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { changeStep, describe, done, execute, readZone, sameRecord, verify } from './changes.ts';
import { editLine } from './edit-line.ts';
import { recordArgs } from './fields.ts';
import { withAddress } from './fill-in.ts';
import { twinOf } from './named-records.ts';
import { nothingToDo, planRecords } from './record-plan.ts';
import { valuesOf } from './several.ts';

export const dnsAdd = defineAction({
  path: 'dns add',
  title: 'Add a DNS record',
  summary: 'Add a record to a domain',
  examples: [
    'dns add example.com beta A 192.0.2.10 ttl=300',
    'dns add example.com @ TXT "google-site-verification=abc"',
  ],
  args: recordArgs,
  fillIn: withAddress,
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  plan: async ({ domain, host: hostWord, type, value: words, ttl, prio, each }, context) => {
    const host = readHost(hostWord, domain.name, type);
    const zone = await readZone(context.reader, domain.name);
    const wanted = valuesOf({ verb: 'add', domain: domain.name, host, type, words, ttl, isEach: each }).map(
      (value): RecordData => ({
        host,
        type,
        ...readValue(type, value, domain.name, { typed: prio, kept: null }),
        ttl: ttl ?? defaultTtl,
      }),
    );
    const missing = [...new Map(wanted.map((after) => [identityOf(after), after])).values()].filter(
      (after) => !isThere(after, ttl, zone, domain.name),
    );
    const [first] = wanted;
    if (missing.length === 0 && first !== undefined) {
      const twin = twinOf(zone, first);
      return nothingToDo(domain, `${domain.name} has ${describe(twin ?? first)} already.`);
    }
    for (const after of missing) mustFit(after, zone, domain.name);
    const changes = missing.map((after): ZoneChange => ({ do: 'add', after }));
    return planRecords({ domain, zone, changes, risk: 'disruptive' }, context);
  },
  recheckTarget: sameRecord,
  execute,
  verify,
  done,
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
