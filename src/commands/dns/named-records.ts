import {
  comparableValue,
  identityOf,
  type KnownRecord,
  recordText,
  recordTypes,
  relativeHost,
  usesPrio,
} from '../../core/dns/record.ts';
import { Refusal } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import { NotOne } from '../../core/not-one.ts';
import { firstFew } from '../../core/words.ts';

/** Finds the records that people mean: by id, or by host and type, and by value if that is not one record. */

export function findRecords(
  words: readonly string[],
  zone: readonly KnownRecord[],
  domain: string,
): readonly KnownRecord[] {
  const typed = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  const ids = typed.flatMap((word) => word.split(',')).filter((word) => word !== '');
  if (ids.length > 0 && ids.every((word) => /^#?\d+$/.test(word))) {
    return [...new Set(ids)].map((word) => byId(Number(word.replace('#', '')), zone, domain));
  }
  return [byName(typed, zone, domain)];
}

function byId(id: number, zone: readonly KnownRecord[], domain: string): KnownRecord {
  const found = zone.find((record) => record.id === id);
  if (found !== undefined) return found;
  throw missing(`${domain} has no record ${id}.`, domain);
}

function byName(
  [hostWord = '', typeWord = '', ...valueWords]: readonly string[],
  zone: readonly KnownRecord[],
  domain: string,
): KnownRecord {
  const host = relativeHost(hostWord, domain);
  const here = zone.filter((record) => record.host === host);
  const type = recordTypes.find((known) => known === typeWord.toUpperCase());
  if (typeWord !== '' && type === undefined) {
    const near = nearest(typeWord.toUpperCase(), recordTypes);
    throw new Refusal('bad_value', `\`${typeWord.slice(0, 40)}\` is no type of record.`, {
      hint: `${near ? `Did you mean ${near}? ` : ''}Name a record by its id, or by host and type: www A.`,
      field: 'record',
    });
  }
  const ofType = type === undefined ? here : here.filter((record) => record.type === type);
  const value = valueWords.join(' ');
  const found = value === '' ? ofType : ofType.filter((record) => isValue(record, value));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const asked = [host, type, value].filter(Boolean).join(' ');
  if (found.length > 1) {
    throw notOne('ambiguous', `${asked} is not one record of ${domain}: ${sayRecords(found)}.`, 'Which one?', found);
  }
  if (ofType.length > 0)
    throw notOne('not_found', `${domain} has no record ${asked}; it has ${sayRecords(ofType)}.`, '', ofType);
  if (here.length > 0)
    throw notOne('not_found', `${domain} has no record ${asked}; ${host} has ${sayRecords(here)}.`, '', here);
  const near = nearest(host, new Set(zone.map((record) => record.host)));
  throw missing(`${domain} has no record ${asked}.${near ? ` Did you mean ${near}?` : ''}`, domain);
}

function isValue(record: KnownRecord, value: string): boolean {
  const wanted = comparableValue(record.type, value);
  if (comparableValue(record.type, record.value) === wanted) return true;
  return usesPrio(record.type) && comparableValue(record.type, `${record.prio ?? 0} ${record.value}`) === wanted;
}

function sayRecords(records: readonly KnownRecord[]): string {
  return firstFew(records.map(shortText), 8);
}

export function shortText(record: KnownRecord): string {
  const said = recordText(record);
  return said.length > 60 ? `${said.slice(0, 59)}…` : said;
}

function notOne(
  reason: 'ambiguous' | 'not_found',
  text: string,
  hint: string,
  records: readonly KnownRecord[],
): NotOne {
  const candidates = records.slice(0, 5).map((record) => ({ label: shortText(record), values: [String(record.id)] }));
  const error = new NotOne(reason, text, hint, candidates);
  error.field = 'record';
  return error;
}

function missing(text: string, domain: string): Refusal {
  return new Refusal('not_found', text, { hint: `See /host dns list ${domain}.`, field: 'record' });
}

/** The record that is there already, when the wished one has its host, type and value. */
export function twinOf(
  zone: readonly KnownRecord[],
  wanted: Parameters<typeof identityOf>[0],
): KnownRecord | undefined {
  return zone.find((record) => identityOf(record) === identityOf(wanted));
}
