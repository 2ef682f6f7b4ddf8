import { recordTypes } from '../dns/record.ts';
import { wordSet } from '../text/words.ts';
import type { Refusal } from '../view/errors.ts';
import { guessing } from './did-you-mean.ts';
import { placeFirst } from './other-order.ts';
import { bareWord } from './polite.ts';
import { retype, type Token } from './tokens.ts';

/** Finds removals of things other than orders: `remove web-1 from favorites`. The verb alone would cancel an order. */

interface Removal {
  /** The words that identify this removal. */
  readonly about: RegExp;
  readonly path: string;
}

const verbs = wordSet('delete remove destroy terminate rm del');
/** Words around the names, which a command does not take. */
const around = wordSet('the a an my our from in of for on to me please');

const types = recordTypes.join('|').toLowerCase();
const isType = new RegExp(`^(?:${types})$`);
const removals: readonly Removal[] = [
  { about: /^favou?rites?$/, path: 'unfavorite' },
  { about: /^(?:domain|zone)$/, path: 'dns domain-remove' },
  { about: new RegExp(`^(?:dns|records?|subdomain|entry|${types})$`), path: 'dns remove' },
  { about: /^project$/, path: 'project remove' },
  { about: /^alerts?$/, path: 'alerts off' },
  { about: /^networks?$/, path: 'net delete' },
];

/** A command that may have been meant, with the names for it. */
interface Meant {
  readonly path: string;
  readonly names: readonly Token[];
}

/** Undefined when the line names an order, as far as its words tell. */
export function removalOf(
  tokens: readonly Token[],
): { readonly meant: readonly Meant[]; readonly refusal: Refusal } | undefined {
  const [first, ...rest] = tokens;
  const verb = first === undefined ? '' : bareWord(first);
  if (!verbs.has(verb)) return undefined;
  // `delete a server`: the article is not a record type.
  const remaining = rest.filter((token, index) => index > 0 || bareWord(token) !== 'a');
  const match = removals.find(({ about }) => remaining.some((token) => about.test(bareWord(token))));
  // `web-1 from the project Website`
  const names = placeFirst(remaining, (word) => ['from', 'of', 'in'].includes(word)).filter((token) => {
    const word = bareWord(token);
    return isType.test(word) || !(around.has(word) || match?.about.test(word));
  });
  if (match !== undefined) return offer(verb, [{ path: match.path, names }]);
  const [name] = names;
  // A domain may also be an order, so both commands are offered.
  if (names.length !== 1 || name === undefined || !/^(?=.*\p{L})[^\s/:]+\.\p{L}{2,}$/u.test(name.text))
    return undefined;
  // A name below a domain has records; a domain may be an order as well.
  if (name.text.split('.').length > 2) return offer(verb, [{ path: 'dns remove', names }]);
  return offer(verb, [
    { path: 'dns domain-remove', names },
    { path: 'cancel', names },
  ]);
}

function offer(verb: string, meant: readonly Meant[]): { readonly meant: readonly Meant[]; readonly refusal: Refusal } {
  const guesses = meant.map(({ path, names }) => ({ path, line: [path, ...names.map(retype)].join(' ') }));
  return { meant, refusal: guessing(`\`${verb}\` is not a command.`, guesses) };
}
