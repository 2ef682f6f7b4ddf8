import { sentenceStart } from '../text/words.ts';
import { timeAmong } from '../time/said-time.ts';
import { Refusal } from '../view/errors.ts';
import { type ArgShape, type CommandShape, destroys, type RawArgs } from './command-shape.ts';
import { isPasted } from './cut-reason.ts';
import { bareWord } from './polite.ts';
import { isByPosition } from './take.ts';
import { hasHour, takesTiming, timingKey } from './timing-keys.ts';
import { shorten, type Token } from './tokens.ts';

/** The arguments and the reason of a line. */
interface Read {
  readonly raw: RawArgs;
  readonly reason: string | undefined;
}
type Write = (command: CommandShape, raw: RawArgs, reason?: string) => string;

/** True for an argument that takes any words. */
const isText = (arg: ArgShape) => isByPosition(arg) && !arg.isName && arg.takes === undefined && arg.fits === undefined;

/** Whether the argument says why, and may mention a past time. */
export const saysWhy = ({ after = [] }: ArgShape) => after.includes('because');

/** Refuses a time that became a part of a reason, a tag, a name or a value without quotes, and offers both readings. */
export function refuseStrayTime(command: CommandShape, tokens: readonly Token[], read: Read, write: Write): void {
  if (command.kind !== 'action') return;
  const { raw, reason } = read;
  // The name of an option says what its value is.
  const kept = new Set(tokens.map(({ text, isQuoted }) => (isQuoted ? text : /[=:](.+)$/s.exec(text)?.[1])));
  const args = Object.entries(command.args);
  const texts = args.some(([, arg]) => isPasted(arg)) ? [] : args.filter(([, arg]) => isText(arg));
  const wordsOf = (value: string) => (kept.has(value) ? value : value.split(' '));
  const ofReason = kept.has(reason) ? [] : (reason?.replaceAll(/\b(?:at|in)=/g, '').match(/"[^"]*"|\S+/g) ?? []);
  const places = [
    ...texts.map(([name, arg]) => ({ name, arg, words: (raw[name] ?? []).flatMap(wordsOf) })),
    { name: '', arg: undefined, words: ofReason },
  ];
  for (const { name, arg, words } of places) {
    const bare = words.map((text) => bareWord({ text, isQuoted: kept.has(text) || text.startsWith('"') }));
    const isReason = arg === undefined;
    const time = timeAmong(bare, isReason || saysWhy(arg));
    // A time in the reason is text where the line has its hour.
    if (time === undefined || (isReason && hasHour(raw))) continue;
    const phrase = words.slice(time.at, time.end).join(' ');
    const isEnd =
      /^(?:expir|end|until|till?$|for$)/.test(bare[time.at - 1] ?? '') || /^(?:until|till?|for) /.test(phrase);
    const mayWait =
      time.isHour && !isEnd && takesTiming(command) && !hasHour(raw) && !Object.hasOwn(command.args, 'when');
    const atHour = () => {
      const timed = { ...raw, [timingKey('at')]: [phrase] };
      const left = words.toSpliced(time.at, time.end - time.at);
      if (isReason) return write(command, timed, left.join(' ') || undefined);
      const isOne = arg.keepsQuotes && left.length > 0 && !left.some((word) => kept.has(word));
      return write(command, { ...timed, [name]: isOne ? [left.join(' ')] : left }, reason);
    };
    const says = isReason ? 'may be the hour to begin, or a part of the reason' : 'is a time, and would become text';
    throw new Refusal('not_understood', `\`${shorten(phrase)}\` ${says}.`, {
      hint: isEnd ? `\`${command.path}\` does not end by itself. ${quoting}` : hintOf(command),
      suggestions: [
        ...(isReason && !destroys(command) ? [{ label: 'Now', command: write(command, raw, reason) }] : []),
        ...(mayWait ? [{ label: labelOf(phrase), command: atHour(), isForm: !isReason }] : []),
      ],
    });
  }
}

/** `Tomorrow 3 PM` */
function labelOf(phrase: string): string {
  const words = phrase.replace(/^(?:at|on) /i, '').replace(/ at /gi, ' ');
  return sentenceStart(words.replace(/(\d) ?([ap]m)\b/gi, (_, digit, half) => `${digit} ${half.toUpperCase()}`));
}

const quoting = 'Put the words in quotes if they are text.';

function hintOf(command: CommandShape): string {
  if (takesTiming(command)) return `Write an hour to begin as at="sun 03:00". ${quoting}`;
  const end = Object.hasOwn(command.args, 'until') ? ' Give its end as `for=2h` or `until=18:00`.' : '';
  return `This takes effect at once.${end} ${quoting}`;
}
