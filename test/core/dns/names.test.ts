import { describe, expect, test } from 'vitest';
import { readDomainName, readHost, readTarget } from '../../../src/core/dns/names.ts';
import { type RecordType, relativeHost } from '../../../src/core/dns/record.ts';
import { Refusal } from '../../../src/core/view/errors.ts';

const longest = 'a'.repeat(63);
const cut = `\`${'a'.repeat(59)}…\``;

/** The name as it is read, or the refusal with its hint and its field. */
function said(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return `${error.message} | ${error.hint} | ${error.field}`;
    throw error;
  }
}

describe('a domain', () => {
  const read = (word: string) => said(() => readDomainName(word));

  test.each([
    [' Example.COM ', 'example.com'],
    ['example.com.', 'example.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    [`${longest}.com`, `${longest}.com`],
    ['a.1.com', 'a.1.com'],
    ['example.1a', 'example.1a'],
    ['example.a1', 'example.a1'],
    [`${longest}.${'a'.repeat(60)}.com`, `${longest}.${'a'.repeat(60)}.com`],
  ])('the domain %s is read as %s', (word, name) => expect(read(word)).toBe(name));

  test.each([
    ['*.example.org', '`*.example.org`', '* can only be the whole first part'],
    [' example ', '`example`', 'it has no ending such as .com'],
    ['a.12', '`a.12`', 'its ending is a number'],
    ['a-b!c.com', '`a-b!c.com`', '`!` is not allowed in it'],
    [`${'a'.repeat(62)}!`, cut, '`!` is not allowed in it'],
    ['example..com', '`example..com`', 'two dots have nothing between them'],
    ['-a.com', '`-a.com`', '`-a` has a hyphen at its edge'],
    ['a-.com', '`a-.com`', '`a-` has a hyphen at its edge'],
    ['a b.com', '`a b.com`', 'it has a space in it'],
    ['a`b.com', "`a'b.com`", "`'` is not allowed in it"],
    ['a_b.com', '`a_b.com`', '`_` is not allowed in it'],
    ['192.0.2.1', '`192.0.2.1`', 'its ending is a number'],
    [`${longest}.${'a'.repeat(61)}.com`, cut, 'it is too long'],
    [`${longest}a.com`, cut, `${cut} is longer than 63 characters`],
  ])('%s is refused as a domain', (word, shown, why) =>
    expect(read(word)).toBe(`${shown} is not a domain: ${why}. | Write it like example.com. | name`),
  );

  test.each([
    ['https://example.com/a', 'is a URL. | Give only the name: example.com | name'],
    ['HTTP://Shop.example.com:80', 'is a URL. | Give only the name: Shop.example.com | name'],
    ['see https://example.com', 'is not a name: DNS names have no paths. | Leave out the / and what follows. | name'],
    ['example.com/a', 'is not a name: DNS names have no paths. | Leave out the / and what follows. | name'],
  ])('the web address %s is refused as a domain', (word, says) => expect(read(word)).toBe(`\`${word}\` ${says}`));
});

const full253 = `${longest}.${longest}.${longest}.${'a'.repeat(61)}`;
const full = 'The target of a record is a full name, such as mail.example.com. | value';
const address = 'CNAME points at a name, and 192.0.2.1 is an address. | For an address the type is A. | value';
const host = 'Write it like shop.example.com. | value';
const notAllowed = (word: string, char: string) =>
  `\`${word}\` is not a host name: \`${char}\` is not allowed in it. | ${host}`;

test.each([
  ['@', 'CNAME', 'example.com'],
  ['Mail.Example.org.', 'MX', 'mail.example.org'],
  [' ns1.example.net ', 'NS', 'ns1.example.net'],
  [full253, 'CNAME', full253],
  ['x._domainkey.example.org', 'CNAME', 'x._domainkey.example.org'],
  ['.', 'MX', `A null MX, which says that the domain accepts no mail, cannot be set here. | ${full}`],
  [' . ', 'NS', `The root (.) cannot be the target of NS here. | ${full}`],
  ['192.0.2.1', 'CNAME', address],
  [
    '2001:db8::1',
    'NS',
    'NS points at a name, and 2001:db8::1 is an address. | Give the address a name with an AAAA record first, and that name here. | value',
  ],
  [
    'a@example.com',
    'MX',
    '`a@example.com` is a mail address. | Give the name of the mail server: mail.example.com. | value',
  ],
  ['_x.example.org', 'NS', notAllowed('_x.example.org', '_')],
  ['mail', 'MX', '`mail` is not a full name. | Do you mean mail.example.com? Write it out. | value'],
  [
    Array.from({ length: 4 }, () => longest).join('.'),
    'CNAME',
    `${cut} is not a host name: it is longer than 253 characters. | ${host}`,
  ],
  ['https://a.b/c', 'CNAME', '`https://a.b/c` is a URL. | Give only the name: a.b | value'],
  ['bücher.example.net', 'CNAME', 'xn--bcher-kva.example.net'],
  ['shop。example。net', 'CNAME', 'shop.example.net'],
  ['１９２.0.2.1', 'CNAME', address],
  ['192.0.2.1.', 'CNAME', address],
  ['bücher.example.net:443', 'CNAME', notAllowed('bücher.example.net:443', ':')],
  ['bücher.example.net?x', 'CNAME', notAllowed('bücher.example.net?x', '?')],
  ['shop。example。net:25', 'MX', notAllowed('shop。example。net:25', ':')],
] as const)('the target %s of a %s record is read', (word, type, says) =>
  expect(said(() => readTarget(word, 'example.com', type))).toBe(says),
);

describe('a host', () => {
  const read = (word: string, type: RecordType = 'A') => said(() => readHost(word, 'example.com', type));
  const hint =
    'Hosts are like www, api.eu, _dmarc, @ for the domain itself, * for every name that has no records. | host';
  const elsewhere =
    'www.example.org. is not in example.com. | Give the name below example.com, such as www, or @ for itself. | host';
  const service = 'Write it as _service._proto: _sip._tcp. | host';
  /** With `.example.com` it has exactly 253 characters. */
  const fits = `${longest}.${longest}.${longest}.${'a'.repeat(49)}`;

  test.each<[string, RecordType, string]>([
    [' WWW ', 'A', 'www'],
    ['münchen', 'A', 'xn--mnchen-3ya'],
    ['münchen.example.com.', 'A', 'xn--mnchen-3ya'],
    ['*.münchen', 'A', '*.xn--mnchen-3ya'],
    ['_dmarc.münchen', 'TXT', '_dmarc.xn--mnchen-3ya'],
    ['４', 'A', '4'],
    ['4\u00ad', 'A', '4'],
    ['*.Shop', 'A', '*.shop'],
    ['*', 'CNAME', '*'],
    ['@', 'A', '@'],
    ['Example.com.', 'A', '@'],
    ['www.example.com', 'A', 'www'],
    ['_dmarc', 'A', '_dmarc'],
    ['shop', 'NS', 'shop'],
    ['_sip._tcp', 'SRV', '_sip._tcp'],
    ['_sip._tcp.eu', 'SRV', '_sip._tcp.eu'],
    ['_x-2._udp', 'SRV', '_x-2._udp'],
    [longest, 'A', longest],
    [fits, 'A', fits],
  ])('the host %s of a %s record is read', (word, type, name) => expect(read(word, type)).toBe(name));

  test.each<[string, RecordType, string]>([
    ['www.example.org.', 'A', elsewhere],
    [' www.example.org. ', 'A', elsewhere],
    ['a..b', 'A', `\`a..b\` cannot be a host: two dots have nothing between them. | ${hint}`],
    ['www*', 'A', `\`www*\` cannot be a host: * can only be the whole first part. | ${hint}`],
    ['dev.*', 'A', `\`dev.*\` cannot be a host: * can only be the whole first part. | ${hint}`],
    ['www/path', 'A', '`www/path` is not a name: DNS names have no paths. | Leave out the / and what follows. | host'],
    ['my host', 'A', `\`my host\` cannot be a host: it has a space in it. | ${hint}`],
    ['`rm`', 'A', `\`'rm'\` cannot be a host: \`'\` is not allowed in it. | ${hint}`],
    ['-www', 'A', `\`-www\` cannot be a host: \`-www\` has a hyphen at its edge. | ${hint}`],
    ['a.b@', 'A', `\`a.b@\` cannot be a host: \`@\` is not allowed in it. | ${hint}`],
    ...[
      ['bü@www', '@'],
      ['bücher:80', ':'],
      ['bücher?x', '?'],
      ['bücher#x', '#'],
      ['bücher\\x', '\\'],
      ['b%75ü', '%'],
    ].map(([word = '', char]): [string, RecordType, string] => [
      word,
      'A',
      `\`${word}\` cannot be a host: \`${char}\` is not allowed in it. | ${hint}`,
    ]),
    ['\u00ad', 'A', `\`\u00ad\` cannot be a host: \`\u00ad\` is not allowed in it. | ${hint}`],
    ['bü\tcher', 'A', `\`bü\tcher\` cannot be a host: it has a space in it. | ${hint}`],
    ['bücher：80', 'A', `\`bücher：80\` cannot be a host: \`:\` is not allowed in it. | ${hint}`],
    [`${longest}a`, 'A', `${cut} cannot be a host: ${cut} is longer than 63 characters. | ${hint}`],
    [`${fits}a`, 'A', `${'a'.repeat(59)}… is longer than 253 characters. | Choose a shorter one. | host`],
    ['sip', 'SRV', `\`sip\` is not the name of an SRV record. | ${service}`],
    ['@', 'SRV', `\`@\` is not the name of an SRV record. | ${service}`],
    ['_sip', 'SRV', `\`_sip\` is not the name of an SRV record. | ${service}`],
    ['a._sip._tcp', 'SRV', `\`a._sip._tcp\` is not the name of an SRV record. | ${service}`],
    ['_sip._tcp_.a', 'SRV', `\`_sip._tcp_.a\` is not the name of an SRV record. | ${service}`],
    ['_s_p._tcp', 'SRV', `\`_s_p._tcp\` is not the name of an SRV record. | ${service}`],
    ['*.a', 'NS', 'A wildcard cannot be delegated with NS. | Name the host below it that you mean. | host'],
    ['http://a.example.com', 'A', '`http://a.example.com` is a URL. | Give only the name: a.example.com | host'],
  ])('the host %s of a %s record is refused', (word, type, says) => expect(read(word, type)).toBe(says));
});

test.each([
  ['', 'example.com', '@'],
  ['@', 'example.com', '@'],
  ['example.com', 'example.com', '@'],
  ['Example.COM.', 'example.com', '@'],
  ['*', 'example.com', '*'],
  ['*.example.com', 'example.com', '*'],
  ['www', 'example.com', 'www'],
  ['www.example.com.', 'example.com', 'www'],
  ['a.b.example.com', 'example.com.', 'a.b'],
  ['notexample.com', 'example.com', 'notexample.com'],
  ['_dmarc', 'example.com', '_dmarc'],
])('the host "%s" of a record in %s is read as %s', (host, domain, expected) => {
  expect(relativeHost(host, domain)).toBe(expected);
});
