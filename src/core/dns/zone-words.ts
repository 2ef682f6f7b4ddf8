import type { Refusal } from '../view/errors.ts';
import { cut, wrong } from './names.ts';
import { meaningOf } from './quoted.ts';
import { textIn, ttlInSeconds } from './read-value.ts';
import type { Word } from './zone-lines.ts';

/** Parses the words of a line of zone text. */

/** Splits off the optional TTL and class, which precede the type in either order. */
export function readHead(words: readonly Word[]): { readonly ttl: string | undefined; readonly rest: readonly Word[] } {
  const length = words.findIndex((word) => !isHead(word));
  const head = length < 0 ? words : words.slice(0, length);
  const [ttl, ...moreTtls] = head.filter(isTtl);
  const [named, ...moreClasses] = head.filter(isClass);
  if (moreTtls.length > 0) throw no('It has more than one ttl.', 'Leave one of them out.');
  if (moreClasses.length > 0) throw no('It has more than one class.', 'Leave it out or write IN.');
  if (named !== undefined && named.text.toUpperCase() !== 'IN')
    throw no(`The class ${named.text.toUpperCase()} is not kept here.`, 'Leave it out or write IN.');
  if (ttl !== undefined && ttlInSeconds(plain(ttl)) === undefined)
    throw no(`${cut(ttl.text)} is not a ttl.`, 'Write seconds, or a span such as 5m or 1h.');
  return { ttl: ttl?.text, rest: words.slice(head.length) };
}

/** True for a word that may precede the type. */
export function isHead(word: Word): boolean {
  return isTtl(word) || isClass(word);
}

/** No type begins with a digit. */
function isTtl({ text, isQuoted }: Word): boolean {
  return !isQuoted && /^\d/.test(text);
}

function isClass({ text, isQuoted }: Word): boolean {
  return !isQuoted && ['IN', 'CH', 'CS', 'HS'].includes(text.toUpperCase());
}

/** A word that must not be quoted or escaped. Names that need an escape cannot exist here. */
export function plain({ text, isQuoted }: Word): string {
  if (isQuoted) throw no(`${cut(`"${text}"`)} is in quotes, which only a text has.`, 'Write it without them.');
  if (!text.includes('\\')) return text;
  throw no(`${cut(text)} has a \\ in it, which means something in texts only.`, 'Write it without the \\.');
}

export function textOf(strings: readonly Word[]): string {
  return textIn(meaningOf(strings.map(({ text }) => text)), 'zone');
}

export function no(text: string, hint: string): Refusal {
  return wrong(text, hint, 'zone');
}
