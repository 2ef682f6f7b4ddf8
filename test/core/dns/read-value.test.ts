import { expect, test } from 'vitest';
import { readTtl, readValue, ttlInSeconds } from '../../../src/core/dns/read-value.ts';
import { comparableValue, isSame, type RecordType } from '../../../src/core/dns/record.ts';
import { Refusal } from '../../../src/core/view/errors.ts';

const domain = 'example.com';

function said(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return `${error.field}: ${error.message} ${error.hint}`;
    throw error;
  }
}

function value(type: RecordType, typed: string, prio?: number, kept: number | null = null): unknown {
  return said(() => {
    const read = readValue(type, typed, domain, { typed: prio, kept });
    return read.prio === null ? read.value : `${read.value} prio ${read.prio}`;
  });
}

test.each<[RecordType, string, string]>([
  ['A', ' 192.0.2.10 ', '192.0.2.10'],
  ['AAAA', '2001:DB8::10', '2001:db8::10'],
  ['AAAA', ' [2001:db8::10] ', '2001:db8::10'],
  ['CNAME', 'Shop.Example.com.', 'shop.example.com'],
  ['CNAME', 'k1._domainkey.mail.example.net', 'k1._domainkey.mail.example.net'],
  ['CNAME', '@', 'example.com'],
  ['NS', 'ns1.example.net.', 'ns1.example.net'],
  ['MX', '  10   mail.example.com ', 'mail.example.com prio 10'],
  ['MX', '0 mail.example.com', 'mail.example.com prio 0'],
  ['MX', '65535 mail.example.com', 'mail.example.com prio 65535'],
  ['SRV', ' 5  10 5060  sip.example.com. ', '10 5060 sip.example.com prio 5'],
  ['CAA', '0 issue letsencrypt.org', '0 issue "letsencrypt.org"'],
  ['CAA', '  0   ISSUE   “letsencrypt.org”  ', '0 issue "letsencrypt.org"'],
  ['CAA', '255 issuewild ";"', '255 issuewild ";"'],
  ['CAA', '0 issue " ca.example "', '0 issue "ca.example"'],
  ['CAA', '0 issue "ca.example ; account=1"', '0 issue "ca.example ; account=1"'],
  ['CAA', '0 contactemail a@example.com', '0 contactemail "a@example.com"'],
  ['CAA', '0 iodef mailto:security@example.com', '0 iodef "mailto:security@example.com"'],
  ['CAA', '0 iodef https://reports.example.com/a', '0 iodef "https://reports.example.com/a"'],
  ['CAA', '0 iodef http://r', '0 iodef "http://r"'],
  ['TXT', '  v=spf1 mx -all ', 'v=spf1 mx -all'],
  ['TXT', '“v=spf1 mx -all”', 'v=spf1 mx -all'],
  ['TXT', 'say "hi" now', 'say "hi" now'],
  ['TXT', '"\\"a\\""', '"\\"a\\""'],
  ['TXT', '"\\""', '"\\""'],
  ['TXT', '" a "', '" a "'],
  ['TXT', '"caf\\195\\169 \\059"', 'café ;'],
  ['TXT', '"\\195" "\\169"', 'é'],
  ['TXT', 'a\\b', 'a\\b'],
  ['TXT', 'see v=spf1 é', 'see v=spf1 é'],
  ['TXT', '"v=DKIM1; p=AAAA" "BBBB"', 'v=DKIM1; p=AAAABBBB'],
  ['TXT', '"say \\"hi\\""', 'say "hi"'],
  ['TXT', 'x'.repeat(1024), 'x'.repeat(1024)],
])('the %s value %j becomes %s', (type, typed, expected) => {
  expect(value(type, typed)).toBe(expected);
});

test('a prio is read from its own argument, from the front of the value, or from the present record', () => {
  expect(value('MX', 'mail.example.com', 20)).toBe('mail.example.com prio 20');
  expect(value('MX', '20 mail.example.com', 20)).toBe('mail.example.com prio 20');
  expect(value('MX', 'mail.example.com', undefined, 30)).toBe('mail.example.com prio 30');
  expect(value('SRV', '10 5060 sip.example.com', 0)).toBe('10 5060 sip.example.com prio 0');
  expect(value('SRV', '  0   65535  sip.example.com ', 5)).toBe('0 65535 sip.example.com prio 5');
});

const srvHint = 'Write weight, port and target: 10 5060 sip.example.com; the prio has its own place.';
test.each([
  ...['x 5060 sip.example.com', 'a10 5060 sip.example.com', '10b 5060 sip.example.com', '10 5060', '1 2 3 4 x'],
  ...['5060 sip.example.com', '1 70000 sip.example.com'],
])('the SRV value %s is refused', (typed) =>
  expect(value('SRV', typed, 5)).toBe(`value: \`${typed}\` is not an SRV value. ${srvHint}`),
);

test.each(['-1', '1.5', '65536', 'x', '1e1', '0x10', '+5', '10.', '١٠'])('the prio %s is refused', (prio) =>
  expect(value('MX', `${prio} mail.example.com`)).toBe(
    'prio: The prio does not fit. It should be a whole number from 0 to 65535.',
  ),
);

test.each([
  ['\\999', '\\999 is no byte: they end at \\255.'],
  ['\\256', '\\256 is no byte: they end at \\255.'],
  ['\\12', 'a \\ stands before three digits or another character.'],
  ['\\255', 'its bytes are not UTF-8, and the provider keeps text.'],
  ['é\\195', 'its bytes are not UTF-8, and the provider keeps text.'],
  ['\ud800', 'it has half a character in it.'],
])('the escape %s is refused in a text and in a CAA value', (typed, fault) => {
  const says = `value: The text cannot be kept: ${fault} Write the characters themselves, in quotes.`;
  expect(value('TXT', `"a${typed}"`)).toBe(says);
  expect(value('CAA', `0 contactemail "a${typed}"`)).toBe(says);
  // Another client may have written such a record, so it is compared, too.
  expect(comparableValue('TXT', `"a${typed}"`)).toBe(`"a${typed}"`);
});

// The type and the value, and the refusal.
const refused = `
  A 2001:db8::1 → value: 2001:db8::1 is an IPv6 address. Its type is AAAA.
  A 192.0.2.300 → value: \`192.0.2.300\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
  A 192.0.2 → value: \`192.0.2\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
  A www.example.org → value: \`www.example.org\` is not an IPv4 address. To point at a name the type is CNAME.
  AAAA 192.0.2.1 → value: 192.0.2.1 is an IPv4 address. Its type is A.
  AAAA 2001:db8::/64 → value: \`2001:db8::/64\` is not an IPv6 address. It should be written like 2001:db8::10, without a zone or prefix.
  CNAME 192.0.2.1 → value: CNAME points at a name, and 192.0.2.1 is an address. For an address the type is A.
  MX mail.example.com → prio: MX needs a prio: the lowest is asked first. Give prio=10, or write the value as 10 mail.example.com.
  MX 70000 mail.example.com → prio: The prio does not fit. It should be a whole number from 0 to 65535.
  MX 10 192.0.2.1 → value: MX points at a name, and 192.0.2.1 is an address. Give the address a name with an A record first, and that name here.
  CAA letsencrypt.org → value: \`letsencrypt.org\` is not a CAA value. Write flags, tag and value: 0 issue "letsencrypt.org".
  CAA 0 isue letsencrypt.org → value: CAA has no tag \`isue\`. Did you mean issue?
  CAA 256 issue letsencrypt.org → value: The flags of a CAA record are 0 to 255, not 256. Write flags, tag and value: 0 issue "letsencrypt.org".
  CAA 0 issue https://letsencrypt.org → value: \`https://letsencrypt.org\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  CAA 0 iodef security@example.com → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
  TXT "" → value: The text is empty. Give at least one character.
  TXT "never closed → value: The text begins with a quote that does not close. Leave the quotes out; they are added where DNS needs them.
  TXT v=spf1 mx –all → value: \`–\` is not allowed in such a record; a keyboard may have put it there. Type that place again with plain characters.
  SRV 10 5060 sip.example.com → prio: SRV needs a prio: the lowest is asked first. Give prio=10, or write the value as 5 10 5060 sip.example.com (prio, weight, port, target).
  AAAA shop.example.com → value: \`shop.example.com\` is not an IPv6 address. To point at a name the type is CNAME.
  AAAA 2001:[db8::10 → value: \`2001:[db8::10\` is not an IPv6 address. It should be written like 2001:db8::10, without a zone or prefix.
  CAA x0 issue a → value: \`x0 issue a\` is not a CAA value. Write flags, tag and value: 0 issue "letsencrypt.org".
  CAA 0 issue → value: \`0 issue\` is not a CAA value. Write flags, tag and value: 0 issue "letsencrypt.org".
  CAA 0 issue "a" b" → value: The quotes of the CAA value do not match. Write flags, tag and value: 0 issue "letsencrypt.org".
  CAA 0 whatever a → value: CAA has no tag \`whatever\`. Its tags are issue, issuewild, iodef, issuemail, issuevmc, contactemail and contactphone.
  CAA 0 issue "é.org" → value: \`é.org\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  CAA 0 issue "-a.example" → value: \`-a.example\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  CAA 0 issue "a b.example" → value: \`a b.example\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  CAA 0 issue "a.example; é" → value: \`a.example; é\` is not the name of a certificate authority. Write it like letsencrypt.org, or ; to allow none.
  CAA 0 iodef "see mailto:a@b" → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
  CAA 0 iodef "mailto:é@b" → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
  CAA 0 iodef "mailto:a@b c" → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
  CAA 0 iodef "ftp://a" → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
  CAA 0 iodef "https://" → value: iodef names where reports go. Write it as mailto:security@example.com or an https URL.
`;
test.each(refused.trim().split(/\n +/))('a wrong value is refused with a correct example: %s', (line) => {
  const [typed = '', says] = line.split(' → ');
  const [, type = '', words = ''] = /^(\w+) (.*)$/.exec(typed) ?? [];
  // The lines name types.
  expect(value(type as RecordType, words)).toBe(says);
});

test.each<[RecordType, string, number | undefined, string]>([
  ['MX', '10 mail.example.com', 20, 'prio: prio is 20, and the value begins with 10. Give it once.'],
  ['TXT', 'two\nlines', undefined, 'value: The text has a line break or another control character in it.'],
  ['TXT', 'x'.repeat(1025), undefined, 'value: The text has 1025 characters, and a record holds at most 1024.'],
  ['A', '192.0.2.1', 10, 'prio: A records have no prio. Leave it out; only MX and SRV have one.'],
])('the %s value %j with the prio %s is refused', (type, typed, prio, says) =>
  expect(value(type, typed, prio)).toContain(says),
);

test('a ttl is read in seconds or as a span, when the provider has it', () => {
  expect(['300', '5m', '1h', ' 1D '].map((typed) => said(() => readTtl(typed)))).toEqual([300, 300, 3600, 86_400]);
});

test('for any other ttl, the refusal names the nearest', () => {
  expect(said(() => readTtl('60'))).toBe(
    'ttl: The provider has no ttl of 60. The nearest is 120; there are 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200 and 86400.',
  );
  expect(said(() => readTtl('14400'))).toContain('The nearest is 18000');
  for (const long of ['999999', '2147483647'])
    expect(said(() => readTtl(long))).toContain(`no ttl of ${long}. The nearest is 86400`);
});

test.each([
  ...['soon', '5x', '1h30', 'h', '-300', '1 h', '2147483648', '68y', '3551w', '0x12c', '1e3', '5m later'],
  ...['in 5m', ''],
])('%s is refused as a ttl', (typed) => {
  expect(said(() => readTtl(typed))).toBe(`ttl: \`${typed}\` is not a ttl. Write seconds, or a span such as 5m or 1h.`);
});

test('a span with several parts is their sum, as in zone files', () => {
  const spans = ['90s', '2m', '1h30m', '1d', '1W2D', '10m10s', '3600'];
  expect(spans.map(ttlInSeconds)).toEqual([90, 120, 5_400, 86_400, 777_600, 610, 3_600]);
});

test.each<[RecordType, string, string]>([
  ['AAAA', '2001:DB8:0:0::1', '2001:db8::1'],
  ['CNAME', 'Shop.example.com.', 'shop.example.com'],
  ['SRV', '10  5060 SIP.example.com.', '10 5060 sip.example.com'],
  ['TXT', '"one " "two"', 'one two'],
  ['CAA', '0 ISSUE "letsencrypt.org"', '0 issue letsencrypt.org'],
])('the %s value %s means the same in another spelling', (type, one, other) => {
  expect(comparableValue(type, one)).toBe(comparableValue(type, other));
});

test('a record without a ttl has 3600, and a prio counts only for types that have one', () => {
  const a = { host: '@', type: 'A', value: '192.0.2.1', prio: null, ttl: null } as const;
  expect(isSame(a, { ...a, ttl: 3600, prio: 0 })).toBe(true);
  expect(isSame(a, { ...a, ttl: 300 })).toBe(false);
  expect(isSame({ ...a, type: 'MX', prio: 10 }, { ...a, type: 'MX', prio: 20 })).toBe(false);
  expect(comparableValue('TXT', 'One')).not.toBe(comparableValue('TXT', 'one'));
});
