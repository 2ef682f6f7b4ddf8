import type { SimDnsEntry, SimDomain, SimRecordType } from './model.ts';
import { masterServer } from './nameservers.ts';
import { numbers } from './numbers.ts';

const characterStringMax = 255;

/** The domain's records as a BIND zone file. */
export function zoneFile(domain: SimDomain): string {
  const serial = Math.floor(domain.updatedAt / 1000);
  const entries = [...domain.entries.values()].sort(
    (a, b) => compare(a.host, b.host) || compare(a.type, b.type) || a.id - b.id,
  );
  const lines = [
    `$ORIGIN ${domain.name}.`,
    `$TTL ${numbers.zoneFileTtlSec}`,
    `@\t${numbers.ttlDefaultSec}\tIN\tSOA\t${masterServer}. hostmaster.${domain.name}. ${serial} 10800 3600 604800 3600`,
    ...entries.map(
      (entry) => `${entry.host || '@'}\t${entry.ttl ?? numbers.ttlDefaultSec}\tIN\t${entry.type}\t${recordData(entry)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const writers: Partial<Record<SimRecordType, (entry: SimDnsEntry) => string>> = {
  CNAME: ({ value }) => absolute(value),
  NS: ({ value }) => absolute(value),
  MX: ({ prio, value }) => `${prio ?? 0} ${absolute(value)}`,
  SRV: ({ prio, value }) => `${prio ?? 0} ${absolute(value)}`,
  TXT: ({ value }) => (value.startsWith('"') ? value : quoted(value)),
};

const recordData = (entry: SimDnsEntry) => writers[entry.type]?.(entry) ?? entry.value;

const absolute = (name: string) => (name.endsWith('.') ? name : `${name}.`);

const characterString = new RegExp(`.{1,${characterStringMax}}`, 'gsu');

function quoted(value: string): string {
  const chunks = value.match(characterString) ?? [''];
  return chunks.map((chunk) => `"${chunk.replace(/[\\"]/g, '\\$&')}"`).join(' ');
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
