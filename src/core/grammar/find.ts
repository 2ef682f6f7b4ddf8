import type { Refusal } from '../errors.ts';
import { bareWord } from './polite.ts';
import type { CommandShape } from './shapes.ts';
import { quote, shorten, type Token } from './tokens.ts';
import { meant, unknownCommand } from './unknown.ts';

interface Found<C> {
  readonly command: C;
  /** How many words named it. */
  readonly words: number;
  /** Says how it was read, where the name of the command was not typed. */
  readonly note?: string;
}

/** The command that the first words name, or what may have been meant. `reads`: whether a command would take the rest. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: (command: C, rest: readonly Token[]) => boolean,
): Found<C> | { refusal: Refusal } {
  const typed = tokens.map(bareWord);
  const named = longest(typed, commands, (command) => [command.path]);
  const called = longest(typed, commands, (command) => command.alsoCalled ?? []);
  if (named !== undefined && named.words >= (called?.words ?? 0)) return named;
  if (called !== undefined) {
    if (called.command.kind === 'query') {
      return {
        ...called,
        note: `\`${shorten(typed.slice(0, called.words).join(' '))}\` was read as \`${called.command.path}\`.`,
      };
    }
    return { refusal: meant(tokens, [called], commands) };
  }
  const status = commands.find(({ path, kind }) => path === 'status' && kind === 'query');
  // A name or an address alone: people want to know how it is.
  if (
    status !== undefined &&
    tokens.length === 1 &&
    /^[\p{L}\p{N}_.:@/[\]-]*[\d.][\p{L}\p{N}_.:@/[\]-]*$/u.test(typed[0] ?? '')
  ) {
    return { command: status, words: 0, note: `This was read as \`status ${quote(shorten(tokens[0]?.text ?? ''))}\`.` };
  }
  return { refusal: unknownCommand(tokens, commands, reads) };
}

function longest<C extends CommandShape>(
  typed: readonly string[],
  commands: readonly C[],
  spellings: (command: C) => readonly string[],
): Found<C> | undefined {
  const [first = ''] = typed;
  let best: Found<C> | undefined;
  for (const command of commands) {
    for (const spelling of spellings(command)) {
      // Asked several times a request, of every command there is: most are out at their first letters.
      if (!spelling.startsWith(first)) continue;
      const words = spelling.split(' ');
      if (words.length > (best?.words ?? 0) && words.every((word, index) => word === typed[index]))
        best = { command, words: words.length };
    }
  }
  return best;
}
