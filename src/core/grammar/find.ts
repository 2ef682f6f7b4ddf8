import { Refusal } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { CommandShape } from './shapes.ts';
import { quote, retype, shorten, type Token } from './tokens.ts';

/** The command that the first words name, or what may have been meant. */
export function findCommand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
): { command: C; words: number } | { refusal: Refusal } {
  const typed = tokens.map((token) => token.text.toLowerCase());
  let best: { command: C; words: number } | undefined;
  const [first = ''] = typed;
  for (const command of commands) {
    // Asked several times a request, of every command there is: most are out at their first letters.
    if (!command.path.startsWith(first)) continue;
    const words = command.path.split(' ');
    if (words.every((word, index) => word === typed[index]) && words.length > (best?.words ?? 0)) {
      best = { command, words: words.length };
    }
  }
  return best ?? { refusal: unknownCommand(typed, tokens, commands) };
}

function unknownCommand(
  typed: readonly string[],
  tokens: readonly Token[],
  commands: readonly CommandShape[],
): Refusal {
  const [first = ''] = typed;
  const called = commands.find((command) => command.alsoCalled?.includes(first));
  if (called !== undefined) return meant(first, [called.path, ...tokens.slice(1).map(retype)].join(' '));
  const below = commands.filter((command) => command.path.startsWith(`${first} `));
  if (below.length > 0) return unknownVerb(first, typed, tokens, below);
  // A slip in the first word of a two-word path is fixed together with its second.
  const two = typed.slice(0, 2).join(' ');
  const paths = commands.map((command) => command.path);
  const path =
    nearest(
      two,
      paths.filter((p) => p.includes(' ')),
    ) ??
    nearest(
      first,
      paths.filter((p) => !p.includes(' ')),
    ) ??
    nearest(first, new Set(paths.map((p) => p.split(' ')[0] ?? '')));
  if (path === undefined) {
    // A name or an address alone: people want to know how it is.
    if (/[\d.]/.test(first) && tokens.length === 1 && paths.includes('status'))
      return meant(first, `status ${quote(first)}`);
    return new Refusal('not_understood', `I don't know \`${shorten(first)}\`.`, {
      hint: 'See /host help for what I can do here.',
    });
  }
  const line = [path, ...tokens.slice(path.split(' ').length).map(retype)].join(' ');
  const isRunnable = paths.includes(path);
  return new Refusal('not_understood', `I don't know \`${shorten(isRunnable && path.includes(' ') ? two : first)}\`.`, {
    hint: `Did you mean \`/host ${isRunnable ? line : path}\`?`,
    suggestions: [{ label: isRunnable ? 'Run it' : 'Help', command: isRunnable ? line : `help ${path}` }],
  });
}

function meant(word: string, line: string): Refusal {
  return new Refusal('not_understood', `I don't know \`${shorten(word)}\`.`, {
    hint: `Did you mean \`/host ${line}\`?`,
    suggestions: [{ label: 'Run it', command: line }],
  });
}

function unknownVerb(
  noun: string,
  typed: readonly string[],
  tokens: readonly Token[],
  below: readonly CommandShape[],
): Refusal {
  const verbs = below.map((command) => command.path.slice(noun.length + 1));
  const known = `\`${noun}\` goes with: ${[...new Set(verbs)].join(', ')}.`;
  const verb = typed[1];
  if (verb === undefined) {
    return new Refusal('not_understood', `What about ${noun}?`, {
      hint: known,
      suggestions: [{ label: 'Help', command: `help ${noun}` }],
    });
  }
  const near = nearest(verb, verbs);
  const line = near && [noun, near, ...tokens.slice(2).map(retype)].join(' ');
  return new Refusal('not_understood', `I don't know \`${noun} ${shorten(verb)}\`.`, {
    hint: line ? `Did you mean \`/host ${line}\`?` : known,
    suggestions: line ? [{ label: 'Run it', command: line }] : [{ label: 'Help', command: `help ${noun}` }],
  });
}
