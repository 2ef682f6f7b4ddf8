import { Refusal } from '../view/errors.ts';
import type { CommandShape } from './command-shape.ts';
import { bareWord } from './polite.ts';
import { isByPosition } from './take.ts';
import type { Token } from './tokens.ts';

/** Words without meaning between the host and the type: `www type A`, `www to CNAME`. */
const between: ReadonlySet<string> = new Set(['to', 'type', 'record']);

/**
 * Parses a record in the notation of zone files: in `www 300 IN A 192.0.2.1`, the class and the TTL precede the type
 * and would otherwise be parsed as the host. The TTL becomes the option.
 */
export function readRecordLine({ args }: CommandShape, words: readonly Token[], raw: Record<string, string[]>) {
  const placed = Object.values(args).filter(isByPosition);
  const host = placed.findIndex(({ standIn }) => standIn !== undefined);
  const type = placed[host + 1];
  if (host < 0 || type?.fits === undefined) return [...words];
  const isType = (token: Token | undefined) => token !== undefined && type.fits?.(token.text) === true;
  // `mx A 192.0.2.1`: the first type word is the host.
  const at = words.findIndex((word, index) => index >= host && isType(word) && !isType(words[index + 1]));
  if (at <= host) return [...words];
  const left: Token[] = [];
  for (const [index, word] of words.slice(host, at).entries()) {
    const { text, isQuoted } = word;
    const isTtl = !isQuoted && /^\d+[smhd]?$/i.test(text) && Object.hasOwn(args, 'ttl') && raw.ttl === undefined;
    if (!isQuoted && (text === 'IN' || between.has(bareWord(word)))) continue;
    if (!isTtl) left.push(word);
    else if (left.length > 0 || words[host + index + 1]?.text === 'IN') raw.ttl = [text];
    else
      throw new Refusal('not_understood', `\`${text}\` may be the host or the TTL.`, {
        hint: `Write \`@\` for the domain itself and \`ttl=${text}\` for the TTL, or \`host=${text}\`.`,
      });
  }
  return [...words.slice(0, host), ...left, ...words.slice(at)];
}
