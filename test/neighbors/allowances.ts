import type { ZoneTool } from './zone-tools.ts';

/** The intended differences between Hostler and DNS tools: each is a row of docs/dns.md, which has the reason. */

interface Allowance {
  /** The first cell of its row. */
  readonly row: string;
  /** Hostler's words about a text that every tool accepts. */
  readonly refusal?: RegExp;
  /** The texts that Hostler accepts or reads differently. */
  readonly text?: RegExp;
  /** The tools that differ; any by default. */
  readonly only?: readonly ZoneTool[];
}

export const allowances: readonly Allowance[] = [
  { row: 'A TTL that the provider does not have', refusal: /The provider has no ttl of|2147483648 is not a ttl/ },
  { row: 'Other types than the eight', refusal: /The provider has no records of type/ },
  {
    row: 'A name with a hyphen at its edge, `*` inside or a `/`; a mail or name server with `_`',
    refusal: /cannot be a host|is not a host name|DNS names have no paths/,
  },
  { row: 'A name that ends with the domain and has no dot behind it', refusal: /has no dot at its end/ },
  { row: 'A `\\` in a name or a number', refusal: /has a \\ in it/ },
  { row: 'Data as `\\# 4 C0000201`', refusal: /Data in the form \\# is not read/ },
  { row: 'A target that is an address', refusal: /points at a name, and .+ is an address/ },
  { row: 'A target that is `.` or has one part only', refusal: /null MX|The root \(\.\)|is not a full name/ },
  { row: 'An SRV record at another name than `_service._proto`', refusal: /is not the name of an SRV record/ },
  {
    row: 'An empty text, one above 1024 characters, control characters, bytes that are not UTF-8',
    refusal: /The text is empty|a record holds at most 1024|control character|not UTF-8/,
  },
  {
    row: 'CAA with a tag that is not known, or a value that does not fit its tag',
    refusal: /CAA has no tag|iodef names where|is not the name of a certificate authority/,
  },
  { row: 'A CNAME that leads to itself', refusal: /would point at itself/ },
  { row: 'One MX or SRV record twice with two prios', refusal: /has the same with prio/ },
  { row: 'Letters such as `ü` in a name', text: /^\S*[^\p{ASCII}\u200b\ufeff]\S* A |CNAME bücher/u },
  { row: 'Spaces of other kinds and invisible characters outside of quotes', text: /[\u00a0\u200b\ufeff](?!c")/ },
  { row: 'Curly quotes around a text', text: /[“”]/ },
  { row: 'A text that is indented as a whole', text: /^ {3}a A .+\n {3}@ SOA/ },
  { row: 'A string of more than 255 bytes', text: /"[^"]{128,}"/, only: ['named', 'nsd', 'ldns', 'knot'] },
  {
    row: "Records without a TTL where no `$TTL` says one, or where it is the 21600 of the provider's file",
    text: /^(?!\$TTL 3600)[^$]*SOA|\$TTL 21600/,
  },
  { row: 'Two TTLs for one name and type', text: /\b300 A\b.*\n.*A |A .*\n.*\b300 A\b/, only: ['named', 'ldns'] },
  { row: 'Raw UTF-8 in a text, and lines that end as on Windows', text: /[^\p{ASCII}]|\r\n/u, only: ['knot'] },
  { row: 'A string that touches the next one', text: /(?:[^\s"]|\\ )"\S|"[^\s"]*"\S/, only: ['knot', 'ldns'] },
  { row: '`@` as a text, or one that begins with `$` or `.`', text: /TXT.* [@$.]/, only: ['nsd'] },
  {
    row: 'CAA with a value that is not quoted, or a tag in capitals',
    text: /CAA \d+ ([A-Z]|\S+ [^"])/,
    only: ['ldns', 'nsd'],
  },
  { row: 'The class in front of the TTL', text: /IN (300|1h)/, only: ['ldns'] },
  {
    row: '`$ORIGIN` without a dot, or in small letters',
    text: /\$ORIGIN \w+\n|\$origin/,
    only: ['knot', 'nsd', 'ldns'],
  },
  { row: 'A name server below the domain without an address', text: / NS /, only: ['knot'] },
];
