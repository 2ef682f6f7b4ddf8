import { wordSet } from '../text/words.ts';
import { isNumber, type Rest, restsOf, type Sorted, sortWords } from './arrange.ts';
import type { CommandShape } from './command-shape.ts';
import { type Explained, endOf, explain, headOf, type Matched, type Sentence } from './explain.ts';
import { lexiconOf, type Sense } from './lexicon.ts';
import type { Names } from './loosely.ts';
import type { Wish } from './not-possible.ts';
import { type Places, placesOf } from './places.ts';
import { isDomain, isPerson, type LineWord, recognize } from './recognize.ts';
import type { Token } from './tokens.ts';

/** Ranks the commands that a line may mean, by the words of it that each explains. */

export interface Ranked<C> {
  readonly command: C;
  readonly score: number;
  /** The arguments that the line may have, the likeliest first. */
  readonly rests: readonly Rest[];
  /** A word of its phrases is mistyped. */
  readonly isSlip: boolean;
  /** The positions that its phrases explain, and those of the verb. */
  readonly explains: ReadonlySet<number>;
  readonly verb: readonly number[];
  /** The positions of its longest phrases. */
  readonly phrased: ReadonlySet<number>;
  /** All its arguments are names and choices. */
  readonly isPlain: boolean;
  /** The command takes a record of a domain. */
  readonly isRecord: boolean;
  readonly hasName: boolean;
}

/** The first words of a question, or of a request to see something, which changes nothing. */
const asking = wordSet(
  'can what who when why how which wich where is are does did has have was were may show display print list get see view whats',
);

/** The commands that the words of a line may mean, the likeliest first, and the answer to a wish without a command. */
export function rank<C extends CommandShape>(
  typed: readonly Token[],
  commands: readonly C[],
  names: Names,
): { readonly ranked: readonly Ranked<C>[]; readonly impossible?: Wish; readonly words: readonly LineWord[] } {
  const lexicon = lexiconOf(commands);
  const words = recognize(typed, lexicon, names);
  const end = endOf(words, lexicon);
  const [first] = words.filter(({ isTime }) => !isTime);
  // `mail-1 is stop?`, but not `please stop mail-1?`
  const isQuestion =
    typed.some(({ text }) => text.endsWith('?')) && words.some(({ bare }) => /^(?:is|are|was|were|did)$/.test(bare));
  const isAsking = isQuestion || asking.has(first?.stem ?? '');
  const line = { words, end, lexicon, isAsking };
  const senses = explain(line);
  // A name alone asks how it is.
  const status = lexicon.byFirst.get('status')?.find(({ spelling }) => spelling === 'status')?.sense;
  if (status !== undefined && words.some(({ isName, bare }) => isName && !isNumber(bare)))
    senses.set(status, senses.get(status) ?? { own: [], adds: '' });
  const ranked = [...senses].flatMap(([sense, explained]) =>
    'command' in sense ? (rankedAs(sense.command, line, explained) ?? []) : [],
  );
  ranked.sort((a, b) => b.score - a.score);
  const [best] = ranked;
  const asked = wishIn(senses, ranked);
  // `snapshots` alone asks for a list.
  const mayAsk = words.length > 1 || best === undefined;
  return {
    ranked,
    words,
    ...(asked && mayAsk && asked.score >= (best?.score ?? 0) && { impossible: asked.impossible }),
  };
}

const weights = { verb: { base: 2, each: 1 }, thing: { base: 1, each: 1 }, question: { base: 1, each: 2 } } as const;

const worthOf = ({ at, phrase }: Matched<unknown>) => weights[phrase.part].base + weights[phrase.part].each * at.length;

function rankedAs<C extends CommandShape>(command: C, line: Sentence<C>, explained: Explained<C>) {
  const { verb, thing, question, own } = explained;
  const isRead = command.kind === 'query';
  if (!isRead && verb === undefined && question === undefined) return undefined;
  const takes = placesOf(command);
  const sorted = sortWords(command, takes, line, explained);
  const about = aboutOf(takes, line.words);
  const isAbout = thing !== undefined || question !== undefined;
  const isOwnName = verb?.phrase.spelling === command.path;
  const isNothing = isRead
    ? !isAbout && verb === undefined && (sorted.named === 0 || sorted.strange.length > 3)
    : !isAbout && !about.isTarget && !about.isPeople && (takes.domain || (takes.needsThing && !isOwnName));
  if (isNothing) return undefined;
  const parts = [verb, thing, question].flatMap((part) => part ?? []);
  // Words of a text have their use.
  const left = takes.text ? [] : sorted.left.flatMap((at) => line.words[at] ?? []);
  const changes = left.filter(({ base }) => line.lexicon.changes.has(base)).length;
  const score =
    scoreOf(parts) +
    (isRead ? readScore(takes, sorted, explained) : changeScore(takes, sorted, about, explained)) +
    (takes.domain && !about.hasZone && sorted.named > 0 ? -1.5 : 0) +
    (line.isAsking === isRead ? 0 : isRead ? -1.5 * changes : -4) +
    Math.min(sorted.named, takes.domain ? 3 : takes.list ? 1 : 2) -
    (sorted.hasUnwelcome ? 1 : 0) -
    (sorted.filled > takes.room ? 1 : 0) -
    Math.min(3, left.filter(({ isTime, isName }) => !isTime && !isName).length) -
    Math.min(1, sorted.strange.length / 4);
  return {
    command,
    score,
    rests: restsOf(command, takes, line, explained, sorted),
    isSlip: parts.some(({ at }) => at.some((each) => line.words[each]?.isSlip)),
    explains: new Set(own),
    verb: verb?.at ?? question?.at ?? [],
    phrased: new Set(parts.flatMap(({ at }) => at)),
    isPlain: takes.isPlain,
    isRecord: takes.record,
    hasName: sorted.named > 0,
  };
}

/** The worth of the phrases; a word counts once. */
function scoreOf<C>(parts: readonly Matched<C>[]): number {
  if (parts.length === 0) return 1.5;
  let score = Math.max(...parts.map(({ at }) => headOf(at)));
  const counted = new Set<number>();
  for (const part of parts.toSorted((a, b) => worthOf(b) - worthOf(a))) {
    const more = part.at.filter((at) => !counted.has(at));
    if (more.length > 0) score += worthOf({ ...part, at: more });
    for (const at of more) counted.add(at);
  }
  return score;
}

/** The names of a line that a command with these places is about. */
function aboutOf(takes: Places, words: readonly LineWord[]) {
  const zones = words.filter(({ bare }) => isDomain(bare));
  const isBare = zones.length === 1 && /^[^.]+\.[^.]+$/.test(zones[0]?.bare ?? '');
  const isTarget =
    takes.domain || takes.isZone
      ? zones.length > 0 && (takes.record || (takes.isZone && isBare))
      : takes.order && words.some(({ isName }) => isName);
  const isPeople =
    takes.person && words.some(({ bare }) => isPerson(bare) || /^(?:every(?:one|body)|guests?|members)$/.test(bare));
  return { isBare, isTarget, isPeople, hasZone: zones.length > 0 };
}

function readScore<C>(takes: Places, { named }: Sorted, { verb, thing }: Explained<C>): number {
  const isServerless = named === 0 && verb === undefined && takes.isAboutServer;
  return (
    (takes.domain && named === 0 ? (thing === undefined ? -1.5 : -0.5) : 0) +
    (takes.isTargetFirst ? (named > 0 ? 0.5 : isServerless ? -1 : 0) : 0)
  );
}

function changeScore<C>(
  takes: Places,
  { named, strange }: Sorted,
  { isBare, isPeople }: ReturnType<typeof aboutOf>,
  { thing }: Explained<C>,
): number {
  // A domain alone is no record, and a host is no domain.
  const isOnlyZone = takes.record && isBare && named === 2 && strange.length === 0 && thing === undefined;
  const isHost = takes.isZone && !isBare && thing === undefined;
  return (isOnlyZone || isHost ? -2 : 0) + (takes.person && !isPeople ? -1.5 : 0);
}

/** The most words between the verb and a wish that is about the same. */
const mostApart = 2;

/** The wish without a command that most words say, unless a longer phrase of a command says them. */
function wishIn<C extends CommandShape>(senses: ReadonlyMap<Sense<C>, Explained<C>>, ranked: readonly Ranked<C>[]) {
  const isInside = (at: readonly number[]) =>
    [...senses.values()].some(({ verb, thing, question }) =>
      [verb, thing, question].some(
        (part) => part && part.at.length > at.length && at.every((each) => part.at.includes(each)),
      ),
    );
  // `nginx hangs, so restart web-2` asks for the restart, and `restart nginx on web-2` does not.
  const changes = ranked.filter(({ command, score, hasName }) => command.kind === 'action' && score > 2 && hasName);
  const isApart = (positions: readonly number[]) =>
    changes.some(({ verb }) => verb.every((each) => positions.every((at) => Math.abs(each - at) > mostApart)));
  const wishes = [...senses].flatMap(([sense, { question }]) =>
    'command' in sense || question === undefined || isInside(question.at) || isApart(question.at)
      ? []
      : [{ impossible: sense.impossible, score: 3 + 2 * question.at.length + headOf(question.at) }],
  );
  return wishes.sort((a, b) => b.score - a.score)[0];
}
