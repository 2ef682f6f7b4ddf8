import { list } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import { fullName, identityOf, type KnownRecord, type RecordData, recordText } from './record.ts';

/** Checks which records may coexist in a zone. */

/** Finds the records of a zone that can conflict with a record, without a look at each record of its name. */
export function createNeighbors<R extends RecordData>(records: readonly R[]) {
  const placed = new Map<string, Set<R>>();
  const keysOf = (record: RecordData) => {
    const keys = [`all ${record.host}`, `same ${identityOf(record)}`];
    return record.type === 'CNAME' ? [...keys, `CNAME ${record.host}`] : keys;
  };
  const add = (record: R) => {
    for (const key of keysOf(record)) placed.set(key, (placed.get(key) ?? new Set<R>()).add(record));
  };
  for (const record of records) add(record);
  return {
    add,
    remove: (record: R): void => {
      for (const key of keysOf(record)) placed.get(key)?.delete(record);
    },
    of: (record: RecordData): readonly R[] => {
      const keys =
        record.type === 'CNAME' ? [`all ${record.host}`] : [`same ${identityOf(record)}`, `CNAME ${record.host}`];
      return keys.flatMap((key) => [...(placed.get(key) ?? [])]);
    },
  };
}

/** Why a record cannot coexist with the others; undefined if it can. */
export function conflictOf<R extends RecordData>(
  record: RecordData,
  others: readonly R[],
  domain: string,
): { readonly text: string; readonly hint: string; readonly with: readonly R[] } | undefined {
  const name = fullName(record.host, domain);
  if (record.type === 'CNAME' && record.host === '@') {
    return {
      text: `${domain} itself cannot be a CNAME: it always has other records.`,
      hint: 'Give it A and AAAA records with the addresses instead; names below it, such as www, can be CNAMEs.',
      with: [],
    };
  }
  if (record.type === 'CNAME' && record.value.replace(/\.$/, '').toLowerCase() === name) {
    return { text: `${name} would point at itself.`, hint: 'Give the name it should point to.', with: [] };
  }
  const identity = identityOf(record);
  const here = others.filter((other) => other.host === record.host);
  const same = here.filter((other) => identityOf(other) === identity);
  if (same.length > 0) {
    return { text: `${recordText(record)} would be there twice.`, hint: 'Change the one that is there.', with: same };
  }
  const beside = record.type === 'CNAME' ? here : here.filter((other) => other.type === 'CNAME');
  if (beside.length === 0) return undefined;
  return {
    text:
      record.type === 'CNAME'
        ? `A CNAME must be the only record of its name, and ${name} has ${list(beside.slice(0, 4).map(recordText))}.`
        : `${name} is a CNAME (${beside[0]?.value ?? ''}), and a CNAME must be the only record of its name.`,
    hint: record.type === 'CNAME' ? 'Remove those first.' : 'Change the CNAME itself, or remove it first.',
    with: beside,
  };
}

export function mustFit(record: RecordData, others: readonly KnownRecord[], domain: string): void {
  const conflict = conflictOf(record, others, domain);
  if (conflict === undefined) return;
  const field = record.type === 'CNAME' && record.host === '@' ? 'host' : conflict.with.length === 0 ? 'value' : 'host';
  throw new Refusal('bad_value', conflict.text, { hint: conflict.hint, field });
}
