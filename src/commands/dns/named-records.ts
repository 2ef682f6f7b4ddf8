import {
  comparableValue,
  identityOf,
  isSame,
  type KnownRecord,
  type RecordData,
  recordText,
  recordTypes,
  relativeHost,
  ttlText,
  usesPrio,
} from '../../core/dns/record.ts';
import { quote, quoteValue } from '../../core/grammar/tokens.ts';
import { type Candidate, NotOne } from '../../core/targets/not-one.ts';
import { firstFew, nearest, shortened } from '../../core/text/words.ts';
import { badValue, notFound } from '../../core/view/errors.ts';

/**
 * Finds records by id, or by host and type, and by value if several match. `isNew`: the value may be the record's new
 * value.
 */
export function findRecords(words: readonly string[], zone: readonly KnownRecord[], domain: string, isNew = false) {
  const typed = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  const ids = typed.flatMap((word) => word.split(',')).filter((word) => word !== '');
  if (ids.length > 0 && ids.every((word) => /^#?\d+$/.test(word))) {
    return [...new Set(ids)].map((word) => {
      const id = Number(word.replace('#', ''));
      const match = zone.find((record) => record.id === id);
      if (match !== undefined) return match;
      throw missing(`${domain} has no record ${id}.`, domain);
    });
  }
  return [byName(typed, zone, domain, isNew)];
}

function byName(typed: readonly string[], zone: readonly KnownRecord[], domain: string, isNew: boolean): KnownRecord {
  const [hostWord = '', typeWord = '', ...valueWords] = typed;
  const host = relativeHost(hostWord, domain);
  const here = zone.filter((record) => record.host === host);
  const type = recordTypes.find((candidate) => candidate === typeWord.toUpperCase());
  if (typeWord !== '' && type === undefined) {
    const near = nearest(typeWord.toUpperCase(), recordTypes);
    const hint = `${near ? `Did you mean ${near}? ` : ''}Name a record by its id, or by host and type: www A.`;
    throw badValue(`\`${typeWord.slice(0, 40)}\` is no type of record.`, hint, 'record');
  }
  const ofType = type === undefined ? here : here.filter((record) => record.type === type);
  const value = valueWords.join(' ');
  const matches = value === '' ? ofType : ofType.filter((record) => isValue(record, value));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const asked = [host, type, value].filter(Boolean).join(' ');
  if (matches.length > 1) {
    const candidates = matches.map((record) => candidate(record));
    const text = `${asked} is not one record of ${domain}: ${firstFew(matches, 8, shortText)}.`;
    throw notOne('ambiguous', text, 'Which one?', candidates);
  }
  if (here.length > 0) {
    const there = ofType.length > 0 ? ofType : here;
    const has = `${ofType.length > 0 ? 'it' : host} has ${firstFew(there, 8, shortText)}`;
    const newValue = isNew && ofType.length > 0 ? /^(?:to )?(\S+)$/i.exec(value)?.[1] : undefined;
    // A value that no record has may exclude the others: a button without it could change the wrong record.
    const offered = value === '' || newValue !== undefined ? there : [];
    const hint = isNew && value !== '' ? 'A new value is given as `value=…`.' : '';
    const candidates = offered.map((record) => candidate(record, newValue));
    throw notOne('not_found', `${domain} has no record ${asked}; ${has}.`, hint, candidates);
  }
  const near = nearest(host, new Set(zone.map((record) => record.host)));
  throw missing(`${domain} has no record ${asked}.${near ? ` Did you mean ${near}?` : ''}`, domain);
}

function isValue(record: KnownRecord, value: string): boolean {
  const wanted = comparableValue(record.type, value);
  if (comparableValue(record.type, record.value) === wanted) return true;
  return usesPrio(record.type) && comparableValue(record.type, `${record.prio ?? 0} ${record.value}`) === wanted;
}

export function shortText(record: KnownRecord): string {
  return shortened(recordText(record));
}

function candidate(record: KnownRecord, newValue?: string): Candidate {
  const option = { label: shortText(record), values: [String(record.id)] };
  if (newValue === undefined) return option;
  return { ...option, label: `${option.label} → ${newValue}`, others: { value: [newValue] } };
}

function notOne(reason: 'ambiguous' | 'not_found', text: string, hint: string, candidates: readonly Candidate[]) {
  return Object.assign(new NotOne(reason, text, hint, candidates.slice(0, 5)), { field: 'record' });
}

function missing(text: string, domain: string) {
  return notFound(text, `See /host dns list ${domain}.`, 'record');
}

/** The existing record with the same host, type and value. */
export function twinOf(zone: readonly KnownRecord[], wanted: Parameters<typeof identityOf>[0]) {
  return zone.find((record) => identityOf(record) === identityOf(wanted));
}

/** True if the record exists. Refuses an existing record with another TTL, which would be a change. */
export function isThere(after: RecordData, ttl: number | undefined, zone: readonly KnownRecord[], domain: string) {
  const twin = twinOf(zone, after);
  if (twin === undefined) return false;
  const wanted = { ...after, ttl: ttl ?? twin.ttl };
  if (isSame(twin, wanted)) return true;
  const change = { label: 'Change it', command: editLine(domain, twin, wanted) };
  const text = `${domain} has ${recordText(twin)} already, with ttl ${ttlText(twin)}.`;
  throw badValue(text, 'Change that one instead.', 'value', change);
}

/** Buttons carry at most 1,900 characters. */
const longest = 1_800;

/** The line that changes a record into another, or that opens the form of the record. */
export function editLine(domain: string, record: KnownRecord, after: RecordData = record): string {
  const start = `dns edit ${quote(domain)} ${record.id}`;
  const fields = [
    `host=${quoteValue(after.host)}`,
    `type=${after.type}`,
    // A line without a ttl keeps the provider's default.
    ...(after.ttl === null ? [] : [`ttl=${after.ttl}`]),
    ...(usesPrio(after.type) ? [`prio=${after.prio ?? 0}`] : []),
  ];
  const line = [start, ...fields, `value=${quoteValue(after.value)}`].join(' ');
  return line.length <= longest ? line : [start, ...fields].join(' ');
}
