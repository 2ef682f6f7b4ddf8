import { z } from 'zod';
import { list, nearest, parseSpan, second } from '../text/words.ts';
import { cut, isHostName, readTarget, wrong } from './names.ts';
import { type Meaning, quotedString, undoQuotes, unquoted } from './quoted.ts';
import { type RecordType, type TtlSeconds, ttlSeconds, usesPrio } from './record.ts';

/** Parses and validates the values of records by type. */

/**
 * Converts a value to the provider's form. MX and SRV values may begin with their prio, as in zone files. `kept` is the
 * record's present prio, which stays if no other is given.
 */
export function readValue(
  type: RecordType,
  typed: string,
  domain: string,
  prio: { readonly typed: number | undefined; readonly kept: number | null },
) {
  const words = undoQuotes(typed).trim().split(/\s+/);
  const leading = usesPrio(type) && words.length === (type === 'MX' ? 2 : 4) ? wholeNumber(words[0]) : undefined;
  const value = readers[type](leading === undefined ? typed : words.slice(1).join(' '), domain);
  return { value, prio: readPrio(type, prio.typed, leading, prio.kept) };
}

function readPrio(type: RecordType, typed: number | undefined, leading: number | undefined, kept: number | null) {
  const no = (text: string, hint: string) => wrong(text, hint, 'prio');
  if (!usesPrio(type)) {
    if (typed === undefined) return null;
    throw no(`${type} records have no prio.`, 'Leave it out; only MX and SRV have one.');
  }
  if (typed !== undefined && leading !== undefined && typed !== leading) {
    throw no(`prio is ${typed}, and the value begins with ${leading}.`, 'Give it once.');
  }
  const prio = typed ?? leading ?? kept;
  if (prio === null) {
    const example = type === 'MX' ? '10 mail.example.com' : '5 10 5060 sip.example.com (prio, weight, port, target)';
    throw no(`${type} needs a prio: the lowest is asked first.`, `Give prio=10, or write the value as ${example}.`);
  }
  if (Number.isInteger(prio) && prio >= 0 && prio <= 65_535) return prio;
  throw no('The prio does not fit.', 'It should be a whole number from 0 to 65535.');
}

/** Digits only: `1e1`, `0x10` and `+5` are numbers in JavaScript, but not for DNS tools. */
function wholeNumber(word = ''): number {
  return /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
}

type Read = (typed: string, domain: string) => string;

const readers: Readonly<Record<RecordType, Read>> = {
  A: (typed) => {
    const value = typed.trim();
    if (z.ipv4().safeParse(value).success) return value;
    if (z.ipv6().safeParse(value).success) throw wrong(`${value} is an IPv6 address.`, 'Its type is AAAA.');
    const hint = addressHint(value, 'four numbers from 0 to 255, like 192.0.2.10');
    throw wrong(`\`${cut(value)}\` is not an IPv4 address.`, hint);
  },
  AAAA: (typed) => {
    const value = typed.trim().replace(/^\[(.*)\]$/, '$1');
    if (z.ipv6().safeParse(value).success) return value.toLowerCase();
    if (z.ipv4().safeParse(value).success) throw wrong(`${value} is an IPv4 address.`, 'Its type is A.');
    const hint = addressHint(value, 'written like 2001:db8::10, without a zone or prefix');
    throw wrong(`\`${cut(value)}\` is not an IPv6 address.`, hint);
  },
  CNAME: (typed, domain) => readTarget(typed, domain, 'CNAME'),
  NS: (typed, domain) => readTarget(typed, domain, 'NS'),
  MX: (typed, domain) => readTarget(typed, domain, 'MX'),
  SRV: (typed, domain) => {
    const [weight = '', port = '', target = '', ...more] = typed.trim().split(/\s+/);
    if (target === '' || more.length > 0 || !isUint16(weight) || !isUint16(port)) {
      const hint = 'Write weight, port and target: 10 5060 sip.example.com; the prio has its own place.';
      throw wrong(`\`${cut(typed)}\` is not an SRV value.`, hint);
    }
    return `${Number(weight)} ${Number(port)} ${readTarget(target, domain, 'SRV')}`;
  },
  CAA: readCaa,
  TXT: readTxt,
};

function addressHint(value: string, hint: string): string {
  return /[a-z]/i.test(value) && /^[\w.*-]+$/.test(value)
    ? 'To point at a name the type is CNAME.'
    : `It should be ${hint}.`;
}

function isUint16(word: string): boolean {
  return /^\d{1,5}$/.test(word) && Number(word) <= 65_535;
}

const caaTags = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone'] as const;

function readCaa(typed: string): string {
  const [, flags = '', word = '', rest = ''] = /^(\d{1,3})\s+(\S+)\s+([\s\S]+)$/.exec(undoQuotes(typed).trim()) ?? [];
  const how = 'Write flags, tag and value: 0 issue "letsencrypt.org".';
  if (word === '') throw wrong(`\`${cut(typed)}\` is not a CAA value.`, how);
  if (Number(flags) > 255) throw wrong(`The flags of a CAA record are 0 to 255, not ${flags}.`, how);
  const tag = word.toLowerCase();
  if (!caaTags.some((candidate) => candidate === tag)) {
    const near = nearest(tag, caaTags);
    throw wrong(`CAA has no tag \`${cut(word)}\`.`, near ? `Did you mean ${near}?` : `Its tags are ${list(caaTags)}.`);
  }
  const value = caaText(rest, how);
  if (tag === 'iodef' && !/^(mailto:[!-?A-~]+@[!-~]+|https?:\/\/[!-~]+)$/i.test(value)) {
    throw wrong('iodef names where reports go.', 'Write it as mailto:security@example.com or an https URL.');
  }
  if (tag.startsWith('issue') && !isIssuer(value)) {
    const text = `\`${cut(value)}\` is not the name of a certificate authority.`;
    throw wrong(text, 'Write it like letsencrypt.org, or ; to allow none.');
  }
  return `${Number(flags)} ${tag} ${quotedString(value)}`;
}

function caaText(rest: string, how: string): string {
  const isOne = /^"(?:[^"\\]|\\[\s\S])*"$/.test(rest);
  const text = textIn((isOne ? unquoted(rest) : undefined) ?? { text: rest });
  if (!isOne && rest.includes('"')) throw wrong('The quotes of the CAA value do not match.', how);
  if (control.test(text)) throw wrong('The CAA value has a control character in it.', how);
  return text.trim();
}

/** The optional name of the authority and its parameters: `letsencrypt.org; validationmethods=dns-01`. */
function isIssuer(value: string): boolean {
  const [issuer = ''] = value.split(';');
  const name = issuer.trim().toLowerCase();
  return (name === '' || isHostName(name)) && /^[ -~]*$/.test(value);
}

const longestTxt = 1024;

function readTxt(typed: string): string {
  const text = undoQuotes(typed).trim();
  const value = textIn(unquoted(text) ?? { text });
  if (value === '') throw wrong('The text is empty.', 'Give at least one character.');
  if (value.startsWith('"') && unquoted(text) === undefined) {
    const hint = 'Leave the quotes out; they are added where DNS needs them.';
    throw wrong('The text begins with a quote that does not close.', hint);
  }
  if (control.test(value)) {
    throw wrong('The text has a line break or another control character in it.', 'Write it as one line.');
  }
  if (value.length > longestTxt) {
    const text = `The text has ${value.length} characters, and a record holds at most ${longestTxt}.`;
    throw wrong(text, 'Shorten it; a DKIM key of 2048 bits needs about 410.');
  }
  const foreign = /^v=(spf1|dkim1|dmarc1)\b/i.test(value) ? /[^\p{ASCII}]/u.exec(value)?.[0] : undefined;
  if (foreign !== undefined) {
    const text = `\`${foreign}\` is not allowed in such a record; a keyboard may have put it there.`;
    throw wrong(text, 'Type that place again with plain characters.');
  }
  // The provider parses a value that begins with a quote as quoted strings, and trims other values.
  return /^["\s]|\s$/.test(value) ? quotedString(value) : value;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const control = /[\u0000-\u001f\u007f]|\p{Surrogate}/u;

/** Refuses a text that cannot be stored. */
export function textIn(meaning: Meaning, field = 'value'): string {
  if ('text' in meaning) return meaning.text;
  throw wrong(`The text cannot be kept: ${meaning.fault}`, 'Write the characters themselves, in quotes.', field);
}

/** Parses `300`, `5m`, `1h` into one of the provider's choices, or refuses with the nearest. */
export function readTtl(word: string): TtlSeconds {
  const seconds = ttlInSeconds(word);
  if (seconds === undefined)
    throw wrong(`\`${cut(word)}\` is not a ttl.`, 'Write seconds, or a span such as 5m or 1h.', 'ttl');
  const ttl = ttlSeconds.find((candidate) => candidate === seconds);
  if (ttl !== undefined) return ttl;
  const near = ttlSeconds.reduce((best, candidate) =>
    Math.abs(candidate - seconds) < Math.abs(best - seconds) ? candidate : best,
  );
  const hint = `The nearest is ${near}; there are ${list(ttlSeconds.map(String))}.`;
  throw wrong(`The provider has no ttl of ${seconds}.`, hint, 'ttl');
}

const longestTtl = 2_147_483_647;

/** Parses a ttl in the notation of zone files: `3600`, `1h`, `1h30m`. Undefined above the maximum of DNS. */
export function ttlInSeconds(word: string): number | undefined {
  const wanted = word.trim();
  const seconds = /^\d{1,10}$/.test(wanted) ? Number(wanted) : (parseSpan(wanted) ?? Number.NaN) / second;
  return seconds <= longestTtl ? seconds : undefined;
}
