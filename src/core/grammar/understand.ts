import { defined } from '../text/defined.ts';
import { Refusal } from '../view/errors.ts';
import { type CommandShape, destroys, type Reads, type Understood } from './command-shape.ts';
import type { Names } from './loosely.ts';
import { answerTo } from './not-possible.ts';
import { withoutMark } from './polite.ts';
import { type Ranked, rank } from './rank.ts';
import type { LineWord } from './recognize.ts';
import { isRead, namesAmong, nearest, severalMeant, stopped, type Tried, twoWishes, withForm } from './say.ts';
import { shorten, type Token } from './tokens.ts';

/** Reads a line that is not written as a command: as the command that explains most of its words. */

/** More words are not read as a sentence. */
const mostWords = 120;
/** Below this score, the words say too little. */
const least = 1.5;
/** A command is clear that explains more than the next one by this. */
const lead = 1;
/** A read that explains a little more than another one is answered: it changes nothing. */
const readLead = 0.4;
const mostTried = 8;

export interface RefusedLine {
  readonly refusal: Refusal;
  /** Holds for a line that a command accepts, too. */
  readonly isSure?: true;
}

interface How<C> {
  readonly names: Names;
  readonly reads: Reads<C>;
  /** The first word is a noun with a verb that is not understood: more than the noun must be explained. */
  readonly noun?: number | undefined;
  /** The command that the first words name, and their number: another one must explain more words. */
  readonly named?: { readonly command: C; readonly words: number } | undefined;
}

export function understand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  { names, reads, named, noun }: How<C>,
): Understood<C> | RefusedLine | undefined {
  if (tokens.length > mostWords) return undefined;
  const { ranked, impossible, words } = rank(tokens, commands, names);
  if (impossible !== undefined) return { refusal: answerTo(impossible, tokens), isSure: true };
  const mostNamed = named === undefined ? (noun ?? -1) : named.words - (named.command.kind === 'query' ? 1 : 0);
  const tried = ranked
    .filter(({ score }) => score >= least)
    .filter(({ command, explains }) => command === named?.command || explains.size > mostNamed)
    .slice(0, mostTried)
    .flatMap((each) => triedAs(each, reads) ?? [])
    .sort((a, b) => b.score - a.score);
  const [top] = tried;
  // The command that is named says best what does not fit.
  const isNamed = top !== undefined && top.command === named?.command;
  if (isNamed && (top.refusal !== undefined || top.left.length > 0 || !(top.isPlain || top.rest.length === 0)))
    return undefined;
  const possible = tried.filter(({ refusal }) => refusal === undefined);
  const line = shorten(tokens.map(({ text }) => text).join(' '));
  if (top?.refusal !== undefined && top.score - (possible[0]?.score ?? 0) >= lead) {
    const recognized = { ...top, ...top.rests.at(-1) };
    return {
      refusal: stopped(recognized, words) ?? withForm(top.refusal, top.command, namesAmong(recognized.rest, words)),
    };
  }
  if (possible.length === 0) return named === undefined ? nearest(line, ranked) : undefined;
  return chosen(possible, line, words);
}

/** The command that is clearly meant, or the ones that may be. */
function chosen<C extends CommandShape>(
  [best, ...others]: readonly Tried<C>[],
  line: string,
  words: readonly LineWord[],
): Understood<C> | RefusedLine | undefined {
  if (best === undefined) return undefined;
  const isChange = best.command.kind === 'action';
  const second = others.find(
    ({ command, verb }) =>
      command.kind === 'action' && verb.length > 0 && !verb.some((at) => best.phrased.has(at)) && best.isPlain,
  );
  if (isChange && second !== undefined) return { refusal: twoWishes(line, [best, second]) };
  const close = others.filter(
    ({ score, command }) => best.score - score < (isRead(best.command) && isRead(command) ? readLead : lead),
  );
  // `start web-1, …` is no question.
  const isImperative = isChange && best.verb[0] === 0 && best.hasName;
  const reading = [best, ...close].filter(({ command }) => isRead(command) && !isImperative);
  const [only = best] = reading.length === 1 ? reading : [];
  if (close.length > 0 && reading.length !== 1) return { refusal: severalMeant(line, [best, ...close]) };
  const { command, rest, left, explains } = only;
  const unused = left.length === 0 ? undefined : left.map(({ token }) => withoutMark(token.text)).join(' ');
  const note = `Took “${line}” as \`${command.path}\`.`;
  const understood: Understood<C> = { command, rest, note, isTaken: true, ...defined({ left: unused }) };
  if (command.kind === 'query') {
    const isMostlyLeft = left.length > 2 * (explains.size + rest.length) + 1;
    return isMostlyLeft ? { refusal: severalMeant(line, [only]) } : understood;
  }
  const refusal = stopped(only, words);
  if (refusal !== undefined) return { refusal };
  // A word that is left out may be the host of a record.
  const isUnsure = only.isSlip || (only.isRecord && left.length > 0);
  return destroys(command) || isUnsure ? { refusal: severalMeant(line, [only]) } : understood;
}

/** With the words that the command accepts. A read that lacks something is less likely. */
function triedAs<C extends CommandShape>(ranked: Ranked<C>, reads: Reads<C>): Tried<C> | undefined {
  const results = ranked.rests.map((each) => ({ ...each, how: reads(ranked.command, each.rest) }));
  const result = results.find(({ how }) => how === 'whole') ?? results.find(({ how }) => how === 'part') ?? results[0];
  if (result === undefined) return undefined;
  const { rest, left, how } = result;
  const isQuery = ranked.command.kind === 'query';
  const isWhole = how === 'whole' && left.length === 0;
  // Of a command that lacks something, the form is offered.
  const lacking = isQuery ? (left.length > 0 ? -2 : -0.1) : rest.length > 0 ? -0.5 : 0;
  const score = ranked.score + (isWhole ? 0.5 : how === 'part' ? lacking : 0);
  return { ...ranked, score, rest, left, ...(how instanceof Refusal ? { refusal: how } : {}) };
}
