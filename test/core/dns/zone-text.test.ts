import { expect, test } from 'vitest';
import { quotedString } from '../../../src/core/dns/quoted.ts';
import { recordText } from '../../../src/core/dns/record.ts';
import { sayProblems } from '../../../src/core/dns/zone-text.ts';
import { parseZone } from '../../support/values/parse-zone.ts';

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
  const result = read('   www\u00a0A 192.0.2.1\r\n   @ TXT “hello there”\n     TXT ‘x’');
  expect(result).toEqual({ records: ['www A 192.0.2.1', '@ TXT hello there', "@ TXT 'x'"], notes: [], problems: '' });
});

test('a record that is repeated counts once', () => {
  const { records, notes } = read('www A 192.0.2.1\nwww.example.com. 300 A 192.0.2.1');
  expect(records).toEqual(['www A 192.0.2.1']);
  expect(notes).toEqual(['Line 2 says the same record as line 1 and is left out.']);
});

test('every line that cannot be read is reported with its number, and only ten in full', () => {
  const { problems } = read(`  A 192.0.2.1\n${'www DNAME example.org.\n'.repeat(15)}`);
  const lines = problems.split('\n');
  expect(lines[0]).toBe(
    'line 1: It begins with a space, and no line before it has a name. Begin it with a name, or @.',
  );
  expect(lines.slice(1, 10).every((line, at) => line.startsWith(`line ${at + 2}: `))).toBe(true);
  expect(lines.slice(10)).toEqual(['and 6 more']);
});

test.each([
  ['@ MX mail.example.com.', 'MX needs a prio and a host. Write it like 10 mail.example.com.'],
  ['s SRV 1 2 x', '`s` is not the name of an SRV record. Write it as _service._proto: _sip._tcp.'],
  ['www A', 'The A record has no value.'],
  ['@ TXT ( "a"\nwww A 192.0.2.1', 'a ( is opened and never closed'],
  ['@ TXT "a" )', 'a ) closes nothing'],
])('the incomplete line %j is refused', (line, says) => expect(read(line).problems).toBe(`line 1: ${says}`));

const cases = ['www CH A 192.0.2.1', 'lonely', 'txt TXT "open', 'c CNAME a\nc A 192.0.2.1', 's SRV 1 2 3 x'];
test.each(cases)('the line %j is refused', (line) => expect(read(line).problems).toMatch(/^line [12]: /));

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

test('escaped bytes are read as UTF-8 over all strings of a text, and other bytes are refused', () => {
  expect(read('a TXT "caf\\195\\169 \\059"\nb TXT "\\195" "\\169"').records).toEqual(['a TXT café ;', 'b TXT é']);
  expect(read('@ TXT "a\\"b\\\\c\\059d" ; comment "x"').records).toEqual(['@ TXT a"b\\c;d']);
  expect(read('a TXT "\\255"\nb TXT "\\999"\nc TXT "\\12"\nd TXT a\\').problems).toMatchInlineSnapshot(`
    "line 1: The text cannot be kept: its bytes are not UTF-8, and the provider keeps text. Write the characters themselves, in quotes.
    line 2: The text cannot be kept: \\999 is no byte: they end at \\255. Write the characters themselves, in quotes.
    line 3: The text cannot be kept: a \\ stands before three digits or another character. Write the characters themselves, in quotes.
    line 4: The text cannot be kept: a \\ stands before three digits or another character. Write the characters themselves, in quotes."
  `);
});

test.each([
  ...['www\\.a A 192.0.2.1', '\\@ A 192.0.2.1', 'a\\046b A 192.0.2.1', 'a CNAME b\\.c.example.net.'],
  ...['a MX 1\\048 b', 'a 3\\048\\048 A 192.0.2.1', 'a \\A 192.0.2.1', '$ORIGIN e\\u.example.com.'],
  ...['$TTL 3\\048\\048'],
])('an escape outside of a text is refused: %s', (line) => {
  expect(read(line).problems).toMatch(/^line 1: .+ has a \\ in it, which means something in texts only\./);
});

test.each([
  ...['"www" A 192.0.2.1', 'a A "192.0.2.1"', 'a CNAME "b"', 'a MX "10" b', 'a "A" 192.0.2.1'],
  ...['a "300" A 192.0.2.1'],
])('quotes around what is no text are refused: %s', (line) =>
  expect(read(line).problems).toMatch(/^line 1: .+ is in quotes, which only a text has\./),
);

const ways = ['a A \\# 4 C0000201', 'a TXT \\# 2 0161', '@ CAA \\# 8 000569737375653B'];
test.each(ways)('data in the form of RFC 3597 is refused: %s', (line) =>
  expect(read(line).problems).toBe('line 1: Data in the form \\# is not read. Write the value as its type has it.'),
);

// The line and the refusal.
const refused = `
  www A 192.0.2.300 → \`192.0.2.300\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
  www 60 A 192.0.2.1 → The provider has no ttl of 60. The nearest is 120; there are 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200 and 86400.
  www DNAME example.org. → The provider has no records of type DNAME. It has A, AAAA, CNAME, MX, TXT, SRV, CAA, NS.
  www.example.com A 192.0.2.1 → www.example.com has no dot at its end, so as a name it would mean www.example.com.example.com. Write www.example.com. with the dot.
  mail.example.org. A 192.0.2.1 → mail.example.org is not in example.com. Each domain has its own zone.
  blog CNAME shop.example.com → shop.example.com has no dot at its end, so as a target it would mean shop.example.com.example.com. Write shop.example.com. with the dot.
  $INCLUDE other.zone → $INCLUDE other.zone is not understood. Of the lines that begin with $, $ORIGIN and $TTL can be used.
  $TTL soon → $TTL soon is not understood. Of the lines that begin with $, $ORIGIN and $TTL can be used.
  @ CNAME other.example.net. → example.com itself cannot be a CNAME: it always has other records.
  a CNAME 192.0.2.1 → CNAME points at a name, and 192.0.2.1 is an address. For an address the type is A.
  b MX 10 192.0.2.1 → MX points at a name, and 192.0.2.1 is an address. Give the address a name with an A record first, and that name here.
  c NS 2001:db8::1 → NS points at a name, and 2001:db8::1 is an address. Give the address a name with an AAAA record first, and that name here.
  _s._tcp SRV 1 2 3 192.0.2.1 → SRV points at a name, and 192.0.2.1 is an address. Give the address a name with an A record first, and that name here.
  d CNAME http://x.example.net → \`http://x.example.net\` is a URL. Give only the name: x.example.net
  e MX 10 post@example.net → \`post@example.net\` is a mail address. Give the name of the mail server: mail.example.com.
  f AAAA [2001:db8::1] → [2001:db8::1] has brackets, which belong to URLs. Write the address without them.
  @ CAA 0 issue "é.org" → \`é.org\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  g MX 1e1 mail → The prio does not fit. It should be a whole number from 0 to 65535.
  h 2147483647 A 192.0.2.1 → The provider has no ttl of 2147483647. The nearest is 86400; there are 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200 and 86400.
  i 2147483648 A 192.0.2.1 → 2147483648 is not a ttl. Write seconds, or a span such as 5m or 1h.
  j 300 300 A 192.0.2.1 → It has more than one ttl. Leave one of them out.
  k IN IN A 192.0.2.1 → It has more than one class. Leave it out or write IN.
`;
test('targets and values are refused as dns add refuses them, in the words that were typed', () => {
  for (const row of refused.trim().split(/\n +/)) {
    const [line = '', says] = row.split(' → ');
    expect(read(line).problems).toBe(`line 1: ${says}`);
  }
  expect(read('l MX 10 m\nl MX 20 m').problems).toBe(
    'line 2: Line 1 has the same with prio 10, and the provider keeps one of them.',
  );
});

test('a text that is indented as a whole begins with a name', () => {
  for (const line of ['300 A 192.0.2.1', 'IN A 192.0.2.1'])
    expect(read(`   ${line}\n   b A 192.0.2.2`).problems).toBe(
      'line 1: It begins with a space and has no name. Begin it with a name, or @.',
    );
  expect(read('300 A 192.0.2.1').records).toEqual(['300 A 192.0.2.1']);
});

test('an $ORIGIN may be the root, and one without a dot is below the one before it', () => {
  const seen = read('$ORIGIN .\na.example.com A 192.0.2.1\n$ORIGIN com.\nb.example A 192.0.2.2').records;
  expect(seen).toEqual(['a A 192.0.2.1', 'b A 192.0.2.2']);
  expect(read('$ORIGIN eu\na A 192.0.2.1').records).toEqual(['a.eu A 192.0.2.1']);
  expect(read('$ORIGIN example.com\na A 192.0.2.1').problems).toContain('example.com has no dot at its end');
});

test('a null MX is refused with a special message', () => {
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
