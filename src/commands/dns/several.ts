import { type RecordType, usesPrio } from '../../core/dns/record.ts';
import { inQuotes, quote } from '../../core/grammar/tokens.ts';
import { Refusal } from '../../core/view/errors.ts';

interface Typed {
  readonly verb: 'add' | 'set';
  readonly domain: string;
  readonly host: string;
  readonly type: RecordType;
  /** Unquoted text is one value; each quoted text is another. */
  readonly words: readonly string[];
  readonly ttl: number | undefined;
  readonly isEach: boolean;
}

/** The typed values for one name, one for each record. */
export function valuesOf({ verb, domain, host, type, words, ttl, isEach }: Typed): readonly string[] {
  const text = words.join(' ');
  if (type === 'A' || type === 'AAAA' || type === 'NS') return split(text);
  if (usesPrio(type)) return text.split(',').map((value) => value.trim());
  if (type !== 'TXT' || words.length < 2) return [text];
  // Certificates of a name and its wildcard are validated at the same time: their values are never one text.
  if (isEach || host.startsWith('_acme-challenge')) return words;
  const start = `dns ${verb} ${quote(domain)} ${quote(host)} TXT`;
  const end = ttl === undefined ? '' : ` ttl=${ttl}`;
  throw new Refusal('ambiguous', `${words.length} texts are quoted: separate records, or one long text?`, {
    suggestions: [
      { label: `${words.length} records`, command: `${start} ${words.map(inQuotes).join(' ')} each=yes${end}` },
      { label: 'One text', command: `${start} ${inQuotes(words.join(''))}${end}` },
    ],
    field: 'value',
  });
}

function split(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
