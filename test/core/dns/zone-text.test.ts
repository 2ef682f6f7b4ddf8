import { expect, test } from 'vitest';
import { quotedString } from '../../../src/core/dns/quoted.ts';
import { recordText } from '../../../src/core/dns/record.ts';
import { sayProblems } from '../../../src/core/dns/zone-text.ts';
import { parseZone } from '../../support/parse-zone.ts';

const read = (text: string) => {
  const { records, notes, problems } = parseZone(text, 'example.com');
  return {
    records: records.map((record) => `${recordText(record)}${record.ttl === null ? '' : ` ttl ${record.ttl}`}`),
    notes,
    problems: sayProblems(problems, { isQuoted: true }),
  };
};

test('a zone in the form of BIND is read', () => {
  const { records, notes, problems } = read(`
$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1.hosting.example. hostmaster.example.com. (
            2024010101 ; serial
            10800 3600 604800 3600 )
        IN NS   ns1.hosting.example.
        NS      ns2.hosting.example.
@       300     A       192.0.2.10      ; the web server
www     IN 5m   A       192.0.2.10
www     5m IN   AAAA    2001:DB8::10
blog    CNAME   shop
@       MX      10 mail
        MX      20 backup-mx.example.net.
@       TXT     "v=spf1 mx; " "-all"
key     TXT     ( "v=DKIM1; p=AAAA"
                  "BBBB" )
_sip._tcp SRV   5 10 5060 sip.example.org.
@       CAA     0 issue "letsencrypt.org"
$ORIGIN eu.example.com.
api     A       192.0.2.11
@       A       192.0.2.12
full.example.com. A 192.0.2.13
`);
  expect(problems).toBe('');
  expect(notes).toEqual(["Line 4: the SOA is the provider's own and is left as it is."]);
  expect(records).toEqual([
    '@ NS ns1.hosting.example ttl 3600',
    '@ NS ns2.hosting.example ttl 3600',
    '@ A 192.0.2.10 ttl 300',
    'www A 192.0.2.10 ttl 300',
    'www AAAA 2001:db8::10 ttl 300',
    'blog CNAME shop.example.com ttl 3600',
    '@ MX 10 mail.example.com ttl 3600',
    '@ MX 20 backup-mx.example.net ttl 3600',
    '@ TXT v=spf1 mx; -all ttl 3600',
    'key TXT v=DKIM1; p=AAAABBBB ttl 3600',
    '_sip._tcp SRV 5 10 5060 sip.example.org ttl 3600',
    '@ CAA 0 issue "letsencrypt.org" ttl 3600',
    'api.eu A 192.0.2.11 ttl 3600',
    'eu A 192.0.2.12 ttl 3600',
    'full A 192.0.2.13 ttl 3600',
  ]);
});

test('a zone from a chat is read: indented, with curly quotes, odd spaces and no ttl', () => {
  expect(read('   www\u00a0A 192.0.2.1\r\n   @ TXT “hello there”\n     TXT ‘x’')).toEqual({
    records: ['www A 192.0.2.1', '@ TXT hello there', "@ TXT 'x'"],
    notes: [],
    problems: '',
  });
});

test('escapes in quoted strings are read', () => {
  expect(read('@ TXT "a\\"b\\\\c\\059d" ; comment "x"').records).toEqual(['@ TXT a"b\\c;d']);
});

test('a record that is repeated counts once', () => {
  const { records, notes } = read('www A 192.0.2.1\nwww.example.com. 300 A 192.0.2.1');
  expect(records).toEqual(['www A 192.0.2.1']);
  expect(notes).toEqual(['Line 2 says the same record as line 1 and is left out.']);
});

test('every line that cannot be read is reported with its number', () => {
  const { problems } = read(`  A 192.0.2.1
www A 192.0.2.300
www 60 A 192.0.2.1
www DNAME example.org.
www.example.com A 192.0.2.1
mail.example.org. A 192.0.2.1
blog CNAME shop.example.com
$INCLUDE other.zone
$TTL soon
@ CNAME other.example.net.
m MX mail
www CH A 192.0.2.1
txt TXT "open
c CNAME a
c A 192.0.2.1
lonely
s SRV 1 2 3 x`);
  expect(problems).toMatchInlineSnapshot(`
    "line 1: It begins with a space, and no line before it has a name. Begin it with a name, or @.
    line 2: \`192.0.2.300\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
    line 3: The provider has no ttl of 60. The nearest is 120; there are 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200 and 86400.
    line 4: The provider has no records of type DNAME. It has A, AAAA, CNAME, MX, TXT, SRV, CAA, NS.
    line 5: www.example.com has no dot at its end, so as a name it would mean www.example.com.example.com. Write www.example.com. with the dot.
    line 6: mail.example.org is not in example.com. Each domain has a zone of its own.
    line 7: shop.example.com has no dot at its end, so as a target it would mean shop.example.com.example.com. Write shop.example.com. with the dot.
    line 8: $INCLUDE other.zone is not understood. Of the lines that begin with $, $ORIGIN and $TTL can be used.
    line 9: $TTL soon is not understood. Of the lines that begin with $, $ORIGIN and $TTL can be used.
    line 10: example.com itself cannot be a CNAME: it always has other records.
    and 6 more"
  `);
});

test('a missing or superfluous parenthesis is reported', () => {
  expect(read('@ TXT ( "a"\nwww A 192.0.2.1').problems).toBe('line 1: a ( is opened and never closed');
  expect(read('@ TXT "a" )').problems).toBe('line 1: a ) closes nothing');
});

test('a text without records is an empty zone', () => {
  expect(read('; only a comment\n\n$TTL 300')).toEqual({ records: [], notes: [], problems: '' });
});

test('a text in quotes is not changed, and can be written and read again', () => {
  const first = read('a TXT "it’s «ours»\u00a0now"\nb TXT “it’s curled”');
  expect(first).toMatchObject({ problems: '', notes: [] });
  expect(first.records[0]).toContain('it’s «ours»\u00a0now');
  expect(first.records[1]).toContain("it's curled");
  const again = parseZone(
    parseZone('a TXT "it’s \\"«ours»\\" \\\\ é"', 'example.com')
      .records.map(({ value }) => `a TXT ${quotedString(value)}`)
      .join('\n'),
    'example.com',
  );
  expect(again.records[0]?.value).toBe('it’s "«ours»" \\ é');
});

test('escaped bytes are read as UTF-8, and other bytes as single characters', () => {
  const { records } = parseZone('a TXT "caf\\195\\169 \\059 \\255"', 'example.com');
  expect(records[0]?.value).toBe('café ; ÿ');
});

test('a null MX is refused with a message of its own', () => {
  expect(read('@ MX 0 .').problems).toContain(
    'A null MX, which says that the domain accepts no mail, cannot be set here.',
  );
  expect(read('@ MX 0 .').problems).not.toContain('`0`');
});

test('a text without quotes that ends at a semicolon is reported', () => {
  const { records, notes } = read(
    'key TXT v=DKIM1; k=rsa; p=AAAA\nother TXT "v=DKIM1; k=rsa" ; fine\nthird TXT word ; fine',
  );
  expect(records[0]).toContain('v=DKIM1');
  expect(notes).toEqual([
    'Line 1: the text is not in quotes, so it ends at its first semicolon. Put all of it in quotes if the rest belongs to it.',
  ]);
});
