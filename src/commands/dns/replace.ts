import { z } from 'zod';
import { type Domain, domainTarget } from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { domain, option, text } from '../../core/command/args.ts';
import { toAscii } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import { bare, identityOf, isWritable, type KnownRecord, leadsTo } from '../../core/dns/record.ts';
import { mustFit, type ZoneChange } from '../../core/dns/zone-diff.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { badValue, notFound } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { mustHaveDomains, named, readZone, recordAction } from './changes.ts';
import { planRecords, type ZonePart } from './record-plan.ts';

const readAtOnce = 4;
const value = z.string().trim().min(1, 'an address or a name').max(253, 'at most 253 characters');

export const dnsReplace = defineAction({
  ...recordAction,
  path: 'dns replace',
  words: `replace · swap · repoint | address · ip · old ip · old address | dns move · dns swap · everywhere · old
    ip in all domain · led to · across the board · repoint all · repoint everything`,
  title: 'Replace an address',
  summary: 'Point every record from one address or name to another, in all domains',
  examples: ['dns replace 192.0.2.10 192.0.2.77', 'dns replace mail.example.com mx.example.org in=example.com'],
  args: {
    old: text({ hint: 'The address or name that records have now.', example: '192.0.2.10', schema: value }),
    new: text({
      hint: 'The address or name that they should have.',
      example: '192.0.2.77',
      after: ['with', 'by', 'to'],
      schema: value,
    }),
    in: option(domain({ hint: 'Only in this domain.', label: 'Only in', example: 'example.com', after: ['in'] })),
  },
  plan: async ({ old: oldWord, new: newWord, in: only }, context) => {
    const [from, to] = [oneSpelling(oldWord), oneSpelling(newWord)];
    mustBeAlike(from, to);
    const account = await context.account();
    mustHaveDomains(account);
    const having = (only === undefined ? account.domains : [only]).filter(({ records }) =>
      records.some((record) => leadsTo(record, from)),
    );
    const changeable = having.filter((domain) => context.may('dns', domainTarget(domain)));
    const parts = await partsOf(changeable, from, to, context.reader);
    if (parts.length === 0) throw nothingLeadsTo(from, only);
    const hidden = having.length - changeable.length;
    const stays = `${count(hidden, 'domain')} that may not be changed here ${hidden === 1 ? 'stays' : 'stay'} as it is.`;
    const notes = [...mentions(parts, from, oldWord), ...(hidden === 0 ? [] : [stays])];
    const title = `Replace ${from} with ${to} in ${where(parts)}`;
    return planRecords(parts, { same: '', title, typedName: to, notes }, context);
  },
});

/** `3 records of example.com` */
function where(parts: readonly ZonePart[]): string {
  const records = count(parts.flatMap(({ changes }) => changes).length, 'record');
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? `${records} of ${only.domain.name}` : records;
}

/** Normalizes an address or a name for comparison, display and writing. */
function oneSpelling(word: string): string {
  const typed = hostIn(word);
  return canonicalAddress(typed) ?? bare(toAscii(typed));
}

function kindOf(word: string): 'an IPv4 address' | 'an IPv6 address' | 'a name' {
  if (z.ipv4().safeParse(word).success) return 'an IPv4 address';
  return z.ipv6().safeParse(word).success ? 'an IPv6 address' : 'a name';
}

/** Refuses a replacement of another kind, since the type of a record must stay: IPv4, IPv6 or name. */
function mustBeAlike(from: string, to: string): void {
  const [fromKind, toKind] = [kindOf(from), kindOf(to)];
  const no = (text: string, field: string) => badValue(text, 'Give two addresses of one kind, or two names.', field);
  if (from === to) throw no('Both are the same.', 'new');
  if (fromKind !== toKind) throw no(`${from} is ${fromKind}, and ${to} is ${toKind}.`, 'new');
  if (fromKind === 'a name' && !from.includes('.')) throw no(`${from} is no full name.`, 'old');
}

async function partsOf(domains: readonly Domain[], from: string, to: string, reader: Reader): Promise<ZonePart[]> {
  const zones = new Map<string, readonly KnownRecord[]>();
  await eachAtMost(readAtOnce, domains, async ({ name }) => {
    zones.set(name, await readZone(reader, name));
  });
  const parts: ZonePart[] = [];
  for (const domain of domains) {
    const zone = zones.get(domain.name) ?? [];
    const present = new Set(await mapInSlices(zone, identityOf));
    const leading = zone.filter((record) => leadsTo(record, from));
    const changes = await mapInSlices(leading, (record) => changeOf(record, to, present, domain.name));
    await mustFit(changes, zone, domain.name);
    if (changes.length > 0) parts.push({ domain, zone, changes });
  }
  return parts;
}

/** Replaces the value, or removes the record if the name already has the new one. */
function changeOf(record: KnownRecord, to: string, present: ReadonlySet<string>, domain: string): ZoneChange {
  if (!isWritable(record)) throw new Error(`${record.type} leads nowhere`);
  const words = record.type === 'SRV' ? [...record.value.split(/\s+/).slice(0, -1), to].join(' ') : to;
  const { id, ...data } = record;
  const after = { ...data, ...readValue(record.type, words, domain, { typed: undefined, kept: record.prio ?? 0 }) };
  if (present.has(identityOf(after))) return { do: 'remove', id, before: record };
  return { do: 'change', id, before: record, after };
}

/** Texts such as SPF that contain the old value: they are listed but not changed. */
function mentions(parts: readonly ZonePart[], from: string, typed: string): string[] {
  const words = [from, typed.toLowerCase()];
  const names = parts.flatMap(({ domain, zone }) =>
    zone
      .filter(({ type, value }) => type === 'TXT' && words.some((word) => value.toLowerCase().includes(word)))
      .map((record) => named(record, domain.name)),
  );
  if (names.length === 0) return [];
  const [name, stay, it] = names.length === 1 ? ['names', 'stays', 'it'] : ['name', 'stay', 'them'];
  return [`${firstFew(names, 4)} ${name} ${from}, too, and ${stay}. Change ${it} with dns edit.`];
}

function nothingLeadsTo(from: string, only: Domain | undefined) {
  const where = only === undefined ? 'No record of a domain that you may change here' : `No record of ${only.name}`;
  const find = { label: 'Find it', command: `dns find ${from}` };
  return notFound(`${where} points to ${from}.`, 'Search all domains for it.', 'old', find);
}
