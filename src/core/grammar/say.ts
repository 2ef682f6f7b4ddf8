import { risks } from '../policy/policy.ts';
import { defined } from '../text/defined.ts';
import { Refusal } from '../view/errors.ts';
import type { Rest } from './arrange.ts';
import type { CommandShape } from './command-shape.ts';
import { didYouMean, seeHelp } from './did-you-mean.ts';
import { exceptions, negations } from './lexicon.ts';
import { bareLoosely, type Names } from './loosely.ts';
import { bareWord } from './polite.ts';
import type { Ranked } from './rank.ts';
import type { LineWord } from './recognize.ts';
import { retype, shorten, type Token } from './tokens.ts';

/** Answers to lines whose command is not clear, or that must not run. */

/** A command with the arguments that it accepts, or its refusal of them. */
export type Tried<C> = Ranked<C> & Rest & { readonly refusal?: Refusal };

const mostOffered = 3;

/** Offers the commands that a line may mean. Of a mistyped word, only those with the lowest risk. */
export function severalMeant(line: string, meant: readonly Tried<CommandShape>[]): Refusal {
  const isSlip = meant.some((each) => each.isSlip);
  const mildest = Math.min(...meant.map((each) => riskOf(each.command)));
  const offered = meant.filter((each) => !isSlip || riskOf(each.command) === mildest).slice(0, mostOffered);
  return guessing(`\`${line}\` is not how a command is written.`, offered);
}

/** Offers the commands that explain a little of the line. */
export function nearest(line: string, ranked: readonly Ranked<CommandShape>[]) {
  const near = ranked.filter(({ score, isSlip }) => score > 0 && !isSlip).slice(0, mostOffered);
  if (near.length === 0) return undefined;
  // Several words of a list are one filter, which fits nothing.
  const guesses = near.map(({ command, rests }) => {
    const { rest = [] } = rests.at(-1) ?? {};
    return { command, rest: command.kind === 'query' && rest.length > 1 ? [] : rest };
  });
  return { refusal: guessing(`\`${line}\` was not understood.`, guesses) };
}

export function twoWishes(line: string, wishes: readonly Ranked<CommandShape>[]): Refusal {
  const guesses = wishes.map(({ command }) => ({ command, rest: [] }));
  return guessing(`\`${line}\` asks for several things, so nothing was done. Ask for each by itself.`, guesses);
}

/** Refuses a line and offers the lines that may have been meant as forms. `offered` lets the safe ones run. */
function guessing(message: string, guesses: readonly Pick<Tried<CommandShape>, 'command' | 'rest'>[]): Refusal {
  const suggestions = guesses.map(({ command, rest }) => formOf(command, rest));
  const hint = didYouMean(suggestions.map(({ command }) => command));
  return new Refusal('not_understood', message, { hint, otherwise: seeHelp, suggestions });
}

/** Refuses a change whose line has a time without a place, an exception, or a word that forbids it. */
export function stopped(tried: Tried<CommandShape>, words: readonly LineWord[]): Refusal | undefined {
  const { command, left, verb } = tried;
  if (command.kind === 'query') return undefined;
  const at = words.findIndex((word, index) => left.includes(word) && forbids(words, index, verb));
  const word = words[at];
  if (word === undefined) return undefined;
  // Words behind an exception are not meant, and a word that forbids comes before the verb.
  const isException = !word.isTime && verb.some((each) => each < at);
  const form = formOf(command, namesAmong(tried.rest, words.slice(0, at)));
  return new Refusal('not_understood', `Nothing was done: the line says “${shorten(phraseAt(words, at))}”.`, {
    hint: isException
      ? 'Exceptions cannot be typed: name each one that is meant.'
      : '`/host requests` shows what is asked, and `/host scheduled` what begins later.',
    suggestions: [
      ...(isException ? [form] : []),
      { label: 'Requests', command: 'requests' },
      { label: 'Scheduled', command: 'scheduled' },
    ],
  });
}

function forbids(words: readonly LineWord[], at: number, verb: readonly number[]): boolean {
  const { isTime, stem } = words[at] ?? { isTime: false, stem: '' };
  const behind = words.slice(at + 1, at + 4);
  const isAbout = behind.some(({ isName }, index) => isName || verb.includes(at + 1 + index));
  return isTime || exceptions.has(stem) || (negations.has(stem) && isAbout);
}

/** The word, or the time that begins there. */
function phraseAt(words: readonly LineWord[], at: number): string {
  const end = words.findIndex(({ isTime }, index) => index > at && !isTime);
  const phrase = words[at]?.isTime === true ? words.slice(at, end < 0 ? undefined : end) : words.slice(at, at + 1);
  return phrase.map(({ token }) => token.text).join(' ');
}

/** A refusal of a change that offers nothing offers the form with these names. */
export function withForm(refusal: Refusal, command: CommandShape, names: readonly Token[]): Refusal {
  const isOffered = refusal.suggestions.some((suggestion) => !suggestion.command.startsWith('help'));
  if (isOffered || command.kind === 'query') return refusal;
  const { reason, text, hint, field } = refusal;
  return new Refusal(reason, text, defined({ hint, field, suggestions: [formOf(command, names)] }));
}

export function namesAmong(tokens: readonly Token[], words: readonly LineWord[]): readonly Token[] {
  return tokens.filter(({ text }) => words.some(({ isName, bare }) => isName && bare === text.toLowerCase()));
}

/** The names with which the arguments begin, as many as the command takes. */
export function namesIn({ args }: CommandShape, rest: readonly Token[], names: Names): readonly Token[] {
  const arg = Object.values(args).find(({ isName, splits }) => isName || splits);
  if (arg === undefined) return [];
  const words = rest
    .filter((token) => bareWord(token) !== 'and')
    .map((token) => names.get(bareLoosely(bareWord(token))));
  const end = words.indexOf(undefined);
  const named = words.slice(0, end < 0 ? undefined : end).flatMap((name) => name ?? []);
  return (arg.many ? named : named.slice(0, 1)).map((text) => ({ text, isQuoted: false }));
}

function formOf({ path }: CommandShape, rest: readonly Token[]) {
  return { label: `${path}…`, command: [path, ...rest.map(retype)].join(' '), isForm: true };
}

export const isRead = ({ kind, risk }: CommandShape) => kind === 'query' && risk === 'safe';
const riskOf = ({ risk = 'destructive' }: CommandShape) => risks.indexOf(risk);
