import { Refusal } from '../view/errors.ts';
import { bareWord } from './polite.ts';
import type { ArgShape, CommandShape } from './shapes.ts';
import { hasNames, ofAfter } from './take.ts';
import type { Token } from './tokens.ts';

const longestReason = 200;

/** `hard-reset web-1 because it hangs`, `… reason=disk`: the reason is for the people who decide. A free text keeps the word. */
export function cutReason(
  command: CommandShape,
  tokens: readonly Token[],
): { readonly rest: readonly Token[]; readonly reason?: string | Refusal } {
  if (command.kind !== 'action') return { rest: tokens };
  const isPasted = ({ widget, place }: ArgShape) => widget === 'multiline' && place === 'rest';
  const isText = Object.values(command.args).some((arg) => isPasted(arg) || arg.after?.includes('because'));
  const cut = isText ? reasonBehindText(command, tokens) : reasonIn(command, tokens);
  const { rest, words } = cut ?? cutAt(tokens, tokens.length);
  const reason = asTyped(words);
  return reason === '' ? { rest } : { rest, reason: tooLongReason(reason) ?? reason };
}

/** The refusal of a reason that is too long for a card. */
export function tooLongReason({ length }: string): Refusal | undefined {
  if (length <= longestReason) return undefined;
  return new Refusal('bad_value', `The reason has ${length} characters.`, {
    hint: `Say it in at most ${longestReason}.`,
  });
}

/** With the quotes around some of the words: `the console says "no route"`. Quotes around all of them say nothing. */
function asTyped(words: readonly Token[]): string {
  const isPart = words.length > 1;
  return words.map(({ text, isQuoted }) => (isPart && isQuoted && !text.includes('"') ? `"${text}"` : text)).join(' ');
}

/** The words of the reason, and the others. */
function reasonIn(
  command: CommandShape,
  tokens: readonly Token[],
): { readonly rest: readonly Token[]; readonly words: readonly Token[] } | undefined {
  const because = tokens.findIndex((token) => bareWord(token) === 'because');
  if (because >= 0) return cutAt(tokens, because);
  if (Object.hasOwn(command.args, 'reason')) return undefined;
  for (const [at, token] of tokens.entries()) {
    const match = token.isQuoted ? null : /^(--)?reason(?:([=:])([\s\S]*))?$/i.exec(token.text);
    const [, dashes = '', sign = '', value = ''] = match ?? [];
    const isNamed = dashes !== '' || sign !== '';
    // In `restart reason` the word is the name of a server, and in a free text it is part of the text.
    if (match === null || (!isNamed && (at === 0 || !hasNames(command)))) continue;
    if (value !== '') return { rest: tokens.toSpliced(at, 1), words: [{ text: value, isQuoted: true }] };
    if (dashes !== '') return { rest: tokens.toSpliced(at, 2), words: tokens.slice(at + 1, at + 2) };
    return { rest: tokens.slice(0, at), words: tokens.slice(at + 1) };
  }
  return undefined;
}

/** A reason that cannot be a part of the text: behind a flag, or behind the last quoted text of the command. */
function reasonBehindText({ args }: CommandShape, tokens: readonly Token[]): ReturnType<typeof reasonIn> {
  const isFree = ({ widget, place }: ArgShape) => place === 'rest' || (place === 'word' && widget === 'text');
  const most = Object.values(args).filter(isFree).length;
  const because = tokens.findLastIndex((token, at) => {
    const before = tokens[at - 1];
    if (token.isQuoted || bareWord(token) !== 'because' || before === undefined) return false;
    if (!before.isQuoted) return /^--|=(?:yes|no)$/.test(before.text);
    return tokens.slice(0, at).filter(({ isQuoted }) => isQuoted).length >= most;
  });
  return because < 0 ? undefined : cutAt(tokens, because);
}

function cutAt(tokens: readonly Token[], because: number) {
  return { rest: tokens.slice(0, because), words: tokens.slice(because + 1 + ofAfter(tokens, because)) };
}
