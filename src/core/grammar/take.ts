import type { ArgShape, CommandShape } from './shapes.ts';
import type { Token } from './tokens.ts';

/** Assigns words to arguments where the order of the words alone does not say what people meant. */

/** `www.example.com` → `example.com www`, where the command takes a domain and then what is in it. */
export function splitNames(
  command: CommandShape,
  tokens: readonly Token[],
  domains: readonly string[],
): readonly Token[] {
  const [first, ...rest] = tokens;
  if (first === undefined || !Object.values(command.args)[0]?.splits) return tokens;
  const typed = first.text.toLowerCase().replace(/\.$/, '');
  const known = domains.map((domain) => domain.toLowerCase());
  const above = known.filter((domain) => typed.endsWith(`.${domain}`)).sort((a, b) => b.length - a.length)[0];
  if (above === undefined || known.includes(typed)) return tokens;
  const host = typed.slice(0, -above.length - 1);
  return [{ text: above, isQuoted: false }, { text: host, isQuoted: false }, ...rest];
}

/**
 * The next word, unless another argument knows it: `rescue web-1 on` and `stats web-1 24h` mean what they say. Where an
 * argument takes all the words that are left, the order is what tells them apart.
 */
export function takeWord(words: Token[], arg: ArgShape, later: readonly ArgShape[]): Token[] {
  const [first] = words;
  if (first === undefined || later.some((other) => other.place === 'rest')) return words.splice(0, 1);
  if (arg.fits === undefined) {
    const unclaimed = words.findIndex((word) => !later.some((other) => other.fits?.(word.text)));
    return words.splice(Math.max(0, unclaimed), 1);
  }
  const at = words.findIndex((word) => arg.fits?.(word.text));
  if (at >= 0) return words.splice(at, 1);
  const isForLater = arg.optional && later.some((other) => other.fits?.(first.text));
  return isForLater ? [] : words.splice(0, 1);
}
