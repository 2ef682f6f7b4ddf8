import { timeAmong } from '../time/time-words.ts';
import { Refusal } from '../view/errors.ts';
import { type ArgShape, type CommandShape, destroys, type RawArgs } from './command-shape.ts';
import { isPasted } from './cut-reason.ts';
import { bareWord } from './polite.ts';
import { hasHour, takesTiming, timingKey } from './timing-keys.ts';
import { shorten, type Token } from './tokens.ts';

/** The arguments and the reason of a line. */
interface Read {
  readonly raw: RawArgs;
  readonly reason: string | undefined;
}
type Write = (command: CommandShape, raw: RawArgs, reason?: string) => string;

/** True for an argument that takes any words. */
const isText = ({ place, isName, takes, fits }: ArgShape) =>
  (place === 'word' || place === 'rest') && !isName && takes === undefined && fits === undefined;

/** Whether the argument says why, and may mention a past time. */
export const isReason = ({ after = [] }: ArgShape) => after.includes('because');

/** Refuses a time that became a part of a reason, a tag, a name or a value without quotes, and offers both readings. */
export function strayTime(
  command: CommandShape,
  tokens: readonly Token[],
  read: Read,
  write: Write,
): Refusal | undefined {
  if (command.kind !== 'action') return undefined;
  const { raw, reason } = read;
  // The name of an option says what its value is.
  const kept = new Set(tokens.map(({ text, isQuoted }) => (isQuoted ? text : /[=:](.+)$/s.exec(text)?.[1])));
  const args = Object.entries(command.args);
  const texts = args.some(([, arg]) => isPasted(arg)) ? [] : args.filter(([, arg]) => isText(arg));
  const places = [
    ...texts.map(([name, arg]) => ({
      words: (raw[name] ?? []).flatMap((value) => (kept.has(value) ? value : value.split(' '))),
      isWhy: isReason(arg),
      isList: arg.many === true,
      put: (left: readonly string[]): Read => {
        const isOne = arg.keepsQuotes && left.length > 0 && !left.some((word) => kept.has(word));
        return { raw: { ...raw, [name]: isOne ? [left.join(' ')] : left }, reason };
      },
    })),
    {
      words: kept.has(reason) ? [] : (reason?.replaceAll(/\b(?:at|in)=/g, '').match(/"[^"]*"|\S+/g) ?? []),
      isWhy: true,
      isList: false,
      put: (left: readonly string[]): Read => ({ raw, reason: left.join(' ') || undefined }),
    },
  ];
  for (const { words, isWhy, isList, put } of places) {
    const bare = words.map((text) => bareWord({ text, isQuoted: kept.has(text) || text.startsWith('"') }));
    const time = timeAmong(bare, isWhy);
    if (time === undefined) continue;
    const [phrase, later] = [
      words.slice(time.at, time.end).join(' '),
      put(words.toSpliced(time.at, time.end - time.at)),
    ];
    const mayWait = time.isHour && takesTiming(command) && !hasHour(raw) && !Object.hasOwn(command.args, 'when');
    const atHour = () => write(command, { ...later.raw, [timingKey('at')]: [phrase] }, later.reason);
    return new Refusal('not_understood', `\`${shorten(phrase)}\` is a time, and would become text.`, {
      hint: hintOf(command),
      suggestions: [
        ...(mayWait ? [{ label: `${phrase}…`, command: atHour(), isForm: true }] : []),
        ...(isList || destroys(command) ? [] : [{ label: 'now…', command: write(command, raw, reason), isForm: true }]),
      ],
    });
  }
  return undefined;
}

function hintOf(command: CommandShape): string {
  const isText = 'Put the words in quotes if they are text.';
  if (takesTiming(command)) return `Write an hour to begin as at="sun 03:00". ${isText}`;
  const end = Object.hasOwn(command.args, 'until') ? ' Give its end as `for=2h` or `until=18:00`.' : '';
  return `This takes effect at once.${end} ${isText}`;
}
