import { comparableValue, type RecordData, valueText } from './record.ts';

/** The answers that DNS should give from a zone. */

type Place = Pick<RecordData, 'host' | 'type'>;

/** The data of a record as answers are compared: `10 mail.example.com`, the text of TXT strings. */
export function answerData(record: Pick<RecordData, 'type' | 'value' | 'prio'>): string {
  return valueText({ ...record, value: comparableValue(record.type, record.value) });
}

/**
 * The records that a server of the zone answers for a host and a type: its own or, if the zone has neither the name nor
 * one below it, those of the wildcard of the closest name above (RFC 4592).
 */
export function answersFrom<R extends Place>(zone: readonly R[], host: string, type: string): readonly R[] {
  const owner = hasName(zone, host) ? host : wildcardFor(zone, host);
  return zone.filter((record) => record.host === owner && record.type === type);
}

function hasName(zone: readonly Pick<RecordData, 'host'>[], host: string): boolean {
  return host === '@' || zone.some((record) => record.host === host || record.host.endsWith(`.${host}`));
}

function wildcardFor(zone: readonly Pick<RecordData, 'host'>[], host: string): string {
  const labels = host.split('.');
  const above = labels.map((_, at) => labels.slice(at + 1).join('.')).filter((name) => name !== '');
  const closest = above.find((name) => hasName(zone, name));
  return closest === undefined ? '*' : `*.${closest}`;
}

/** True if the servers of the zone answer with a delegation instead of a record of this host and type. */
export function isDelegatedAway(zone: readonly Place[], host: string, type: string): boolean {
  const cuts = zone.filter((record) => record.type === 'NS' && record.host !== '@').map((record) => record.host);
  return cuts.some((cut) => host.endsWith(`.${cut}`) || (host === cut && type !== 'NS'));
}
