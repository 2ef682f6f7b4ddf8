import { z } from 'zod';
import { domainTarget } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import type { Drift, OurStep } from '../core/alert/alert-rule.ts';
import { defaultTtl, isSame, type RecordData, recordSchema, recordText, ttlOf } from '../core/dns/record.ts';
import { sayDifference } from '../core/dns/zone-diff.ts';
import { differenceOf, recordsIn, versionLine, versionLines } from '../core/dns/zone-version.ts';
import { hashOf, type Json } from '../core/text/json.ts';
import { minute } from '../core/text/words.ts';
import { defineAlert, endOfChange, warning } from './define-alert.ts';

/** Records without their ids, since a record that is removed and added again gets another id. */
const zoneSchema = z.array(z.string());

export const zone = defineAlert({
  name: 'zone',
  title: 'A zone was changed by hand',
  many: (n) => `${n} zones were changed by hand`,
  everyMs: 5 * minute,
  fires: 'the records changed, and the bot did not write the change',
  clears: 'the records are restored, requests here that are done wrote them, or a person keeps the change',
  read: async ({ account, isWatched, drift }) => {
    const all = await account();
    const { domains, unread } = all;
    if (unread.includes('domains')) return undefined;
    const watched = domains.filter((domain) => isWatched(domainTarget(domain)));
    const names = new Set(watched.map((domain) => domain.name));
    const records = new Map(watched.map((domain) => [domain.name, domain.records] as const));
    const seen = watched.map((domain) => ({
      key: domain.name,
      value: versionLines(domain.records.map(withTtl)),
      target: domainTarget(domain),
    }));
    const drifts = await drift('zone', seen, {
      ours: (usual, step, { key, value }) => zoneAfter(usual, step, value, records.get(key) ?? []),
    });
    return { account: all, drifts: drifts.filter(({ key }) => names.has(key)), seen };
  },
  find: ({ drifts }) => drifts.map(findingOf),
  calm: (cause, facts, open) =>
    endOfChange(facts, open, (_, isMeantToBe) =>
      isMeantToBe ? { over: `${cause}: its records are meant to be so` } : `${cause}: its records are as expected`,
    ),
  sample: (now) =>
    findingOf({
      key: 'example.com',
      usual: [lineOf({ host: 'www', type: 'A', value: '192.0.2.10', prio: null, ttl: null })],
      value: [lineOf({ host: 'www', type: 'A', value: '192.0.2.66', prio: null, ttl: null })],
      since: now,
    }),
});

/** The changes that the message names; `alerts show` has all. */
const mostSaid = 4;

/** The step of every command that writes records. */
const stepSchema = z.object({ before: recordSchema.optional(), after: recordSchema.optional() });
const wholeZone: readonly string[] = ['dns domain-add', 'dns domain-remove'];

/** The expected lines after a step of the bot. A step that is not settled may or may not have taken effect. */
function zoneAfter(usual: Json, { command, data, isSettled }: OurStep, value: Json, records: readonly RecordData[]) {
  if (wholeZone.includes(command)) return value;
  const step = stepSchema.safeParse(data).data;
  const lines = zoneSchema.safeParse(usual).data;
  const seen = zoneSchema.safeParse(value).data;
  if (step === undefined || lines === undefined || seen === undefined) return usual;
  const { before, after } = step;
  const expected = new Set(lines);
  if (before !== undefined) {
    const line = lineOf(before);
    if (isSettled || !seen.includes(line)) expected.delete(line);
  }
  if (after !== undefined) {
    // The provider may spell the record differently.
    const line = lineOf(records.find((record) => isSame(record, after)) ?? after);
    if (isSettled || seen.includes(line)) expected.add(line);
  }
  return [...expected].sort();
}

/** A record without a ttl may be stored with the documented default, which is unverified. */
function withTtl(record: RecordData): RecordData {
  return { ...record, ttl: ttlOf(record) };
}

function lineOf(record: RecordData): string {
  return versionLine(withTtl(record));
}

/** `www A 192.0.2.10 ttl 300` */
function shown(record: RecordData): string {
  return `${recordText(record)}${record.ttl === defaultTtl ? '' : ` ttl ${record.ttl}`}`;
}

function findingOf({ key, usual, value, since }: Drift): Finding {
  const before = zoneSchema.catch([]).parse(usual);
  const after = zoneSchema.catch([]).parse(value);
  const difference = recordsIn(differenceOf(before, after));
  const lines = [
    ...difference.removed.map((record) => ({ sign: '−', text: shown(record) }) as const),
    ...difference.added.map((record) => ({ sign: '+', text: shown(record) }) as const),
  ];
  const words = sayDifference(difference, mostSaid);
  return {
    cause: key,
    target: domainTarget({ name: key }),
    title: `${key} was changed by hand`,
    lines: [[`${words} · noticed `, { date: since, style: 'full' }, ' · no completed request here wrote it']],
    ...warning,
    offers: [
      { label: 'Show zone diff', line: 'alerts show $alert' },
      { label: 'Put back', line: `dns restore ${key} expected` },
    ],
    rightAs: {
      label: 'Keep',
      ended: 'Kept as changed',
      isInOpen: true,
      capability: 'dns',
      kind: 'zone',
      key,
      seen: hashOf(value),
    },
    details: [{ kind: 'diff', lines: lines.slice(0, 200) }],
  };
}
