import { risks } from '../policy/policy.ts';
import { allNearest, phraseList, wordSet } from '../text/words.ts';
import type { CommandShape } from './command-shape.ts';
import { type Wish, wishes } from './not-possible.ts';

/** The words by which people mean each command, from the literals of the commands. */

/** A command, or a wish without a command. */
export type Sense<C> = { readonly command: C } | { readonly impossible: Wish };

/** A change needs a verb or a question; a thing alone is enough for a read. */
export type Part = 'verb' | 'thing' | 'question';

export interface Phrase<C> {
  readonly sense: Sense<C>;
  readonly part: Part;
  readonly words: readonly string[];
  /** No other words stand between its own. */
  readonly isFixed: boolean;
  /** The phrase as people type it, and its words. */
  readonly spelling: string;
  readonly typed: readonly string[];
  /** The words that it stands for behind the command's name; a final colon stands before the next word. */
  readonly adds?: string;
}

export interface Lexicon<C> {
  readonly byFirst: ReadonlyMap<string, readonly Phrase<C>[]>;
  /** Names, verbs and questions by their first word as typed. */
  readonly byHead: ReadonlyMap<string, readonly Phrase<C>[]>;
  readonly words: ReadonlySet<string>;
  /** The words of verbs, things and wishes. */
  readonly heavy: ReadonlySet<string>;
  /** The names of arguments. */
  readonly keys: ReadonlySet<string>;
  /** The words of the names of commands. */
  readonly names: ReadonlySet<string>;
  /** The words of wishes for which there is no command. */
  readonly wishes: ReadonlySet<string>;
  /** Verbs that only changes have. */
  readonly changes: ReadonlySet<string>;
}

const parts: readonly Part[] = ['verb', 'thing', 'question'];
/** Words of a question that may be missing or others. */
export const light = wordSet('is are was were has have had the a an do does did we i you it my our me to of for in on');

/** `servers` and `server` are one word. */
function single(word: string): string {
  const plain = word.replace(/'(?:s|re|m|ve|ll|d)$/, '').replaceAll("'", '');
  return plain.length > 3 && /[^su]s$/.test(plain) && !/^(?:this|does)$/.test(plain) ? plain.slice(0, -1) : plain;
}

function phraseOf<C>(sense: Sense<C>, part: Part, typed: string): Phrase<C> {
  const [spelling = '', adds] = typed.split(/ = ?/);
  const all = spelling.split(/ |(?<=\w)-/).map(single);
  const heavy = all.filter((word) => !light.has(word));
  const words = part === 'question' && heavy.length > 1 ? heavy : all;
  const isLight = words.length < 4 && words.every((word) => fillers.has(word));
  const isFixed = part === 'question' && (words[0] === 'who' || isLight);
  return { sense, part, words, isFixed, spelling, typed: spelling.split(' '), ...(adds === undefined ? {} : { adds }) };
}

function phrasesOf<C>(sense: Sense<C>, words: string): Phrase<C>[] {
  return words.split('|').flatMap((list, at) => {
    const part = parts[at];
    return part === undefined || list.trim() === '' ? [] : phraseList(list).map((each) => phraseOf(sense, part, each));
  });
}

/** Kept with the list of commands, which a process makes once. */
const lexicons = new WeakMap<readonly CommandShape[], Lexicon<CommandShape>>();

export function lexiconOf<C extends CommandShape>(commands: readonly C[]): Lexicon<C> {
  const kept = lexicons.get(commands);
  if (kept !== undefined) return kept as Lexicon<C>;
  const phrases = [
    ...commands.flatMap((command) => {
      const sense = { command };
      const name = phraseOf(sense, command.path.includes(' ') ? 'question' : 'verb', command.path);
      const unhyphened = command.path.replaceAll('-', ' ');
      const spaced = { ...name, spelling: unhyphened, typed: unhyphened.split(' ') };
      return [name, ...(spaced.spelling === command.path ? [] : [spaced]), ...phrasesOf(sense, command.words ?? '')];
    }),
    ...wishes.flatMap((impossible) => phrasesOf<C>({ impossible }, `||${impossible.words}`)),
  ];
  const isRead = ({ sense }: Phrase<C>) => 'command' in sense && sense.command.kind === 'query';
  const wordsOf = (some: readonly Phrase<C>[]) => new Set(some.flatMap(({ words }) => words));
  const reads = wordsOf(phrases.filter((phrase) => phrase.part !== 'question' && isRead(phrase)));
  const verbs = wordsOf(phrases.filter((phrase) => phrase.part === 'verb' && !isRead(phrase)));
  const lexicon = {
    byFirst: Map.groupBy(phrases, ({ words }) => words[0] ?? ''),
    byHead: Map.groupBy(
      phrases.filter(({ part, sense }) => part !== 'thing' && 'command' in sense),
      ({ typed }) => typed[0] ?? '',
    ),
    words: wordsOf(phrases),
    heavy: wordsOf(phrases.filter(({ part, sense }) => part !== 'question' || 'impossible' in sense)),
    keys: new Set(
      commands.flatMap(({ args }) =>
        Object.entries(args).flatMap(([name, { alsoCalled = [] }]) => [name, ...alsoCalled]),
      ),
    ),
    names: new Set(commands.flatMap(({ path }) => path.split(/[ -]/).map(single))),
    wishes: wordsOf(phrases.filter(({ sense, words }) => 'impossible' in sense && words.length === 1)),
    changes: verbs.difference(reads),
  };
  lexicons.set(commands, lexicon);
  return lexicon;
}

/** The word of the lexicon that was typed: `restarting` is `restart`. */
export function stem(word: string, words: ReadonlySet<string>): string {
  const typed = single(word);
  return words.has(typed) ? typed : baseOf(word, words);
}

export function baseOf(word: string, words: ReadonlySet<string>): string {
  const typed = single(word);
  if (typed.length <= 4) return typed;
  const base = typed.replace(/(?:ing|ed)$/, '');
  const doubled = /([^aeiou])\1$/.test(base) ? base.slice(0, -1) : base;
  return base === typed ? typed : ([base, `${base}e`, doubled].find((each) => words.has(each)) ?? typed);
}

/** The word that was mistyped, of at least five letters; at the beginning, a word of a name may have four. */
export function mistyped(word: string, at: number, { words, names, byFirst, changes }: Lexicon<CommandShape>) {
  const isShort = word.length < 5;
  if (!/^\p{L}{3,}$/u.test(word) || (isShort && at > 1) || (word.startsWith('un') && words.has(word.slice(2))))
    return undefined;
  const most = word.length < 8 ? 1 : 2;
  const isNear = (each: string) => Math.abs(each.length - word.length) <= (changes.has(each) ? 1 : most);
  const like = [...(isShort ? names : words)].filter((each) => each.length >= 4 && isNear(each) && each[0] === word[0]);
  const { words: near, distance } = allNearest(word, like);
  const riskOf = (each: string) =>
    Math.min(
      ...(byFirst.get(each) ?? []).map(({ sense }) =>
        'command' in sense ? risks.indexOf(sense.command.risk ?? 'destructive') : 0,
      ),
    );
  const [first] = near.toSorted((a, b) => riskOf(a) - riskOf(b));
  return first !== undefined && distance <= (changes.has(first) ? 1 : most) ? first : undefined;
}

/** Words that say nothing about what is meant. */
export const fillers = wordSet(
  `a an the my our your their its this that these those it i you we he she they me us them one some any please pls
   plz kindly could can would will should may might must do does did is are was were be been being have has had having am
   to of for from on in into at by with and so as if then than there here now just also only again still yet very
   really quick quickly asap doing thanks thank thx hi hello hey dear good morning evening afternoon ok okay sorry
   want need like know tell see possible someone somebody nobody anyone everyone today hostler host bot
   server servers machine vps site website page what which when where who how why until till show get give print display view grep |`,
);

/** Words before names that are not meant. */
export const exceptions = wordSet('except but without unless other instead excluding besides');

/** Words that say what is not meant. */
export const negations = exceptions.union(wordSet('not no never dont wont nobody'));
