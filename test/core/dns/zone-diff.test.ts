import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KnownRecord, RecordData } from '../../../src/core/dns/record.ts';
import { conflictOf, identityOf, isSame, recordText, ttlOf } from '../../../src/core/dns/record.ts';
import { conflictsAfter, inOrder, type ZoneChange, zoneAfter, zoneChanges } from '../../../src/core/dns/zone-diff.ts';

const domain = 'example.com';

/** `www A 192.0.2.1 300`, `@ MX 10 mail.example.com` */
function record(line: string): RecordData {
  const [host = '', type = '', ...rest] = line.split(' ');
  const prio = type === 'MX' ? Number(rest.shift()) : null;
  const ttl = rest.length > 1 ? Number(rest.pop()) : null;
  // The lines of these tests name valid types.
  return { host, type: type as RecordData['type'], value: rest.join(' '), prio, ttl };
}
const zoneOf = (...lines: string[]): KnownRecord[] => lines.map((line, index) => ({ id: index + 1, ...record(line) }));

function say(change: ZoneChange): string {
  const text = (one: RecordData) => `${recordText(one)} ${ttlOf(one)}`;
  if (change.do === 'add') return `+ ${text(change.after)}`;
  if (change.do === 'remove') return `- ${text(change.before)}`;
  return `${text(change.before)} → ${text(change.after)}`;
}

const diffZone = (
  current: readonly KnownRecord[],
  wanted: readonly RecordData[],
  { keep }: { readonly keep: boolean },
) => inOrder(zoneChanges(current, wanted, { keep }), current, domain);

const diff = (current: KnownRecord[], wanted: string[], keep = false) =>
  diffZone(current, wanted.map(record), { keep }).map(say);

// The rule | the records of the zone | the text | the changes.
const whole = `
a record that exists already, in another spelling too, is not changed | www A 192.0.2.1 300, b CNAME Shop.example.com. | b CNAME shop.example.com, www A 192.0.2.1 | nothing
a changed record keeps its ttl when the text has none, and a new record gets the default | www A 192.0.2.1 300 | www A 192.0.2.2, api A 192.0.2.2 | + api A 192.0.2.2 3600, www A 192.0.2.1 300 → www A 192.0.2.2 300
additions come first, then changes, then removals | a A 192.0.2.1, b A 192.0.2.1, c A 192.0.2.1 | a A 192.0.2.9, c A 192.0.2.1, d A 192.0.2.1 | + d A 192.0.2.1 3600, a A 192.0.2.1 3600 → a A 192.0.2.9 3600, - b A 192.0.2.1 3600
mail servers that exchange their prios are two changes | @ MX 10 a.example.net, @ MX 20 b.example.net | @ MX 20 a.example.net, @ MX 10 b.example.net | @ MX 10 a.example.net 3600 → @ MX 20 a.example.net 3600, @ MX 20 b.example.net 3600 → @ MX 10 b.example.net 3600
mail servers are paired by their prio when several are replaced | @ MX 10 a.example.net, @ MX 20 b.example.net | @ MX 20 c.example.net, @ MX 10 d.example.net | @ MX 20 b.example.net 3600 → @ MX 20 c.example.net 3600, @ MX 10 a.example.net 3600 → @ MX 10 d.example.net 3600
a value that means the same is sent in the provider’s spelling | b CNAME Shop.example.com. 300 | b CNAME shop.example.com 600 | b CNAME Shop.example.com. 300 → b CNAME Shop.example.com. 600
`;
const kept = `
a record that the text does not name stays | a A 192.0.2.1, b A 192.0.2.1 | a A 192.0.2.9 | a A 192.0.2.1 3600 → a A 192.0.2.9 3600
a second address is added | a A 192.0.2.1 | a A 192.0.2.1, a A 192.0.2.9 | + a A 192.0.2.9 3600
two addresses take the place of none | a A 192.0.2.1 | a A 192.0.2.8, a A 192.0.2.9 | + a A 192.0.2.8 3600, + a A 192.0.2.9 3600
an address takes the place of neither of two | a A 192.0.2.1, a A 192.0.2.2 | a A 192.0.2.9 | + a A 192.0.2.9 3600
of two addresses the one that the text does not name stays | a A 192.0.2.1, a A 192.0.2.2 | a A 192.0.2.1, a A 192.0.2.9 | + a A 192.0.2.9 3600
an IPv4 address does not become an IPv6 address | a A 192.0.2.1 | a AAAA 2001:db8::1 | + a AAAA 2001:db8::1 3600
the one CNAME of a name becomes another | a CNAME x.example.net | a CNAME y.example.net | a CNAME x.example.net 3600 → a CNAME y.example.net 3600
a CNAME becomes an address, and a second one is added after it | a CNAME x.example.net | a A 192.0.2.1, a AAAA 2001:db8::1, x A 192.0.2.1 | + x A 192.0.2.1 3600, a CNAME x.example.net 3600 → a A 192.0.2.1 3600, + a AAAA 2001:db8::1 3600
an address becomes a CNAME | a A 192.0.2.1 | a CNAME x.example.net | a A 192.0.2.1 3600 → a CNAME x.example.net 3600
a text does not become a CNAME | a TXT hello | a CNAME x.example.net | + a CNAME x.example.net 3600
a CNAME does not become a text | a CNAME x.example.net | a TXT hello | + a TXT hello 3600
a mail server gets another prio | @ MX 10 a.example.net | @ MX 30 a.example.net | @ MX 10 a.example.net 3600 → @ MX 30 a.example.net 3600
`;
const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' | '));
const several = (cell = '') => cell.split(', ').filter((one) => one !== 'nothing');

test.each(rowsOf(whole))('in a zone diff %s', (_, current, wanted, changes) =>
  expect(diff(zoneOf(...several(current)), several(wanted))).toEqual(several(changes)),
);

test.each(rowsOf(kept))('in a zone diff with keep %s', (_, current, wanted, changes) =>
  expect(diff(zoneOf(...several(current)), several(wanted), true)).toEqual(several(changes)),
);

test('records beside a new CNAME are removed before it, and other removals come last', () => {
  expect(
    diff(zoneOf('old A 192.0.2.1', 'www A 192.0.2.1', 'www AAAA 2001:db8::1'), [
      'www CNAME a.example.net',
      'x A 192.0.2.1',
    ]),
  ).toEqual([
    '+ x A 192.0.2.1 3600',
    '- www AAAA 2001:db8::1 3600',
    'www A 192.0.2.1 3600 → www CNAME a.example.net 3600',
    '- old A 192.0.2.1 3600',
  ]);
});

test('the diff of any two zones can be applied step by step, and ends with the wanted zone', () => {
  const one = fc.record({
    host: fc.constantFrom('@', 'a', 'b'),
    type: fc.constantFrom('A', 'TXT', 'CNAME', 'MX'),
    value: fc.constantFrom('v1.example.net', 'v2.example.net', 'v3.example.net'),
    prio: fc.constantFrom(10, 20),
    ttl: fc.constantFrom(300, 3600),
  } as const);
  const zone = fc.array(one, { maxLength: 10 }).map(whatCanStandTogether);
  const property = fc.property(zone, zone, (before, wanted) => {
    const current = before.map((data, index) => ({ ...data, id: index + 1 }));
    const changes = diffZone(current, wanted, { keep: false });
    changes.forEach((change, index) => {
      if (change.do === 'remove') return;
      const now = zoneAfter(current, changes.slice(0, index)).filter(
        (other) => change.do === 'add' || !('id' in other && other.id === change.id),
      );
      expect(conflictOf(change.after, now, domain)).toBeUndefined();
    });
    const placesOf = (records: readonly RecordData[]) => new Set(records.map(({ host, type }) => `${host} ${type}`));
    const kept = placesOf(before).intersection(placesOf(wanted));
    for (const index of changes.keys())
      expect(placesOf(zoneAfter(current, changes.slice(0, index))).isSupersetOf(kept)).toBe(true);
    const after = zoneAfter(current, changes);
    expect(after.map(identityOf).sort()).toEqual(wanted.map(identityOf).sort());
    expect(wanted.every((want) => after.some((has) => isSame(has, want)))).toBe(true);
    expect(
      diffZone(
        after.map((data, index) => ({ ...data, id: index + 1 })),
        wanted,
        { keep: false },
      ),
    ).toEqual([]);
  });
  fc.assert(property, { numRuns: 200 });
});

function whatCanStandTogether(records: readonly RecordData[]): RecordData[] {
  const kept: RecordData[] = [];
  for (const record of records) if (conflictOf(record, kept, domain) === undefined) kept.push(record);
  return kept;
}

test('the order and the conflicts of thousands of changes at a name read each record a few times', async () => {
  const most = 160_000;
  let reads = 0;
  const counted = <R extends RecordData>(record: R): R =>
    Object.defineProperty({ ...record }, 'host', {
      get: () => {
        reads += 1;
        if (reads > most) throw new Error(`a record is read ${most / 4_000} times or more`);
        return record.host;
      },
      enumerable: true,
    });
  const present = zoneOf(...Array.from({ length: 2_000 }, (_, n) => `www TXT "${n}"`)).map(counted);
  const added = Array.from({ length: 2_000 }, (_, n) => counted(record(`www TXT "new-${n}"`)));
  const removals = present.map((before) => ({ do: 'remove', id: before.id, before }) as const);
  const changes: ZoneChange[] = [...added.map((after) => ({ do: 'add', after }) as const), ...removals];
  expect(inOrder(changes, present, domain)).toEqual(changes);
  const alias = { do: 'add', after: counted(record('www CNAME a.example.net')) } as const;
  expect(inOrder([alias, ...removals], present, domain).at(-1)).toEqual(alias);
  // A CNAME that stays is in the way of all.
  expect(inOrder(changes.slice(0, 2_000), zoneOf('www CNAME a.example.net'), domain)).toHaveLength(2_000);
  expect(await conflictsAfter(changes, present, domain)).toEqual([]);
});
