import { timeAmong, timeAt } from '../time/said-time.ts';
import { badValue, type Refusal } from '../view/errors.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { exceptions } from './lexicon.ts';
import { bareWord, isFiller } from './polite.ts';
import { hasNames, isSeveralNames, ofAfter } from './take.ts';
import type { Token } from './tokens.ts';

const longestReason = 200;

/** True for a text that is sent as it is typed. */
export const isPasted = ({ widget, place, isOfLines }: ArgShape): boolean =>
  widget === 'multiline' && place === 'rest' && isOfLines !== true;

/** A line without its reason, and the words of the reason. */
interface Cut {
  readonly rest: readonly Token[];
  readonly words: readonly Token[];
}

/** `hard-reset web-1 because it hangs`, `… reason=disk`: the reason is for the people who decide. A free text keeps the word. */
export function cutReason(
  command: CommandShape,
  tokens: readonly Token[],
): { readonly rest: readonly Token[]; readonly reason?: string } {
  if (command.kind !== 'action') return { rest: tokens };
  const isText = Object.values(command.args).some((arg) => isPasted(arg) || arg.after?.includes('because'));
  const { rest, words } = (isText ? reasonBehindText : reasonIn)(command, tokens) ?? { rest: tokens, words: [] };
  const reason = asTyped(words.filter((word) => !isSwitch(word)));
  return { rest: [...rest, ...words.filter(isSwitch)], ...(reason !== '' && { reason }) };
}

/** `--dry-run` behind the reason is no word of it. */
const isSwitch = ({ text, isQuoted }: Token) => !isQuoted && /^--(?:dry-run|break-glass)$/i.test(text);

/** The refusal of a reason that is too long for a card. */
export function tooLongReason({ length }: string): Refusal | undefined {
  if (length <= longestReason) return undefined;
  return badValue(`The reason has ${length} characters.`, `Say it in at most ${longestReason}.`);
}

/** With the quotes around some of the words: `the console says "no route"`. Quotes around all of them say nothing. */
function asTyped(words: readonly Token[]): string {
  const isPart = words.length > 1;
  return words.map(({ text, isQuoted }) => (isPart && isQuoted && !text.includes('"') ? `"${text}"` : text)).join(' ');
}

function reasonIn(command: CommandShape, tokens: readonly Token[]): Cut | undefined {
  const because = tokens.findIndex((token) => bareWord(token) === 'because');
  if (because >= 0) return cutAt(tokens, because);
  for (const [at, token] of tokens.entries()) {
    const match = token.isQuoted ? null : /^(--)?reason(?:([=:])([\s\S]*))?$/i.exec(token.text);
    const [, dashes = '', sign = '', value = ''] = match ?? [];
    const isNamed = dashes !== '' || sign !== '';
    // In `restart reason` the word is the name of a server, and in a free text it is part of the text.
    if (match === null || (!isNamed && (at === 0 || !hasNames(command)))) continue;
    if (value !== '') return cutValue(command, tokens, at, value);
    if (dashes !== '') return { rest: tokens.toSpliced(at, 2), words: tokens.slice(at + 1, at + 2) };
    return cutAt(tokens, at, 1);
  }
  return hasNames(command) ? inOtherWords(command, tokens) : undefined;
}

/** `reason=kernel update`: words behind it belong to the reason, unless one may be a name or an option. */
function cutValue(command: CommandShape, tokens: readonly Token[], at: number, value: string): Cut {
  const words = tokens.slice(at + 1);
  const isText = words.every(({ text, isQuoted }) => !isQuoted && /^\p{L}+$/u.test(text));
  const behind = at > 0 && hasNames(command) && isText ? words : [];
  return { rest: tokens.toSpliced(at, 1 + behind.length), words: [{ text: value, isQuoted: true }, ...behind] };
}

/** Words with which people begin a reason behind names. The first ones are no part of it. */
const causes: ReadonlySet<string> = new Set(['since', 'bc', 'cos', 'coz', 'cuz', 'cause', "'cause", 'as', 'for']);
/** `as soon as possible`, `for a while` */
const isNoReason =
  /^(?:soon|well|usual|now|good|ever|today|tonight|a (?:while|bit|moment|minute|day|night|week)|the (?:moment|day|night|weekend|time being|next))(?: |$)/;
const subjects: ReadonlySet<string> = new Set(['it', 'its', "it's"]);

/** `restart web-1 since it hangs`, `hard-reset db-1 its frozen` */
function inOtherWords({ args }: CommandShape, tokens: readonly Token[]): Cut | undefined {
  const words = tokens.map(bareWord);
  const comma = behindComma({ args }, tokens);
  if (comma !== undefined) return { rest: withoutComma(tokens.slice(0, comma)), words: tokens.slice(comma) };
  const isOwn = (word: string) =>
    Object.values(args).some(({ fits, after = [], takesLeft }) => takesLeft || fits?.(word) || after.includes(word));
  for (let at = 1; at < words.length - 1; at++) {
    const [word = '', next = ''] = words.slice(at, at + 2);
    if (isOwn(word)) continue;
    if (subjects.has(word)) return cutAt(tokens, at, 0);
    if (word === 'due' && next === 'to' && at + 2 < words.length) return cutAt(tokens, at, 2);
    if (!causes.has(word)) continue;
    const behind = words.slice(at + 1);
    if (isNoReason.test(behind.join(' '))) return undefined;
    const isTarget = word === 'for' && (/[\d.:]/.test(next) || timeAt(words, at + 1) !== undefined);
    if (!isTarget && !tokens.slice(at + 1).every(isFiller)) return cutAt(tokens, at, 1);
  }
  return undefined;
}

/** Words that limit what is asked, and so are no reason. */
const limits = exceptions.union(new Set(['not', 'no', 'dont', 'never']));

const withoutComma = (tokens: readonly Token[]) =>
  tokens.flatMap((token) =>
    token.isQuoted ? token : token.text === '-' ? [] : { ...token, text: token.text.replace(/,$/, '') },
  );

/** `mute web-2 45m, known issue`: plain words behind a comma, where the command takes one name. */
function behindComma({ args }: Pick<CommandShape, 'args'>, tokens: readonly Token[]): number | undefined {
  const at = 1 + tokens.findIndex(({ text, isQuoted }, index) => index > 0 && !isQuoted && /,$|^[-–]$/.test(text));
  const behind = tokens.slice(at);
  const isPlain = (token: Token) =>
    !token.isQuoted &&
    /^\p{L}[\p{L}'’-]+$/u.test(bareWord(token)) &&
    !Object.values(args).some(({ fits, after = [] }) => fits?.(token.text) || after.includes(bareWord(token)));
  const isReason = behind.length > 1 && behind.every(isPlain) && !behind.every(isFiller);
  const mayName = Object.values(args).some(isSeveralNames) || timeAmong(behind.map(bareWord), true) !== undefined;
  return at > 1 && isReason && !mayName && !behind.some((token) => limits.has(bareWord(token))) ? at : undefined;
}

/** A reason that cannot be a part of the text: behind a flag, or behind the last quoted text of the command. */
function reasonBehindText({ args }: CommandShape, tokens: readonly Token[]): Cut | undefined {
  const isFree = ({ widget, place }: ArgShape) => place === 'rest' || (place === 'word' && widget === 'text');
  const most = Object.values(args).filter(isFree).length;
  const because = tokens.findLastIndex((token, at) => {
    const before = tokens[at - 1];
    const isReason = bareWord(token) === 'because' || /^(?:--)?reason=./.test(token.text);
    if (token.isQuoted || !isReason || before === undefined) return false;
    if (!before.isQuoted) return /^--|=(?:yes|no)$/.test(before.text);
    return tokens.slice(0, at).filter(({ isQuoted }) => isQuoted).length >= most;
  });
  if (because < 0) return undefined;
  const cut = cutAt(tokens, because);
  const [, value] = /^(?:--)?reason=(.+)$/s.exec(tokens[because]?.text ?? '') ?? [];
  return value === undefined ? cut : { ...cut, words: [{ text: value, isQuoted: true }, ...cut.words] };
}

function cutAt(tokens: readonly Token[], at: number, introducing = 1 + ofAfter(tokens, at)): Cut {
  return { rest: tokens.slice(0, at), words: tokens.slice(at + introducing) };
}
