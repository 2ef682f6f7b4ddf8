import type { ArgShape, CommandShape } from './command-shape.ts';
import { bareWord, isFiller } from './polite.ts';
import type { Token } from './tokens.ts';

/** Finds words between names that must not be dropped as politeness or parsed as one more name. */

const prepositions: ReadonlySet<string> = new Set(['to', 'into', 'for', 'from']);

/** A preposition between two names of a command's last argument, with the words after it: `web-1 to web-3`. */
export function joinOf(
  command: CommandShape,
  words: readonly Token[],
  open: readonly string[],
): readonly Token[] | undefined {
  const many = open.findIndex((name) => isSeveralNames(command.args[name]));
  if (many < 0) return undefined;
  const isMeant = (token: Token) => !isFiller(token);
  const last = words.findLastIndex(isMeant);
  let before = 0;
  const at = words.findIndex((token, index) => {
    if (isMeant(token)) before += 1;
    return before > many && index <= last && prepositions.has(bareWord(token));
  });
  return at < 0 ? undefined : words.slice(at).filter((token, index) => index === 0 || isMeant(token));
}

export function isSeveralNames(arg: ArgShape | undefined): boolean {
  return arg?.isName === true && arg.many === true && arg.place === 'rest';
}
