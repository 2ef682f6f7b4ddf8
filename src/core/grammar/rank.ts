import { wordSet } from '../text/words.ts';
import { timeAt } from '../time/said-time.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { typedFor } from './phrases.ts';
import { bareWord } from './polite.ts';
import type { Token } from './tokens.ts';
import { fillers, negations, vocabulary } from './vocabulary.ts';

/** Ranks the commands that a line may mean, by the words of it that each explains. */

export interface Ranked<C> {
  readonly command: C;
  readonly score: number;
  /** The words that are its arguments. */
  readonly rest: readonly Token[];
  /** The words without a use. */
  readonly left: readonly Token[];
}

const verbs: ReadonlySet<string> = new Set(vocabulary.flatMap(([, [list = []]]) => list));

/** `restarting` and `restart`, `servers` and `server` are one word. */
function stem(word: string): string {
  const plain = word.replace(/'(?:s|re|m|ve|ll|d)$/, '').replaceAll("'", '');
  const single = plain.length > 3 && /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain;
  if (single.length <= 5 || !single.endsWith('ing')) return single;
  const base = single.slice(0, -3);
  return [base, `${base}e`, base.slice(0, -1)].find((candidate) => verbs.has(candidate)) ?? single;
}

type Part = 'verb' | 'thing' | 'question';
interface Phrase {
  readonly path: string;
  readonly part: Part;
  readonly words: readonly string[];
}

/** Words of a question that may be missing or others. */
const light = wordSet('is are was were the a an do does did we i you it my our me to of for in on');

function phraseOf(path: string, part: Part, typed: string): Phrase {
  const all = typed.split(/[ -]/).map(stem);
  const heavy = all.filter((word) => !light.has(word));
  return { path, part, words: part === 'question' && heavy.length > 1 ? heavy : all };
}

const parts: readonly Part[] = ['verb', 'thing', 'question'];
const phrases: readonly Phrase[] = [
  ...vocabulary.flatMap(([path, lists]) =>
    lists.flatMap((list, at) => list.map((phrase) => phraseOf(path, parts[at] ?? 'verb', phrase))),
  ),
  ...[...typedFor].flatMap(([path, { alsoCalled, phrases }]) =>
    [...alsoCalled, ...Object.keys(phrases)].map((phrase) =>
      phraseOf(path, phrase.includes(' ') ? 'question' : 'verb', phrase),
    ),
  ),
];
const byFirst: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(phrases, ({ words }) => words[0] ?? '');
const allWords: ReadonlySet<string> = new Set(phrases.flatMap(({ words }) => words));

/** The commands whose verbs are said of other things, too. */
const needThing: ReadonlySet<string> = new Set(
  vocabulary.flatMap(([path, [, things = []]]) => (things.length > 0 ? path : [])),
);

/** `remove`, which other commands say of a project or a record. */
const shared: ReadonlySet<string> = new Set(
  vocabulary.flatMap(([path]) => (path.includes(' ') ? (path.split(' ').at(-1) ?? []) : [])),
);

const mostBetween = 3;

/** The positions of a phrase that begins here; other words may stand between its own. */
function positionsOf(stems: readonly string[], start: number, { words, part }: Phrase): readonly number[] | undefined {
  const positions = [start];
  for (const word of words.slice(1)) {
    const from = (positions.at(-1) ?? start) + 1;
    const next = stems.slice(from, from + (part === 'thing' ? 1 : mostBetween)).indexOf(word);
    if (next < 0) return undefined;
    positions.push(from + next);
  }
  return positions;
}

type Explained = Partial<Record<Part, readonly number[]>>;

/** The longest phrase of each part, by the path of the command. */
function explained(stems: readonly string[]): Map<string, Explained> {
  const byPath = new Map<string, Explained>();
  for (const [at, word] of stems.entries())
    for (const phrase of byFirst.get(word) ?? []) {
      const positions = positionsOf(stems, at, phrase) ?? [];
      const parts = byPath.get(phrase.path) ?? {};
      if (positions.length > (parts[phrase.part]?.length ?? 0)) parts[phrase.part] = positions;
      if (positions.length > 0) byPath.set(phrase.path, parts);
    }
  return byPath;
}

/** `reboot-instances` is two words, as both are known. */
function apart(token: Token): readonly Token[] {
  if (token.isQuoted || !/^\p{L}+(?:-\p{L}+)+$/u.test(token.text)) return [token];
  const words = token.text.split('-');
  return words.every((word) => allWords.has(stem(word.toLowerCase())))
    ? words.map((text) => ({ text, isQuoted: false }))
    : [token];
}

const isName = (word: string) => /[\d.@#]/.test(word) && /^[\p{L}\p{N}_.:@/#<>|*[\]-]+$/u.test(word);
const isDomain = (word: string) => /^[\w*-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(word);
const isPlace = (word: string) => isDomain(word) || /^\p{L}[\p{L}-]*\d+$|^\d+(?:\.\d+){3}$/u.test(word);
/** These words begin a question, which changes nothing. */
const asking = wordSet('what who when why how which where is are does did has have was were may');

interface Line {
  readonly tokens: readonly Token[];
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** The positions of times. */
  readonly times: ReadonlySet<number>;
  /** The position of `because`, or the end. */
  readonly because: number;
}

function lineOf(typed: readonly Token[]): Line {
  const tokens = typed.flatMap(apart);
  const words = tokens.map(bareWord);
  const times = new Set<number>();
  let end = 0;
  for (const at of words.keys()) {
    if (at >= end) end = timeAt(words, at)?.end ?? at;
    if (at < end) times.add(at);
  }
  const because = words.indexOf('because');
  return { tokens, words, stems: words.map(stem), times, because: because < 0 ? words.length : because };
}

/** The commands that the words of a line may mean, the likeliest first. */
export function rank<C extends CommandShape>(typed: readonly Token[], commands: readonly C[]): readonly Ranked<C>[] {
  const line = lineOf(typed);
  const byPath = explained(line.stems);
  // A name alone asks how it is.
  if (line.words.some((word) => isName(word) && !isDomain(word))) byPath.set('status', byPath.get('status') ?? {});
  return commands
    .flatMap((command) => {
      const parts = byPath.get(command.path);
      return (parts && rankedAs(command, line, parts)) ?? [];
    })
    .sort((a, b) => b.score - a.score);
}

function rankedAs<C extends CommandShape>(
  command: C,
  { tokens, words, stems, times, because }: Line,
  { verb = [], thing = [], question = [] }: Explained,
): Ranked<C> | undefined {
  const isRead = command.kind === 'query';
  if (!isRead && verb.length + question.length === 0) return undefined;
  const takes = placesOf(command);
  let score = weigh(verb, 2, 1) + weigh(thing, 1, 1) + weigh(question, 0, 2);
  if (!isRead && asking.has(stems[0] ?? '')) score -= 4;
  const rest: number[] = [];
  const left: number[] = [];
  const bare: number[] = [];
  let names = 0;
  for (const [at, token] of tokens.entries()) {
    const word = words[at] ?? '';
    const isChoice = token.text !== 'a' && takes.choices.some(({ fits }) => fits?.(token.text));
    if (!isRead && (at >= because || token.isQuoted)) rest.push(at);
    else if (verb.includes(at) || question.includes(at) || (thing.includes(at) && !isChoice)) continue;
    else if (times.has(at)) (isRead && !takes.time ? left : rest).push(at);
    else if (isChoice || isName(word)) {
      const isWelcome = isChoice || takes.filter || takes.names || (takes.domain && isDomain(word));
      score += isWelcome ? 1 : -1;
      if (takes.domain && isDomain(word)) score += 1;
      if (isWelcome) names += 1;
      (isWelcome ? rest : left).push(at);
    } else if (fillers.has(word) || fillers.has(stems[at] ?? '')) {
      if (!isRead && /^(?:to|from|on|in|for|until|by)$/.test(word)) rest.push(at);
    } else (allWords.has(stems[at] ?? '') || negations.has(word) || token.text.startsWith('-') ? left : bare).push(at);
  }
  if (isRead && thing.length + question.length === 0 && names === 0) return undefined;
  const isAbout =
    thing.length + question.length > 0 || words.some(takes.domain ? isDomain : takes.order ? isPlace : () => false);
  if (!isRead && !isAbout && (takes.domain || needThing.has(command.path))) return undefined;
  const isVague = verb.length > 0 && verb.every((at) => shared.has(stems[at] ?? ''));
  if (command.risk === 'destructive' && isVague && thing.length + question.length === 0) return undefined;
  if (names > 1 && takes.isOne) score -= 2;
  // A name without digits, of a server or of a host.
  const isNamed = takes.names && names === 0 && bare.length === 1;
  if (isNamed || (takes.domain && !isRead && bare.length <= 2)) rest.push(...bare.splice(0));
  const unused = [...left, ...bare];
  const tokensAt = (positions: readonly number[]) =>
    positions.toSorted((a, b) => a - b).flatMap((at) => tokens[at] ?? []);
  return { command, score: score - Math.min(1, unused.length / 4), rest: tokensAt(rest), left: tokensAt(unused) };
}

const weigh = (positions: readonly number[], once: number, each: number) =>
  positions.length === 0 ? 0 : once + each * positions.length;

/** The kinds of words for which a command has a place. */
function placesOf({ path, kind, args }: CommandShape) {
  const typed = Object.values(args).filter(({ place }) => place !== 'form');
  const placed = typed.filter(({ place }) => place !== 'option');
  // An argument that fits any word tells nothing.
  const isChoice = ({ fits }: ArgShape) => fits !== undefined && !fits('zzyzx');
  return {
    names: placed.some(({ isName }) => isName),
    domain: path.startsWith('dns '),
    order: !path.includes(' '),
    isOne: !placed.some(({ many, place }) => many === true || place === 'rest'),
    filter: kind === 'query' && placed.some(({ place, isName }) => place === 'rest' && !isName),
    time: typed.some(({ takes }) => takes !== undefined),
    choices: typed.filter(isChoice),
  };
}
