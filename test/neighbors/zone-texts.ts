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

const names = String.raw`
www A 192.0.2.1
WWW A 192.0.2.1
@ A 192.0.2.1
* A 192.0.2.1
*.dev A 192.0.2.1
a.b.c A 192.0.2.1
a*b A 192.0.2.1
_dmarc A 192.0.2.1
www.example.com. A 192.0.2.1
www.Example.COM. A 192.0.2.1
www.example.com A 192.0.2.1
www.example.org. A 192.0.2.1
example.com. A 192.0.2.1
example.com A 192.0.2.1
-a A 192.0.2.1
a- A 192.0.2.1
a_b A 192.0.2.1
xn--bcher-kva A 192.0.2.1
bücher A 192.0.2.1
straße A 192.0.2.1
0 A 192.0.2.1
300 A 192.0.2.1
in A 192.0.2.1
a A 192.0.2.1
"www" A 192.0.2.1
a..b A 192.0.2.1
.a A 192.0.2.1
a/b A 192.0.2.1
a,b A 192.0.2.1
a=b A 192.0.2.1
\@ A 192.0.2.1
a\.b A 192.0.2.1
a\046b A 192.0.2.1
\097 A 192.0.2.1
\www A 192.0.2.1
a\ b A 192.0.2.1
a\;b A 192.0.2.1
a\"b A 192.0.2.1
\* A 192.0.2.1
\_dmarc A 192.0.2.1
a\999 A 192.0.2.1
a\1 A 192.0.2.1
a\
@. A 192.0.2.1
. A 192.0.2.1
www.. A 192.0.2.1
`;

const addresses = String.raw`
a A 192.0.2
a A 192.0.2.256
a A 192.0.2.01
a A 0xC0000201
a A 3221225985
a A 192.0.2.1.
a A 192.0.2.1/24
a A 192.0.2.1 192.0.2.2
a A "192.0.2.1"
a A 192.0.2.\049
a A 2001:db8::1
a A www
a A \# 4 C0000201
a A
a AAAA 2001:db8::1
a AAAA 2001:DB8:0:0:0:0:0:1
a AAAA ::
a AAAA ::ffff:192.0.2.1
a AAAA [2001:db8::1]
a AAAA 2001:db8::1%eth0
a AAAA 2001:db8::/64
a AAAA 2001:db8::1::2
a AAAA 2001:db8:0:0:0:0:0:00001
a AAAA 192.0.2.1
a AAAA \# 16 20010DB8000000000000000000000001
`;

const targets = String.raw`
a CNAME b
a CNAME @
a CNAME b.example.com.
a CNAME b.example.com
a CNAME B.Example.NET.
a CNAME x._domainkey.example.net.
a CNAME b.c
a CNAME .
a CNAME net.
a CNAME 192.0.2.1
a CNAME 192.0.2.1.
a CNAME 2001:db8::1
a CNAME http://x.example.net
a CNAME http://x.example.net/
a CNAME x.example.net/path
a CNAME post@example.net
a CNAME a\.b.example.net.
a CNAME a\046b.example.net.
a CNAME \098.example.net.
a CNAME b c
a CNAME bücher.example.net.
a CNAME "b"
a CNAME \# 3 016200
a CNAME -b.example.net.
a CNAME *.example.net.
@ CNAME b.example.net.
a NS ns1.example.net.
a NS ns1.example.net
a NS 192.0.2.1
a NS ns_1.example.net.
* NS ns1.example.net.
@ NS ns2.hosting.example.
@ MX 10 mail
@ MX 10 mail.example.net.
@ MX 10 192.0.2.1
@ MX 10 192.0.2.1.
@ MX 10 .
@ MX 0 .
@ MX mail.example.net.
@ MX 10 mail.example.net. 20
@ MX 1e1 mail.example.net.
@ MX 0x10 mail.example.net.
@ MX 10. mail.example.net.
@ MX +5 mail.example.net.
@ MX -5 mail.example.net.
@ MX 05 mail.example.net.
@ MX 000010 mail.example.net.
@ MX 65535 mail.example.net.
@ MX 65536 mail.example.net.
@ MX "10" mail.example.net.
@ MX 1\048 mail.example.net.
@ MX ١٠ mail.example.net.
@ MX 10 http://mail.example.net
@ MX 10 mail_1.example.net.
@ MX \# 4 000A016100
_sip._tcp SRV 5 10 5060 sip.example.net.
_sip._tcp SRV 5 10 5060 sip
_sip._tcp SRV 5 10 5060 192.0.2.1
_sip._tcp SRV 5 10 5060 .
_sip._tcp SRV 0x5 10 5060 sip.example.net.
_sip._tcp SRV 5 1e1 5060 sip.example.net.
_sip._tcp SRV 5 10 5060. sip.example.net.
_sip._tcp SRV 5 10 65536 sip.example.net.
_sip._tcp SRV 5 10 http sip.example.net.
_sip._tcp SRV 5 10 sip.example.net.
sip SRV 5 10 5060 sip.example.net.
_sip._tcp.eu SRV 5 10 5060 sip.example.net.
_sip._tcp SRV \# 7 0005000A13C400
`;

const texts = String.raw`
a TXT "hello"
a TXT hello
a TXT hello world
a TXT "hello" "world"
a TXT "hello"" world"
a TXT "hello"world
a TXT hello"world"
a TXT "a;b"
a TXT a;b
a TXT a\;b
a TXT "a\"b"
a TXT "a\\b"
a TXT "a\b"
a TXT a\"b
a TXT a\ b
a TXT "\059"
a TXT "\097"
a TXT "\195\169"
a TXT "\195" "\169"
a TXT "é"
a TXT é
a TXT "😀"
a TXT "\255"
a TXT "\195"
a TXT "\000"
a TXT "\009"
a TXT "\010"
a TXT "\127"
a TXT "\256"
a TXT "\999"
a TXT "\1"
a TXT "\12"
a TXT "\12a"
a TXT \
a TXT "a\"
a TXT "a
a TXT a"
a TXT ""
a TXT
a TXT "a" ""
a TXT " a "
a TXT "a  b"
a TXT "	tab"
a TXT "\"quoted\""
a TXT "\""
a TXT "'"
a TXT 'a b'
a TXT "(a)"
a TXT (a)
a TXT ( "a" "b" )
a TXT "a" ) "b"
a TXT ( "a"
a TXT \# 2 0161
a TXT \# 3 0161
a TXT "\# 2 0161"
a TXT "\#" 2 0161
a TXT # 2 0161
a TXT @
a TXT $
a TXT $b
a TXT .b
a TXT "" .b
a TXT “curled”
a TXT "“curled”"
a TXT "v=spf1 mx -all"
a TXT v=spf1 mx -all
a TXT v=DKIM1; k=rsa; p=AAAA
a TXT "v=DKIM1; k=rsa; p=AAAA"
a TXT v=DKIM1\; p=AAAA
a SPF "v=spf1 -all"
`;

const caa = String.raw`
@ CAA 0 issue "letsencrypt.org"
@ CAA 0 issue letsencrypt.org
@ CAA 0 ISSUE "letsencrypt.org"
@ CAA 128 issuewild ";"
@ CAA 0 issue ";"
@ CAA 0 issue ;
@ CAA 0 issue ""
@ CAA 0 issue "ca.example; account=1"
@ CAA 0 issue " ca.example "
@ CAA 0 issue "é.org"
@ CAA 0 issue "\233.org"
@ CAA 0 issue "a\046b.org"
@ CAA 0 issue "a" "b"
@ CAA 0 iodef "mailto:security@example.com"
@ CAA 0 iodef "security@example.com"
@ CAA 0 whatever "a"
@ CAA 0 contactemail "a@example.com"
@ CAA 0 contactemail "a\"b@example.com"
@ CAA 255 issue "a.example"
@ CAA 256 issue "a.example"
@ CAA 0x1 issue "a.example"
@ CAA 1e1 issue "a.example"
@ CAA +1 issue "a.example"
@ CAA 0 issue
@ CAA \# 8 000569737375653B
`;

const lives = String.raw`
a 300 A 192.0.2.1
a IN A 192.0.2.1
a 300 IN A 192.0.2.1
a IN 300 A 192.0.2.1
a 5m A 192.0.2.1
a 1h A 192.0.2.1
a 1H A 192.0.2.1
a 1d IN A 192.0.2.1
a 60m A 192.0.2.1
a 300s A 192.0.2.1
a 1h0m A 192.0.2.1
a 30m30m A 192.0.2.1
a 60 A 192.0.2.1
a 0 A 192.0.2.1
a 2147483647 A 192.0.2.1
a 2147483648 A 192.0.2.1
a 99999999999 A 192.0.2.1
a 1e3 A 192.0.2.1
a 0x12c A 192.0.2.1
a 300. A 192.0.2.1
a +300 A 192.0.2.1
a -300 A 192.0.2.1
a 5x A 192.0.2.1
a 1h30 A 192.0.2.1
a 3\048\048 A 192.0.2.1
a "300" A 192.0.2.1
a 300 300 A 192.0.2.1
a 300 600 A 192.0.2.1
a IN IN A 192.0.2.1
a IN 300 IN A 192.0.2.1
a 300 IN 300 A 192.0.2.1
a "IN" A 192.0.2.1
a I\N A 192.0.2.1
a CH A 192.0.2.1
a IN 1h TXT "é"
a IN 300 TXT @
a IN 300 CAA 0 ISSUE "ca.example.net"
a HS A 192.0.2.1
a CH TXT "a"
a in a 192.0.2.1
a A A
a "A" 192.0.2.1
a \A 192.0.2.1
a TYPE1 192.0.2.1
a TYPE1 \# 4 C0000201
a TYPE65280 \# 0
a DNAME b.example.net.
a PTR b.example.net.
a HTTPS 1 . alpn=h2
a SSHFP 1 1 0123456789012345678901234567890123456789
a
a IN
a 300
lonely thing
`;

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

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

export const fixedTexts: readonly string[] = [
  ...[names, addresses, targets, texts, caa, lives].flatMap(lines),
  ...joined,
  ...wholes,
];
