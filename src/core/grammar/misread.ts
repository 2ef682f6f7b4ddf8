import { list } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { offeringHelp } from './did-you-mean.ts';
import { bareWord, isNoFiller, withoutOpening } from './polite.ts';
import { isByPosition, isSeveralNames } from './take.ts';
import { quote, shorten, type Token, tokenize } from './tokens.ts';
import { usage } from './usage.ts';

/** Refusals of words for which a command has no place. No typed word is dropped silently. */

const longestUsage = 160;

/** Far longer than typed lines; the time to parse a line grows with its length. */
const mostCharacters = 4_000;
/** The most that Slack sends in one message, which a pasted zone may reach. */
const mostPasted = 40_000;
/** The part of a line that contains the politeness and the name of the command. */
const opening = 200;

export function refuseLong(line: string, commands: readonly CommandShape[]): void {
  if (line.length <= mostCharacters || (line.length <= mostPasted && takesPasted(line, commands))) return;
  const length = line.length.toLocaleString('en-US');
  throw offeringHelp(
    `That line has ${length} characters, and at most ${mostCharacters.toLocaleString('en-US')} are read.`,
    'Send it in parts. A long text goes into a form as a file.',
  );
}

/** True if the line names a command that takes a text of several lines, such as a zone. */
function takesPasted(line: string, commands: readonly CommandShape[]): boolean {
  const words = withoutOpening(tokenize(line.slice(0, opening))).map(bareWord);
  const isNamed = ({ path }: CommandShape) => `${words.join(' ')} `.startsWith(`${path} `);
  return commands.some(
    (command) => isNamed(command) && Object.values(command.args).some(({ widget }) => widget === 'multiline'),
  );
}

/** A request has a few words, a pasted zone some hundreds; parsing more would take noticeable time. */
const mostWords = 1_000;

export function refuseManyWords(count: number): void {
  if (count <= mostWords) return;
  throw new Refusal('not_understood', `That line has ${count} words, and at most ${mostWords} are read.`, {
    hint: 'Send it in parts.',
  });
}

export function leftOver(command: CommandShape, words: readonly Token[]): Refusal {
  const extra = words.map((word) => `\`${shorten(word.text)}\``).join(' ');
  const last = Object.values(command.args).findLast(isByPosition);
  const others = words.filter(({ text }) => !/^(and|&|\+)$/i.test(text));
  if (last?.isName && !last.many && others.length > 0 && others.every(({ text }) => /[\d.]/.test(text))) {
    return new Refusal('not_understood', `\`${command.path}\` is for one at a time.`, {
      hint: `Ask for ${list(others.map(({ text }) => `\`${shorten(text)}\``))} by itself.`,
      suggestions:
        command.kind === 'query' && !others.some(({ text }) => text.includes('.'))
          ? others.map(({ text }) => ({ label: shorten(text), command: `${command.path} ${quote(text)}` }))
          : [{ label: 'Help', command: `help ${command.path}` }],
    });
  }
  const options = Object.entries(command.args).flatMap(([name, { place }]) => (place === 'option' ? [name] : []));
  const isOption = words.some(({ text, isQuoted }) => !isQuoted && /^\p{L}[\p{L}\p{N}_-]*=/u.test(text));
  const how = usage(command);
  const hint =
    isOption && options.length > 0
      ? `Its options: ${options.join(', ')}.`
      : how.length <= longestUsage
        ? `Usage: \`/host ${how}\``
        : `\`/host help ${command.path}\` shows how it is written.`;
  return offeringHelp(`\`${command.path}\` has no place for ${extra}.`, hint, command.path);
}

const prepositions: ReadonlySet<string> = new Set(['to', 'into', 'for', 'from']);

/**
 * Refuses a preposition between two names of a command's last argument, as in `web-1 to web-3`: it may mean a range, and
 * it must not be dropped as politeness or parsed as one more name.
 */
export function refuseBetweenNames(command: CommandShape, words: readonly Token[], open: readonly ArgShape[]): void {
  const many = open.findIndex(isSeveralNames);
  const last = words.findLastIndex(isNoFiller);
  const at = words.findIndex(
    (word, index) =>
      index <= last && prepositions.has(bareWord(word)) && words.slice(0, index + 1).filter(isNoFiller).length > many,
  );
  if (many < 0 || at < 0) return;
  const join = words.slice(at).filter((token, index) => index === 0 || isNoFiller(token));
  const phrase = join.map(({ text }) => text).join(' ');
  const hint = `Name each one that is meant, with spaces between: \`/host ${usage(command)}\`.`;
  throw offeringHelp(`\`${shorten(phrase)}\` does not fit behind a name.`, hint, command.path);
}
