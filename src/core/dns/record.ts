import { z } from 'zod';
import type { DnsRecord } from '../account/account.ts';
import { count } from '../text/words.ts';
import { textOf, undoQuotes } from './quoted.ts';

/** DNS records as the provider keeps them, and when two of them are the same. */

export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'CAA', 'NS'] as const;
export type RecordType = (typeof recordTypes)[number];

export function isWritable<R extends { readonly type: string }>(
  record: R,
): record is R & { readonly type: RecordType } {
  return recordTypes.some((known) => known === record.type);
}

/** The choices the provider has; a record without one lives the default. */
export const ttlSeconds = [120, 300, 600, 900, 1800, 3600, 7200, 18_000, 43_200, 86_400] as const;
export type TtlSeconds = (typeof ttlSeconds)[number];
export const defaultTtl = 3600;

/** A record as the step of a command keeps it. */
export const recordSchema = z.object({
  host: z.string(),
  type: z.string(),
  value: z.string(),
  prio: z.number().nullable(),
  ttl: z.number().nullable(),
});

export interface RecordData {
  /** Relative to the domain: `@`, `*`, `www`, `a.b`. */
  readonly host: string;
  /** Of a record that is there it may be one that is not known here: it is shown, kept and removed, and never written. */
  readonly type: string;
  readonly value: string;
  /** Means something for MX and SRV only. */
  readonly prio: number | null;
  /** Null is the default. */
  readonly ttl: number | null;
}

export interface KnownRecord extends RecordData {
  readonly id: number;
  /** The host as the provider has it, where that differs from `host`: some clients leave full names. */
  readonly storedHost?: string;
}

/** The host of a record relative to its domain: the provider says '' for the apex, and some clients leave full names. */
export function relativeHost(host: string, domain: string): string {
  const name = bare(host);
  const apex = bare(domain);
  if (name === '' || name === '@' || name === apex) return '@';
  return name.endsWith(`.${apex}`) ? name.slice(0, -apex.length - 1) : name;
}

/** A name as it is compared: in lower case and without the dot at its end. */
export function bare(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, '');
}

export function fullName(host: string, domain: string): string {
  return host === '@' ? domain : `${host}.${domain}`;
}

export function usesPrio(type: string): boolean {
  return type === 'MX' || type === 'SRV';
}

export function ttlOf(record: Pick<RecordData, 'ttl'>): number {
  return record.ttl ?? defaultTtl;
}

/** `300`, or `default`: the provider's sources differ on how many seconds that is. */
export function ttlText({ ttl }: Pick<RecordData, 'ttl'>): string {
  return ttl === null ? 'default' : String(ttl);
}

/** `1 hour`, `5 minutes` */
export function sayTtl(seconds: number): string {
  if (seconds % 86_400 === 0) return count(seconds / 86_400, 'day');
  if (seconds % 3600 === 0) return count(seconds / 3600, 'hour');
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : count(seconds, 'second');
}

/** Two values that mean the same have equal comparable texts. Never throws: it also reads what others left in a zone. */
export function comparableValue(type: string, value: string): string {
  return (comparables[type] ?? bare)(value.trim());
}

const comparables: Readonly<Record<string, (value: string) => string>> = {
  AAAA: (value) => {
    const url = `http://[${value}]/`;
    return URL.canParse(url) ? new URL(url).hostname : value.toLowerCase();
  },
  SRV: (value) => bare(value.replace(/\s+/g, ' ')),
  TXT: textOf,
  CAA: (value) => {
    const [, flags = '', tag = '', rest = ''] = /^(\d+)\s+(\S+)\s+([\s\S]*)$/.exec(value) ?? [];
    return tag === '' ? value : `${Number(flags)} ${tag.toLowerCase()} ${textOf(rest)}`;
  },
};

/** Host, type and value: what the provider wants unique in a zone. */
export function identityOf(record: Pick<DnsRecord, 'host' | 'type' | 'value'>): string {
  return `${record.host} ${record.type} ${comparableValue(record.type, record.value)}`;
}

export function isSame(a: RecordData, b: RecordData): boolean {
  return identityOf(a) === identityOf(b) && ttlOf(a) === ttlOf(b) && prioOf(a) === prioOf(b);
}

function prioOf(record: Pick<RecordData, 'type' | 'prio'>): number | null {
  return usesPrio(record.type) ? (record.prio ?? 0) : null;
}

/** Whether it says who may send mail for the domain. */
export function isSpf(record: Pick<RecordData, 'type' | 'value'>): boolean {
  return record.type === 'TXT' && /^"?v=spf1(\s|"|$)/i.test(undoQuotes(record.value).trim());
}

/** `192.0.2.10`, `10 mail.example.com`: the value as a zone file has it, with its prio. */
export function valueText(record: Pick<RecordData, 'type' | 'value' | 'prio'>): string {
  return usesPrio(record.type) ? `${record.prio ?? 0} ${record.value}` : record.value;
}

/** `www A 192.0.2.10` */
export function recordText(record: Pick<RecordData, 'host' | 'type' | 'value' | 'prio'>): string {
  return `${record.host} ${record.type} ${valueText(record)}`;
}

/** The name that the value points at, in full; undefined for values that are no name. */
export function targetName(record: Pick<RecordData, 'type' | 'value'>): string | undefined {
  if (record.type === 'SRV') return bare(record.value.split(/\s+/).at(-1) ?? '');
  return ['CNAME', 'MX', 'NS'].includes(record.type) ? bare(record.value) : undefined;
}

const typeOrder: readonly string[] = ['NS', 'A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'CAA'];

/** The apex first, then host by host. */
export function compareRecords(a: DnsRecord | KnownRecord, b: DnsRecord | KnownRecord): number {
  if (a.host !== b.host) return a.host === '@' ? -1 : b.host === '@' ? 1 : a.host < b.host ? -1 : 1;
  return (
    typeOrder.indexOf(a.type) - typeOrder.indexOf(b.type) ||
    (a.prio ?? 0) - (b.prio ?? 0) ||
    (a.value < b.value ? -1 : 1)
  );
}
