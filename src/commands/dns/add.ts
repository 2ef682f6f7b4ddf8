import { mustFit } from '../../core/dns/beside.ts';
import { readHost } from '../../core/dns/names.ts';
import { defaultTtl, isSame, type RecordData, recordText, ttlOf } from '../../core/dns/record.ts';
import { readValue } from '../../core/dns/values.ts';
import { Refusal } from '../../core/errors.ts';
import { defineAction } from '../define.ts';
import { changeStep, describe, done, execute, readZone, sameRecord, verify } from './changes.ts';
import { editLine } from './edit-line.ts';
import { recordArgs } from './fields.ts';
import { twinOf } from './named-records.ts';
import { nothingToDo, planRecords } from './record-plan.ts';

export const dnsAdd = defineAction({
  path: 'dns add',
  summary: 'Add a record to a domain',
  examples: [
    'dns add example.com beta A 192.0.2.10 ttl=300',
    'dns add example.com @ TXT "google-site-verification=abc"',
  ],
  alsoCalled: ['dns new', 'dns create'],
  args: recordArgs,
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  plan: async ({ domain, host, type, value, ttl, prio }, context) => {
    const after: RecordData = {
      host: readHost(host, domain.name, type),
      type,
      ...readValue(type, value, domain.name, { given: prio, kept: null }),
      ttl: ttl ?? defaultTtl,
    };
    const zone = await readZone(context.reader, domain.name);
    const twin = twinOf(zone, after);
    if (twin !== undefined) {
      if (isSame(twin, { ...after, ttl: ttl ?? ttlOf(twin) })) {
        return nothingToDo(domain, `${domain.name} has ${describe(twin)} already.`);
      }
      throw new Refusal('bad_value', `${domain.name} has ${recordText(twin)} already, with ttl ${ttlOf(twin)}.`, {
        hint: 'Change that one instead.',
        suggestions: [{ label: 'Change it', command: editLine(domain.name, twin, after) }],
        field: 'value',
      });
    }
    mustFit(after, zone, domain.name);
    return planRecords({ domain, zone, changes: [{ do: 'add', after }], risk: 'disruptive' }, context);
  },
  lookAgain: sameRecord,
  execute,
  verify,
  done,
});
