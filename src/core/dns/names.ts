import { z } from 'zod';
import { shortened } from '../text/words.ts';
import { badValue, type Refusal } from '../view/errors.ts';
import { bare, fullName, type RecordType, relativeHost } from './record.ts';

/** Names in records: the host of a record and the names that it points to. */

const longestName = 253;
const longestLabel = 63;

/** Parses `www`, `www.example.com`, `@` and `*` as a host relative to the domain. A refusal states the correct form. */
export function readHost(word: string, domain: string, type: RecordType): string {
  const typed = word.trim();
  const no = (text: string, hint: string) => wrong(text, hint, 'host');
  refuseUrl(typed, 'host');
  const isAbsolute = typed.endsWith('.');
  const host = relativeHost(toAscii(typed), domain);
  if (isAbsolute && host === bare(toAscii(typed))) {
    throw no(`${typed} is not in ${domain}.`, `Give the name below ${domain}, such as www, or @ for itself.`);
  }
  const labels = host.split('.');
  const bad = labels.find((label, index) => !(index === 0 && (label === '*' || host === '@')) && !isLabel(label, true));
  if (bad !== undefined) throw no(`\`${cut(typed)}\` cannot be a host: ${whyNot(bad)}.`, hostHint);
  const name = fullName(host, domain);
  if (name.length > longestName)
    throw no(`${cut(name)} is longer than ${longestName} characters.`, 'Choose a shorter one.');
  if (type === 'SRV' && !/^_[a-z0-9-]+\._[a-z0-9-]+(\.|$)/.test(host)) {
    throw no(`\`${cut(host)}\` is not the name of an SRV record.`, 'Write it as _service._proto: _sip._tcp.');
  }
  if (type === 'NS' && labels[0] === '*') {
    throw no('A wildcard cannot be delegated with NS.', 'Name the host below it that you mean.');
  }
  return host;
}

const hostHint = 'Hosts are like www, api.eu, _dmarc, @ for the domain itself, * for every name that has no records.';

/** Parses a name that a record points to into the full name without its final dot. */
export function readTarget(word: string, domain: string, type: 'CNAME' | 'NS' | 'MX' | 'SRV'): string {
  const typed = word.trim();
  if (typed === '.') {
    const nullMx = 'A null MX, which says that the domain accepts no mail, cannot be set here.';
    const text = type === 'MX' ? nullMx : `The root (.) cannot be the target of ${type} here.`;
    throw wrong(text, 'The target of a record is a full name, such as mail.example.com.');
  }
  refuseUrl(typed, 'value');
  if (typed === '@') return domain;
  const name = bare(toAscii(typed));
  if (z.ipv4().safeParse(name).success || z.ipv6().safeParse(name).success) {
    const own = name.includes(':') ? 'AAAA' : 'A';
    const first = `Give the address a name with an ${own} record first, and that name here.`;
    const hint = type === 'CNAME' ? `For an address the type is ${own}.` : first;
    throw wrong(`${type} points at a name, and ${name} is an address.`, hint);
  }
  if (typed.includes('@')) {
    throw wrong(`\`${cut(typed)}\` is a mail address.`, 'Give the name of the mail server: mail.example.com.');
  }
  const labels = name.split('.');
  // CNAMEs point to names such as x._domainkey.example.com; mail and name servers are hosts, whose names have no _.
  const bad = labels.find((label) => !isLabel(label, type === 'CNAME'));
  if (bad !== undefined || name.length > longestName) {
    const why = bad === undefined ? `it is longer than ${longestName} characters` : whyNot(bad);
    throw wrong(`\`${cut(typed)}\` is not a host name: ${why}.`, `Write it like shop.${domain}.`);
  }
  if (labels.length === 1) {
    throw wrong(`\`${name}\` is not a full name.`, `Do you mean ${name}.${domain}? Write it out.`);
  }
  return name;
}

export function readDomainName(word: string): string {
  const typed = word.trim();
  refuseUrl(typed, 'name');
  const name = bare(toAscii(typed));
  const labels = name.split('.');
  const bad = labels.find((label) => !isLabel(label, false));
  if (bad === undefined && labels.length > 1 && name.length <= 128 && !/^\d+$/.test(labels.at(-1) ?? '')) return name;
  const ending = labels.length < 2 ? 'it has no ending such as .com' : 'its ending is a number';
  const why = bad !== undefined ? whyNot(bad) : labels.length > 1 && name.length > 128 ? 'it is too long' : ending;
  throw wrong(`\`${cut(typed)}\` is not a domain: ${why}.`, 'Write it like example.com.', 'name');
}

/** True for a possible name: not an address, URL, path or mail address. */
export function isTypedName(word: string): boolean {
  return !/[/:@]/.test(word.replace(/^@$/, '')) && !z.ipv4().safeParse(bare(word)).success;
}

/** True for a host name in DNS form: plain letters in lower case. */
export function isHostName(name: string): boolean {
  return name.length <= longestName && name.split('.').every((label) => isLabel(label, false));
}

function isLabel(label: string, mayUnderscore: boolean): boolean {
  const pattern = mayUnderscore ? /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/ : /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
  return label.length <= longestLabel && pattern.test(label);
}

function whyNot(label: string): string {
  if (label === '') return 'two dots have nothing between them';
  if (label.length > longestLabel) return `\`${cut(label)}\` is longer than ${longestLabel} characters`;
  if (label.includes('*')) return '* can only be the whole first part';
  if (/^-|-$/.test(label)) return `\`${label}\` has a hyphen at its edge`;
  if (/\s/.test(label)) return 'it has a space in it';
  const char = (unfit.exec(label) ?? /[^a-z0-9-]/.exec(label))?.[0] ?? '';
  return `\`${char === '`' ? "'" : char}\` is not allowed in it`;
}

function refuseUrl(typed: string, field: string): void {
  const [, host] = /^[a-z][a-z0-9+.-]*:\/\/([^/:?#]*)/i.exec(typed) ?? [];
  if (host !== undefined) throw wrong(`\`${cut(typed)}\` is a URL.`, `Give only the name: ${host}`, field);
  const text = `\`${cut(typed)}\` is not a name: DNS names have no paths.`;
  if (typed.includes('/')) throw wrong(text, 'Leave out the / and what follows.', field);
}

/** ASCII characters that no name contains. In a URL, some end the host: `bücher:80`, `bücher?x`, `me@bücher`. */
const unfit = /[\p{ASCII}--[\w.*\-]]/v;

/** Converts other letters to xn--…, their form in DNS; a label that cannot be converted stays and is refused later. */
export function toAscii(name: string): string {
  return name.normalize('NFKC').split(/[.。]/).map(labelToAscii).join('.').toLowerCase();
}

function labelToAscii(label: string): string {
  if (!/[^\p{ASCII}]/u.test(label) || unfit.test(label)) return label;
  // The suffix keeps digits from being parsed as an IPv4 address. Invisible characters alone yield an empty label.
  return URL.parse(`http://${label}.x`)?.hostname.slice(0, -2) || label;
}

export function wrong(text: string, hint: string, field = 'value'): Refusal {
  return badValue(text, hint, field);
}

export function cut(text: string): string {
  return shortened(text.replaceAll('`', "'"));
}
