import { z } from 'zod';
import { orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { type Arg, choice, domain, flag, integer, option, text, type ValuesOf } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { readTtl, ttlInSeconds } from '../../core/dns/read-value.ts';
import { recordTypes, sayTtl, type TtlSeconds, ttlSeconds, usesPrio } from '../../core/dns/record.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { looselyOne } from '../../core/grammar/loosely.ts';
import { inQuotes, quote } from '../../core/grammar/tokens.ts';
import { isCalled } from '../../core/targets/targets.ts';
import { Refusal } from '../../core/view/errors.ts';

/** The fields of a record as arguments. The plan validates host and value, since it knows the domain and the type. */

const choices = ttlSeconds.map((seconds) => ({ value: String(seconds), label: `${sayTtl(seconds)} (${seconds})` }));

/** A choice in the form; typed as 300, 5m or 1h. */
export const ttl: Arg<TtlSeconds | undefined> = option({
  ...choice({
    of: choices.map(({ value }) => value),
    hint: 'How long answers are cached, such as 300, 5m or 1h.',
    after: ['ttl'],
  }),
  label: 'TTL',
  options: choices,
  fieldValue: (word) => ttlInSeconds(word)?.toString(),
  read: ([word = '']) => readTtl(word),
  show: (seconds) => [String(seconds)],
  targets: () => [],
});

export const prio: Arg<number | undefined> = {
  ...option(integer({ hint: 'For MX and SRV only. Senders try the lowest first.', min: 0, max: 65_535 })),
  isAsked: ({ type: [chosen = ''] = [] }) => usesPrio(chosen.toUpperCase()),
};

export const host: Arg<string> = {
  alsoCalled: ['name'],
  ...text({
    hint: 'Such as www. Use @ for the domain itself and * for all other names.',
    example: 'www',
    schema: z.string().trim().min(1, 'www, or @ for the domain itself').max(512, 'at most 253 characters'),
  }),
  standIn: '@',
};

export const type = {
  ...choice({ of: recordTypes, hint: `One of ${recordTypes.join(', ')}.` }),
  impliedBy: (word: string) => {
    // Accepts numbers that are too large, so that the refusal is about the address and not the type.
    if (/^\d+(\.\d+){3}$/.test(word)) return 'A';
    if (canonicalAddress(word) === undefined) return undefined;
    return word.includes(':') ? 'AAAA' : 'A';
  },
};

export const value = text({
  hint: 'The address, name or text. For MX and SRV it may begin with the prio.',
  example: '192.0.2.10',
  place: 'rest',
  schema: z.string().min(1, 'what the name should answer').max(4_000, 'at most 1024 characters'),
});

const values: Arg<readonly string[]> = {
  ...value,
  keepsQuotes: true,
  read: (words, reading) => [value.read(words, reading)].flatMap(() => words),
  show: (words) => words,
  targets: () => [],
};

/** The domain of the records; `www.example.com` names the domain and the host at once. */
export const recordsOf = domain({ hint: 'A domain of the account.', example: 'example.com', splits: true });

/** The arguments for a whole record, for `dns add` and `dns set`. A field of a form is one value, never several. */
export const recordArgs = {
  domain: recordsOf,
  host,
  type,
  value: values,
  ttl,
  prio,
  each: { ...flag({ hint: 'Make each quoted text a separate record.' }), isTypedOnly: true },
};

type Typed = Omit<ValuesOf<typeof recordArgs>, 'domain' | 'prio'> & { readonly domain: string };

/** The typed values for one name, one for each record. Unquoted text is one value; each quoted text is another. */
export function valuesOf(verb: 'add' | 'set', { domain, host, type, value: words, ttl, each }: Typed) {
  const text = words.join(' ');
  if (type === 'A' || type === 'AAAA' || type === 'NS') return text.split(/[\s,]+/).filter((word) => word !== '');
  if (usesPrio(type)) return text.split(',').map((word) => word.trim());
  if (type !== 'TXT' || words.length < 2) return [text];
  // Certificates of a name and its wildcard are validated at the same time: their values are never one text.
  if (each || host.startsWith('_acme-challenge')) return words;
  const start = `dns ${verb} ${quote(domain)} ${quote(host)} TXT`;
  const end = ttl === undefined ? '' : ` ttl=${ttl}`;
  const suggestions = [
    { label: `${words.length} records`, command: `${start} ${words.map(inQuotes).join(' ')} each=yes${end}` },
    { label: 'One text', command: `${start} ${inQuotes(words.join(''))}${end}` },
  ];
  const why = `${words.length} texts are quoted: separate records, or one long text?`;
  throw new Refusal('ambiguous', why, { suggestions, field: 'value' });
}

/** Fills in the address of a server that is named as the value: `dns point www.example.com to web-2`. */
export async function withAddress(raw: RawArgs, { account, may }: ReadContext): Promise<RawArgs> {
  const [word, second] = raw.value ?? [];
  if (word === undefined || second !== undefined || raw.type !== undefined) return raw;
  const seen = (await account()).orders.filter((order) => may('read', orderTarget(order)));
  const named = seen.filter((order) => isCalled(order, word.toLowerCase()));
  const server = named.length === 1 ? named[0] : looselyOne(word, seen);
  const address = server?.addresses[0];
  const kind = address === undefined ? undefined : type.impliedBy(address);
  return address === undefined || kind === undefined ? raw : { ...raw, type: [kind], value: [address] };
}
