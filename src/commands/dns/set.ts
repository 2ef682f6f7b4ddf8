import { readHost } from '../../core/dns/names.ts';
import {
  defaultTtl,
  fullName,
  identityOf,
  isSame,
  type KnownRecord,
  mustFit,
  type RecordData,
  recordText,
} from '../../core/dns/record.ts';
import { readValue } from '../../core/dns/values.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import { firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { changeStep, describe, done, execute, readZone, sameRecord, verify } from './changes.ts';
import { editLine } from './edit-line.ts';
import { recordArgs } from './fields.ts';
import { withAddress } from './fill-in.ts';
import { shortText, twinOf } from './named-records.ts';
import { nothingToDo, planRecords } from './record-plan.ts';
import { valuesOf } from './several.ts';

export const dnsSet = defineAction({
  path: 'dns set',
  title: 'Set a DNS record',
  summary: 'Create or replace a record',
  examples: ['dns set example.com www A 192.0.2.11 ttl=300', 'dns set example.com www A 192.0.2.10 192.0.2.11'],
  args: recordArgs,
  fillIn: withAddress,
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  plan: async ({ domain, host: hostWord, type, value: words, ttl, prio, each }, context) => {
    const host = readHost(hostWord, domain.name, type);
    const zone = await readZone(context.reader, domain.name);
    const current = zone.filter((record) => record.host === host && record.type === type);
    const [present] = current;
    const typed = valuesOf({ verb: 'set', domain: domain.name, host, type, words, ttl, isEach: each });
    const wanted = typed.map((text): RecordData => {
      const { value, prio: read } = readValue(type, text, domain.name, { typed: prio, kept: present?.prio ?? null });
      const like = twinOf(current, { host, type, value }) ?? present;
      return { host, type, value, prio: read, ttl: ttl ?? (like === undefined ? defaultTtl : like.ttl) };
    });
    const [after] = wanted;
    if (after === undefined) throw new Refusal('bad_value', 'The value is missing.', { field: 'value' });
    if (wanted.length > 1) {
      const others = zone.filter((record) => !current.includes(record));
      for (const record of wanted) mustFit(record, others, domain.name);
      const changes = changesTo(current, wanted);
      if (changes.length === 0) return nothingToDo(domain, `${domain.name} has these records already.`);
      return planRecords({ domain, zone, changes, risk: 'disruptive' }, context);
    }
    if (current.length > 1) {
      throw new Refusal(
        'ambiguous',
        `${fullName(host, domain.name)} has ${current.length} ${type} records: ${firstFew(current, 8, shortText)}.`,
        {
          hint: 'Say which one should become this, or add it beside them with dns add.',
          suggestions: current.slice(0, 4).map((record) => ({
            label: `Change ${shortText(record)}`,
            command: editLine(domain.name, record, { ...after, ttl: ttl ?? record.ttl }),
          })),
          field: 'host',
        },
      );
    }
    if (present !== undefined && isSame(present, after)) {
      return nothingToDo(domain, `${domain.name} has ${describe(present)} already.`);
    }
    const others = zone.filter((record) => record.id !== present?.id);
    const cname = others.find((record) => record.host === host && record.type === 'CNAME');
    if (cname !== undefined) {
      throw new Refusal(
        'bad_value',
        `${recordText(cname)} is there, and a CNAME must be the only record of its name.`,
        {
          hint: `Change that record into ${type} ${after.value}, if nothing else needs it.`,
          suggestions: [
            { label: 'Change it', command: editLine(domain.name, cname, { ...after, ttl: ttl ?? cname.ttl }) },
          ],
          field: 'host',
        },
      );
    }
    mustFit(after, others, domain.name);
    const change: ZoneChange =
      present === undefined ? { do: 'add', after } : { do: 'change', id: present.id, before: present, after };
    return planRecords({ domain, zone, changes: [change], risk: 'disruptive' }, context);
  },
  recheckTarget: sameRecord,
  execute,
  verify,
  done,
});

/** The changes that make the records of a host and type exactly these; different records are paired one by one. */
function changesTo(current: readonly KnownRecord[], typed: readonly RecordData[]): ZoneChange[] {
  const wanted = [...new Map(typed.map((record) => [identityOf(record), record])).values()];
  const twin = (record: RecordData) => current.find((candidate) => identityOf(candidate) === identityOf(record));
  const kept = wanted.flatMap((after): ZoneChange[] => {
    const before = twin(after);
    return before === undefined || isSame(before, after) ? [] : [{ do: 'change', id: before.id, before, after }];
  });
  const fresh = wanted.filter((record) => twin(record) === undefined);
  const old = current.filter((candidate) => !wanted.some((record) => identityOf(record) === identityOf(candidate)));
  return [
    ...kept,
    ...fresh.map((after, at): ZoneChange => {
      const before = old[at];
      return before === undefined ? { do: 'add', after } : { do: 'change', id: before.id, before, after };
    }),
    ...old.slice(fresh.length).map((before): ZoneChange => ({ do: 'remove', id: before.id, before })),
  ];
}
