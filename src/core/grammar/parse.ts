import { Refusal } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { quote, quoteValue, retype, type Token, tokenize } from './tokens.ts';

/** What the grammar needs to know of an argument. */
export interface ArgShape {
  /** `word` takes its turn by position, `rest` all words that are left, `option` only `name=value` or `--name`. */
  readonly place: 'word' | 'rest' | 'option';
  readonly widget: string;
  readonly optional: boolean;
  /** Takes several values: its name may be given again for each. */
  readonly many?: boolean;
}

export interface CommandShape {
  readonly path: string;
  readonly args: Readonly<Record<string, ArgShape>>;
}

/** Words by argument, as typed; canonical when they come from `show`. */
export type RawArgs = Readonly<Record<string, readonly string[]>>;

export type Parsed<C extends CommandShape> =
  | { readonly kind: 'menu' }
  | { readonly kind: 'command'; readonly command: C; readonly raw: RawArgs; readonly missing: readonly string[] }
  | { readonly kind: 'problem'; readonly refusal: Refusal };

/** Pure and total: every input has an answer. */
export function parse<C extends CommandShape>(input: string, commands: readonly C[]): Parsed<C> {
  const tokens = tokenize(input);
  if (tokens.length === 0) return { kind: 'menu' };
  const found = findCommand(tokens, commands);
  if ('refusal' in found) return { kind: 'problem', refusal: found.refusal };
  return readArgs(found.command, tokens.slice(found.words));
}

function findCommand<C extends CommandShape>(
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

function readArgs<C extends CommandShape>(command: C, tokens: readonly Token[]): Parsed<C> {
  const names = Object.keys(command.args);
  const raw: Record<string, string[]> = {};
  const words: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const option = readOption(token, tokens[at + 1], command, raw);
    if (option === undefined) {
      words.push(token);
    } else if (option instanceof Refusal) {
      return { kind: 'problem', refusal: option };
    } else {
      raw[option.name] = [...(raw[option.name] ?? []), ...option.value];
      at += option.extra;
    }
  }
  for (const name of names) {
    const arg = command.args[name];
    if (arg === undefined || arg.place === 'option' || raw[name] !== undefined) continue;
    const taken = arg.place === 'rest' ? words.splice(0) : words.splice(0, 1);
    if (taken.length > 0) raw[name] = taken.map((token) => token.text);
  }
  if (words.length > 0) return { kind: 'problem', refusal: leftOver(command, words) };
  const missing = names.filter((name) => !command.args[name]?.optional && raw[name] === undefined);
  return { kind: 'command', command, raw, missing };
}

/** `ttl=300`, `ttl:300`, `--ttl 300`, `--ttl=300`, `--now`. Undefined when the token is a plain word. */
function readOption(
  token: Token,
  next: Token | undefined,
  command: CommandShape,
  raw: RawArgs,
): { name: string; value: string[]; extra: number } | Refusal | undefined {
  if (token.isQuoted) return undefined;
  const names = Object.keys(command.args);
  const dashed = /^--([\p{L}][\p{L}\p{N}_-]*)(?:[=:]([\s\S]*))?$/u.exec(token.text);
  const plain = dashed ? null : /^([\p{L}][\p{L}\p{N}_-]*)[=:]([\s\S]*)$/u.exec(token.text);
  const [, typed, value] = dashed ?? plain ?? [];
  if (typed === undefined) return undefined;
  const key = typed.toLowerCase();
  const name = names.find((known) => known.toLowerCase() === key.replaceAll('-', '_') || known.toLowerCase() === key);
  if (name !== undefined) {
    const arg = command.args[name];
    if (raw[name] !== undefined && !arg?.many && arg?.place !== 'rest') {
      return plain ? undefined : new Refusal('bad_value', `\`${name}\` is given twice.`, { field: name });
    }
    if (value !== undefined) return { name, value: [value], extra: 0 };
    if (arg?.widget === 'toggle') return { name, value: ['yes'], extra: 0 };
    if (next === undefined) return new Refusal('bad_value', `\`--${name}\` needs a value.`, { field: name });
    return { name, value: [next.text], extra: 1 };
  }
  const options = names.filter((known) => command.args[known]?.place === 'option');
  const near = key.length >= 3 ? nearest(key, options) : undefined;
  if (dashed) {
    return new Refusal('not_understood', `\`${command.path}\` has no option \`${shorten(typed)}\`.`, {
      hint: near
        ? `Did you mean \`--${near}\`?`
        : options.length > 0
          ? `Its options: ${options.join(', ')}.`
          : 'It has no options.',
    });
  }
  if (near !== undefined && Math.abs(near.length - key.length) <= 1) {
    return new Refusal('not_understood', `\`${command.path}\` has no option \`${shorten(typed)}\`.`, {
      hint: `Did you mean \`${near}=${value}\`? Put it in quotes if it is meant as it stands.`,
    });
  }
  return undefined;
}

function leftOver(command: CommandShape, words: readonly Token[]): Refusal {
  const extra = words.map((word) => `\`${shorten(word.text)}\``).join(' ');
  return new Refusal('not_understood', `\`${command.path}\` has no place for ${extra}.`, {
    hint: `Usage: \`/host ${usage(command)}\``,
    suggestions: [{ label: 'Help', command: `help ${command.path}` }],
  });
}

/** `dns add <domain> <host> <type> <value…> [ttl=…]` */
export function usage(command: CommandShape): string {
  const parts = Object.entries(command.args).map(([name, arg]) => {
    if (arg.place === 'option')
      return arg.widget === 'toggle' ? `[--${name}]` : arg.optional ? `[${name}=…]` : `${name}=…`;
    const word = arg.place === 'rest' ? `${name}…` : name;
    return arg.optional ? `[${word}]` : `<${word}>`;
  });
  return [command.path, ...parts].join(' ');
}

/** The line that gives exactly these arguments: what a button runs, and what the audit names. */
export function lineOf(command: CommandShape, raw: RawArgs): string {
  // Once a word is left out, or stands for several, those after it need their names to find their place.
  let isNamed = false;
  const parts = Object.entries(command.args).flatMap(([name, arg]) => {
    const words = raw[name];
    if (words === undefined || words.length === 0) {
      isNamed ||= arg.place !== 'option';
      return [];
    }
    isNamed ||= arg.place === 'word' && words.length > 1;
    if (arg.place === 'option' || isNamed) return words.map((word) => `${name}=${quoteValue(word)}`);
    return words.map(quote);
  });
  return [command.path, ...parts].join(' ');
}

function shorten(word: string): string {
  const clean = word.replaceAll('`', "'");
  return clean.length > 40 ? `${clean.slice(0, 39)}…` : clean;
}
