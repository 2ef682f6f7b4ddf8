/** Zone texts of example.com, odd and plain. Each follows `head`, unless it has its own SOA. */

export const domain = 'example.com';

export const soaLine = '@ 3600 SOA ns1.hosting.example. hostmaster.example.com. 1 10800 3600 604800 3600\n';

const head = `$TTL 3600
${soaLine}@ NS ns1.hosting.example.
`;

export function wholeText(text: string): string {
  return /\bSOA\b/.test(text) ? `${text}\n` : `${head}${text}\n`;
}

const long = (text: string, times: number) => text.repeat(times);

/** Lines of one form each: the parts that differ stand between bars. */
const forms: readonly (readonly [form: string, parts: string])[] = [
  [
    '{} A 192.0.2.1',
    String.raw`
www | WWW | @ | * | *.dev | a.b.c | a*b | _dmarc | www.example.com. | www.Example.COM. | www.example.com
www.example.org. | example.com. | example.com | -a | a- | a_b | xn--bcher-kva | bücher | straße | 0 | 300 | in | a
"www" | a..b | .a | a/b | a,b | a=b | \@ | a\.b | a\046b | \097 | \www | a\ b | a\;b | a\"b | \* | \_dmarc | a\999
a\1 | @. | . | www..
`,
  ],
  [
    'a {} A 192.0.2.1',
    String.raw`
300 | IN | 300 IN | IN 300 | 5m | 1h | 1H | 1d IN | 60m | 300s | 1h0m | 30m30m | 60 | 0 | 2147483647 | 2147483648
99999999999 | 1e3 | 0x12c | 300. | +300 | -300 | 5x | 1h30 | 3\048\048 | "300" | 300 300 | 300 600 | IN IN | IN 300 IN
300 IN 300 | "IN" | I\N | CH | HS
`,
  ],
  [
    'a A {}',
    String.raw`
192.0.2 | 192.0.2.256 | 192.0.2.01 | 0xC0000201 | 3221225985 | 192.0.2.1. | 192.0.2.1/24 | 192.0.2.1 192.0.2.2
"192.0.2.1" | 192.0.2.\049 | 2001:db8::1 | www | \# 4 C0000201 | A
`,
  ],
  [
    'a AAAA {}',
    String.raw`
2001:db8::1 | 2001:DB8:0:0:0:0:0:1 | :: | ::ffff:192.0.2.1 | [2001:db8::1] | 2001:db8::1%eth0 | 2001:db8::/64
2001:db8::1::2 | 2001:db8:0:0:0:0:0:00001 | 192.0.2.1 | \# 16 20010DB8000000000000000000000001
`,
  ],
  [
    'a CNAME {}',
    String.raw`
b | @ | b.example.com. | b.example.com | B.Example.NET. | x._domainkey.example.net. | b.c | . | net. | 192.0.2.1
192.0.2.1. | 2001:db8::1 | http://x.example.net | http://x.example.net/ | x.example.net/path | post@example.net
a\.b.example.net. | a\046b.example.net. | \098.example.net. | b c | bücher.example.net. | "b" | \# 3 016200
-b.example.net. | *.example.net.
`,
  ],
  ['a NS {}', 'ns1.example.net. | ns1.example.net | 192.0.2.1 | ns_1.example.net.'],
  [
    '@ MX {}',
    String.raw`
10 mail | 10 mail.example.net. | 10 192.0.2.1 | 10 192.0.2.1. | 10 . | 0 . | mail.example.net.
10 mail.example.net. 20 | 1e1 mail.example.net. | 0x10 mail.example.net. | 10. mail.example.net.
+5 mail.example.net. | -5 mail.example.net. | 05 mail.example.net. | 000010 mail.example.net.
65535 mail.example.net. | 65536 mail.example.net. | "10" mail.example.net. | 1\048 mail.example.net.
١٠ mail.example.net. | 10 http://mail.example.net | 10 mail_1.example.net. | \# 4 000A016100
`,
  ],
  [
    '_sip._tcp SRV {}',
    String.raw`
5 10 5060 sip.example.net. | 5 10 5060 sip | 5 10 5060 192.0.2.1 | 5 10 5060 . | 0x5 10 5060 sip.example.net.
5 1e1 5060 sip.example.net. | 5 10 5060. sip.example.net. | 5 10 65536 sip.example.net. | 5 10 http sip.example.net.
5 10 sip.example.net. | \# 7 0005000A13C400
`,
  ],
  [
    'a TXT {}',
    String.raw`
"hello" | hello | hello world | "hello" "world" | "hello"" world" | "hello"world | hello"world" | "a;b" | a;b | a\;b
"a\"b" | "a\\b" | "a\b" | a\"b | a\ b | "\059" | "\097" | "\195\169" | "\195" "\169" | "é" | é | "😀" | "\255" | "\195"
"\000" | "\009" | "\010" | "\127" | "\256" | "\999" | "\1" | "\12" | "\12a" | \ | "a\" | "a | a" | "" | "a" "" | " a "
"a  b" | "	tab" | "\"quoted\"" | "\"" | "'" | 'a b' | "(a)" | (a) | ( "a" "b" ) | "a" ) "b" | ( "a" | \# 2 0161
\# 3 0161 | "\# 2 0161" | "\#" 2 0161 | # 2 0161 | @ | $ | $b | .b | "" .b | “curled” | "“curled”" | "v=spf1 mx -all"
v=spf1 mx -all | v=DKIM1; k=rsa; p=AAAA | "v=DKIM1; k=rsa; p=AAAA" | v=DKIM1\; p=AAAA
`,
  ],
  [
    '@ CAA {}',
    String.raw`
0 issue "letsencrypt.org" | 0 issue letsencrypt.org | 0 ISSUE "letsencrypt.org" | 128 issuewild ";" | 0 issue ";"
0 issue ; | 0 issue "" | 0 issue "ca.example; account=1" | 0 issue " ca.example " | 0 issue "é.org"
0 issue "\233.org" | 0 issue "a\046b.org" | 0 issue "a" "b" | 0 iodef "mailto:security@example.com"
0 iodef "security@example.com" | 0 whatever "a" | 0 contactemail "a@example.com" | 0 contactemail "a\"b@example.com"
255 issue "a.example" | 256 issue "a.example" | 0x1 issue "a.example" | 1e1 issue "a.example" | +1 issue "a.example"
0 issue | \# 8 000569737375653B
`,
  ],
  [
    '{}',
    String.raw`
a\ | a A | @ CNAME b.example.net. | * NS ns1.example.net. | @ NS ns2.hosting.example.
sip SRV 5 10 5060 sip.example.net. | _sip._tcp.eu SRV 5 10 5060 sip.example.net. | a TXT | a SPF "v=spf1 -all"
a IN 1h TXT "é" | a IN 300 TXT @ | a IN 300 CAA 0 ISSUE "ca.example.net" | a CH TXT "a" | a in a 192.0.2.1
a "A" 192.0.2.1 | a \A 192.0.2.1 | a TYPE1 192.0.2.1 | a TYPE1 \# 4 C0000201 | a TYPE65280 \# 0
a DNAME b.example.net. | a PTR b.example.net. | a HTTPS 1 . alpn=h2
a SSHFP 1 1 0123456789012345678901234567890123456789 | a | a IN | a 300 | lonely thing
`,
  ],
];

const joined = [
  'a A 192.0.2.1\n  A 192.0.2.2',
  'a A 192.0.2.1\n\tTXT "b"',
  'a A 192.0.2.1\n  300 A 192.0.2.2',
  'a A 192.0.2.1\n  IN A 192.0.2.2',
  'a 300 A 192.0.2.1\n  A 192.0.2.2',
  'a A 192.0.2.1\n\n ; only a comment\n  A 192.0.2.2',
  'a A 192.0.2.1 ; a comment',
  'a A 192.0.2.1;a comment',
  'a A 192.0.2.1 // a comment',
  'a A 192.0.2.1 # a comment',
  'a A (\n192.0.2.1\n)',
  'a ( A 192.0.2.1 )',
  'a A ( 192.0.2.1 ; here\n )',
  'a TXT ( "b"\n"c" )',
  'a TXT ( "b" ; "x"\n  "c" )\nd A 192.0.2.1',
  'a TXT "b\nc"',
  'a TXT "b\\\nc"',
  'a A 192.0.2.1\r\nb A 192.0.2.2',
  'a A 192.0.2.1\na A 192.0.2.1',
  'a A 192.0.2.1\na 300 A 192.0.2.1',
  'a A 192.0.2.1\na A 192.0.2.2',
  'a CNAME b\na A 192.0.2.1',
  'a CNAME b\na CNAME c',
  'a CNAME a',
  'a MX 10 m\na MX 20 m',
  'A A 192.0.2.1\na A 192.0.2.2',
  '$ORIGIN eu.example.com.\na A 192.0.2.1',
  '$ORIGIN eu.example.com.\n@ A 192.0.2.1',
  '$ORIGIN eu\na A 192.0.2.1',
  '$ORIGIN eu\n$ORIGIN de\na A 192.0.2.1',
  '$ORIGIN example.com\na A 192.0.2.1',
  '$ORIGIN .\na.example.com A 192.0.2.1',
  '$ORIGIN .\na.example.com. A 192.0.2.1',
  '$ORIGIN e\\u.example.com.\na A 192.0.2.1',
  '$ORIGIN eu.example.com. more\na A 192.0.2.1',
  '$ORIGIN\na A 192.0.2.1',
  '$origin eu.example.com.\na A 192.0.2.1',
  '$ORIGIN eu.example.com. ; comment\na A 192.0.2.1',
  '$TTL 300\na A 192.0.2.1',
  '$TTL 5m\na A 192.0.2.1',
  '$TTL 300\na A 192.0.2.1\n$TTL 600\nb A 192.0.2.2',
  '$TTL 1e3\na A 192.0.2.1',
  '$TTL\na A 192.0.2.1',
  '$TTL 3\\048\\048\na A 192.0.2.1',
  '$TTL 300 600\na A 192.0.2.1',
  '$TTL 21600\na A 192.0.2.1',
  '$INCLUDE other.zone',
  '$GENERATE 1-3 a$ A 192.0.2.$',
  'www\u00a0A 192.0.2.1',
  'www A\u00a0192.0.2.1',
  'www\u200b A 192.0.2.1',
  'a TXT "b\u00a0c"',
  '\ufeffa A 192.0.2.1',
  'ｗｗｗ A 192.0.2.1',
  `a TXT "${long('x', 255)}"`,
  `a TXT "${long('x', 256)}"`,
  `a TXT "${long('é', 127)}"`,
  `a TXT "${long('é', 128)}"`,
  `a TXT "${long('é', 127)}" "${long('é', 73)}"`,
  `a TXT "${long('x', 254)}é"`,
  `a TXT "${long('x', 254)}" "é"`,
  `a TXT ${long(`"${long('x', 200)}" `, 6)}`,
  `a TXT ${long(`"${long('x', 200)}" `, 5)}`,
  `${long('a', 63)} A 192.0.2.1`,
  `${long('a', 64)} A 192.0.2.1`,
  `${long('abcdefghi.', 24)}a A 192.0.2.1`,
  `${long('abcdefghi.', 25)}a A 192.0.2.1`,
  `a CNAME ${long('b', 64)}.example.net.`,
  `a CNAME ${long('abcdefghi.', 25)}bcd.`,
  `a CNAME ${long('abcdefghi.', 25)}bcde.`,
];

const soa = '@ SOA ns1.hosting.example. hostmaster.example.com. 1 10800 3600 604800 3600';
const wholes = [
  `   A 192.0.2.1\n${soa}\n@ NS ns1.hosting.example.`,
  `   300 A 192.0.2.1\n   ${soa}\n   @ NS ns1.hosting.example.`,
  `   IN A 192.0.2.1\n   ${soa}\n   @ NS ns1.hosting.example.`,
  `   300 IN A 192.0.2.1\n   ${soa}\n   @ NS ns1.hosting.example.`,
  `   a A 192.0.2.1\n   ${soa}\n   @ NS ns1.hosting.example.`,
  `$TTL 3600\n${soa}\n  NS ns1.hosting.example.\na A 192.0.2.1`,
  `$TTL 3600\n@ IN SOA ns1.hosting.example. hostmaster.example.com. (\n 1 ; serial\n 10800 3600 604800 3600 )\n@ NS ns1.hosting.example.`,
  `${soa}\n@ NS ns1.hosting.example.\na A 192.0.2.1`,
  `@ 300 SOA ns1.hosting.example. hostmaster.example.com. 1 10800 3600 604800 3600\n@ 600 NS ns1.hosting.example.\na A 192.0.2.1`,
];

const fill = ([form, parts]: readonly [string, string]) =>
  parts.split(/ \| |\n/).flatMap((part) => (part === '' ? [] : [form.replace('{}', () => part)]));

export const fixedTexts: readonly string[] = [...forms.flatMap(fill), ...joined, ...wholes];
