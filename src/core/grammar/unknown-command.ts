import { type Risk, risks } from '../policy/policy.ts';
import { allNearest } from '../text/nearest.ts';
import { withoutEnd } from '../text/without-end.ts';
import { list, wordSet } from '../text/words.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import type { CommandShape, Reads, Understood } from './command-shape.ts';
import { guessing, seeHelp } from './did-you-mean.ts';
import { notPossible } from './not-possible.ts';
import { looksLikeName } from './other-order.ts';
import { bareWord } from './polite.ts';
import { hasNames, withoutFillers } from './take.ts';
import { retype, shorten, type Token } from './tokens.ts';
import { understand } from './understand.ts';

/**
 * Refuses a line that names no command. A suggestion never has a higher risk than an equally near one, or than the
 * typed word has in other commands.
 */

const mostOffered = 3;

/** Words that resemble a command by chance. */
const notMistyped = wordSet(
  "what what's whats when which who whose how do does did are was will has it this that all any never always",
  'cron call yes no not with should until till unless under need where point test put unlock revert rollback top',
  "good dont don't close recover restore unban resolve resume wipe would require",
);

/** A command that may have been meant, and the number of typed words that stand for its name. */
interface PossibleCommand<C> {
  readonly command: C;
  readonly words: number;
}

export function unknownCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Understood<C> | { readonly refusal: Refusal } {
  const typed = tokens.map(bareWord);
  const [first = ''] = typed;
  const impossible = notPossible(typed);
  if (impossible !== undefined) return { refusal: impossible };
  const below = commands.filter((command) => command.path.startsWith(`${first} `));
  const read = onlyRead(tokens, nearCommands(typed, below.length > 0 ? below : commands), reads);
  if (read !== undefined) return read;
  if (below.length > 0) {
    const listed = tokens.slice(1, 2).every(looksLikeName) ? listOf(tokens, below, reads) : undefined;
    return listed ?? { refusal: unknownVerb(tokens, { commands, below }, reads) };
  }
  return understand(tokens, commands, reads) ?? { refusal: unknownWord(tokens, commands) };
}

/** A slip in the name of the only read that can be meant: a read changes nothing. */
function onlyRead<C extends CommandShape>(
  tokens: readonly Token[],
  near: readonly PossibleCommand<C>[],
  reads: Reads<C>,
): Understood<C> | undefined {
  const [only, second] = near;
  if (only === undefined || second !== undefined || only.command.kind !== 'query') return undefined;
  const rest = tokens.slice(only.words);
  if (reads(only.command, rest) !== 'whole') return undefined;
  return {
    command: only.command,
    rest,
    note: readAs(
      tokens.slice(0, only.words).map(({ text }) => text),
      only.command,
    ),
    isTaken: true,
  };
}

/** Reads a noun alone, or a noun and a name: `dns example.com` is read as `dns list example.com`. */
function listOf<C extends CommandShape>(
  tokens: readonly Token[],
  below: readonly C[],
  reads: Reads<C>,
): Understood<C> | undefined {
  const [noun, ...rest] = tokens;
  const command = ['show', 'list', 'domains']
    .flatMap((verb) => below.filter(({ path }) => path === `${noun === undefined ? '' : bareWord(noun)} ${verb}`))
    .find((command) => command.kind === 'query' && reads(command, rest) === 'whole');
  return command && { command, rest, note: readAs([noun?.text ?? ''], command), isTaken: true };
}

export function readAs(words: readonly string[], { path }: CommandShape): string {
  return `Took “${shorten(words.join(' '))}” as \`${path}\`.`;
}

function unknownWord<C extends CommandShape>(tokens: readonly Token[], commands: readonly C[]): Refusal {
  const typed = tokens.map(bareWord);
  const [first = ''] = typed;
  const near = nearCommands(typed, commands);
  if (near.length > 0) return meant(tokens, near, commands);
  const nouns = new Set(commands.filter(({ path }) => path.includes(' ')).map(({ path }) => path.split(' ')[0] ?? ''));
  const { words } = notMistyped.has(first) ? { words: [] } : allNearest(first, nouns);
  return new Refusal('not_understood', `\`${shorten(tokens[0]?.text ?? '')}\` is not a command.`, {
    hint:
      words.length > 0
        ? `Did you mean ${list(
            words.map((noun) => `\`/host ${noun}\``),
            'or',
          )}?`
        : seeHelp,
    suggestions:
      words.length > 0
        ? words
            .slice(0, mostOffered)
            .map((noun) => ({ label: words.length > 1 ? noun : 'Help', command: `help ${noun}` }))
        : [{ label: 'Help', command: 'help' }],
  });
}

/** The commands with the nearest names, compared with the same number of typed words. */
function nearCommands<C extends CommandShape>(typed: readonly string[], commands: readonly C[]): PossibleCommand<C>[] {
  const spelled = commands.flatMap((command) =>
    // Every pair of letters is near every other pair.
    [command.path, ...(command.alsoCalled ?? []).filter(({ length }) => length > 2)].map((spelling) => ({
      command,
      spelling,
    })),
  );
  const [first = ''] = typed;
  // `unstop` is not a typo of `stop`: it means the opposite.
  if (notMistyped.has(first) || (/^un./.test(first) && spelled.some(({ spelling }) => spelling === first.slice(2))))
    return [];
  const byLength = Map.groupBy(spelled, ({ spelling }) => spelling.split(' ').length);
  let best = Number.POSITIVE_INFINITY;
  let possible: PossibleCommand<C>[] = [];
  // A typo in the first word of a longer path is corrected together with the other words.
  for (const [words, some] of [...byLength].sort(([a], [b]) => b - a)) {
    if (typed.length < words) continue;
    const near = allNearest(
      typed.slice(0, words).join(' '),
      some.map(({ spelling }) => spelling),
    );
    if (near.words.length === 0 || near.distance > best) continue;
    if (near.distance < best) possible = [];
    best = near.distance;
    const slips = some.filter(
      ({ command, spelling }) =>
        near.words.includes(spelling) && isSlip(typed.slice(0, words), spelling, near.distance, riskOf(command)),
    );
    possible.push(...slips.map(({ command }) => ({ command, words })));
  }
  const unique = [...new Map(possible.map((candidate) => [candidate.command.path, candidate])).values()];
  // With the following words, a shorter name could be parsed as the longer one.
  return unique.filter(({ command }) => !unique.some((other) => other.command.path.startsWith(`${command.path} `)));
}

/** True for a possible typo: no word with a meaning, and one wrong letter at most where something would change. */
function isSlip(typed: readonly string[], spelling: string, distance: number, risk: Risk): boolean {
  const words = spelling.split(' ');
  return (distance <= 1 || risk === 'safe') && !typed.some((word) => !words.includes(word) && notMistyped.has(word));
}

function unknownVerb<C extends CommandShape>(
  tokens: readonly Token[],
  { commands, below }: { readonly commands: readonly C[]; readonly below: readonly C[] },
  reads: Reads<C>,
): Refusal {
  const [noun = '', verb] = tokens.map(bareWord);
  const verbs = [...new Set(below.map((command) => command.path.slice(noun.length + 1)))];
  const [only] = below;
  const hint =
    verbs.length === 1
      ? `Try \`/host ${only?.examples?.[0] ?? `${noun} ${verbs[0]}`}\`.`
      : `After \`${noun}\` comes one of: ${verbs.join(', ')}.`;
  const help: Suggestion = { label: 'Help', command: `help ${noun}` };
  if (verb === undefined) {
    return new Refusal('not_understood', `\`${noun}\` needs another word.`, { hint, suggestions: [help] });
  }
  const near = nearCommands(tokens.map(bareWord), below).filter(({ words }) => words > 1);
  if (near.length > 0) return meant(tokens, near, commands, { else: hint });
  // The verb was left out: `dns example.com`.
  const without = below.filter(
    (command) => command.path.split(' ').length === 2 && reads(command, tokens.slice(1)) === 'whole',
  );
  // Nothing that was typed says that something grave is meant.
  const mild = mildest(without.filter((command) => risks.indexOf(riskOf(command)) <= risks.indexOf('routine')));
  // A word that looks like no name is rather a verb that is not there, all the more in front of one that does.
  const [, second, ...others] = tokens.map(({ text }) => text);
  const looksSo = (word = '') => /[.\d]|^\p{Lu}/u.test(word);
  const isName = looksSo(second) || (others.length > 0 && !others.some(looksSo));
  if (mild.length > 0 && isName && knownRisk(verb, commands) === undefined) {
    return meant(
      tokens,
      mild.map((command) => ({ command, words: 1 })),
      commands,
      { message: `\`${noun}\` needs one more word.` },
    );
  }
  return new Refusal('not_understood', `\`${noun} ${shorten(tokens[1]?.text ?? '')}\` is not a command.`, {
    hint,
    suggestions: [help],
  });
}

/** For words without a place in the command: the longer command that they may start, such as `access grant`. */
export function nearVerbs<C extends CommandShape>(
  command: C,
  words: readonly Token[],
  commands: readonly C[],
): Refusal | undefined {
  const below = commands.filter(({ path }) => path.startsWith(`${command.path} `));
  const tokens = [...command.path.split(' ').map((text) => ({ text, isQuoted: false })), ...words];
  const depth = command.path.split(' ').length;
  const near = nearCommands(tokens.map(bareWord), below).filter((candidate) => candidate.words > depth);
  return near.length === 0 ? undefined : meant(tokens, near, commands);
}

/**
 * Offers the commands that may have been meant. Of several equally near ones, those with the lowest risk are offered.
 */
export function meant<C extends CommandShape>(
  tokens: readonly Token[],
  possible: readonly PossibleCommand<C>[],
  commands: readonly C[],
  /** `isNamed`: no word was mistyped. */
  say: { readonly message?: string; readonly else?: string; readonly isNamed?: boolean } = {},
): Refusal {
  const typed = tokens.map(bareWord);
  const words = Math.max(...possible.map((candidate) => candidate.words));
  const message = say.message ?? `\`${shorten(typed.slice(0, words).join(' '))}\` is not a command.`;
  const isCalledSo = (command: C) => command.alsoCalled?.some((called) => typed.join(' ').startsWith(called)) === true;
  const cap = risks.indexOf(knownRisk(typed[words - 1] ?? '', commands) ?? 'destructive');
  const allowed = possible.filter(
    ({ command }) => say.isNamed || isCalledSo(command) || risks.indexOf(riskOf(command)) <= cap,
  );
  const mild = mildest(allowed.map(({ command }) => command));
  const offered = allowed.filter(({ command }) => mild.includes(command)).slice(0, mostOffered);
  const otherwise = say.else ?? seeHelp;
  if (offered.length === 0) {
    const topic = commands.some(({ path }) => path.split(' ')[0] === typed[0]) ? ` ${typed[0]}` : '';
    const suggestions = [{ label: 'Help', command: `help${topic}` }];
    return new Refusal('not_understood', message, { hint: otherwise, suggestions });
  }
  return guessing(
    message,
    offered.map((candidate) => ({ path: candidate.command.path, line: lineFor(candidate, tokens) })),
    otherwise,
  );
}

/** The suggested line without fillers and question mark, which would be quoted. */
function lineFor({ command, words }: PossibleCommand<CommandShape>, tokens: readonly Token[]): string {
  const [noun] = command.path.split(' ');
  const behind = tokens.slice(words);
  // `subscribe alerts` is `alerts on`.
  const rest = command.path.includes(' ') && behind[0] && bareWord(behind[0]) === noun ? behind.slice(1) : behind;
  const meant = hasNames(command) ? withoutFillers(command, rest).map(withoutMark) : rest;
  return [command.path, ...meant.map(retype)].join(' ');
}

function withoutMark({ text, isQuoted }: Token): Token {
  return { text: isQuoted ? text : text.slice(0, 1) + withoutEnd(text.slice(1), '?!,'), isQuoted };
}

function mildest<C extends CommandShape>(commands: readonly C[]): readonly C[] {
  const least = Math.min(...commands.map((command) => risks.indexOf(riskOf(command))));
  return commands.filter((command) => risks.indexOf(riskOf(command)) === least);
}

/** The lowest risk of a word in other commands: `move` is routine, so it must not suggest a removal. */
function knownRisk(word: string, commands: readonly CommandShape[]): Risk | undefined {
  const endsIn = (name: string) => name.endsWith(word) && name.split(' ').at(-1) === word;
  const those = commands.filter(({ path, alsoCalled = [] }) => endsIn(path) || alsoCalled.some(endsIn));
  const [mild] = mildest(those);
  return mild && riskOf(mild);
}

/** A command of unknown risk counts as destructive. */
function riskOf({ risk = 'destructive' }: CommandShape): Risk {
  return risk;
}
