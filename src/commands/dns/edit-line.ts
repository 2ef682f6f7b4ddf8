import { type KnownRecord, type RecordData, usesPrio } from '../../core/dns/record.ts';
import { quote, quoteValue } from '../../core/grammar/tokens.ts';

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
