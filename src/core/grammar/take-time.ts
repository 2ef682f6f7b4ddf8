import { defined } from '../text/defined.ts';
import { sentenceStart } from '../text/words.ts';
import { type SaidTime, timeAt } from '../time/said-time.ts';
import { partsOf } from '../time/time-words.ts';
import { cronIn } from '../time/weekly.ts';
import { zoneBehind } from '../time/zone.ts';
import { Refusal } from '../view/errors.ts';
import type { CommandShape, RawArgs } from './command-shape.ts';
import { isPasted } from './cut-reason.ts';
import { bareWord, withoutMark, withoutOpening } from './polite.ts';
import { hasNames, isSeveralNames, takesNames } from './take.ts';
import { hasHour, takesTiming, timingKey, timingNamed } from './timing-keys.ts';
import { quoteValue, shorten, type Token, tokenize } from './tokens.ts';

/** The missing words of `restart web-1 later`. */
export const theHour = 'the hour';

/** Takes the words of a time out of a line and puts them into the options of the request, for their readers to judge. */

/** Without punctuation at its end; in `1.12.`, the last dot says that it is a day. */
const withoutPoint = ({ text }: Token) => (/^\d{1,2}\.\d{1,2}\.$/.test(text) ? text : withoutMark(text));

const timeWord = (token: Token) =>
  token.isQuoted
    ? bareWord(token)
    : withoutPoint(token)
        .toLowerCase()
        .replace(/^@$/, 'at')
        .replace(/^@(?=\d|\w+ly$)/, '');

export function takeTimes(command: CommandShape, typed: Token[], raw: Record<string, string[]>) {
  const words = [...typed];
  const texts = words.map(timeWord);
  let last: SaidTime | undefined;
  for (let at = 0; command.kind === 'action' && at < words.length; ) {
    const time = timeAt(texts, at);
    if (time === undefined || !isOfRequest(command, words, at, time)) {
      at += 1;
    } else {
      putTime(command, raw, time, words.splice(at, time.end - at));
      texts.splice(at, time.end - at);
      last = time;
    }
  }
  return { words, ...defined({ time: last }) };
}

/** Between names, a time may stand anywhere; behind a text or a value, only at the end. */
function isOfRequest(command: CommandShape, words: readonly Token[], at: number, time: SaidTime): boolean {
  if (isArg(command, words.slice(at, time.end), time)) return false;
  return hasNames(command) ? isNoName(command, at, time) : isBehindValue(command, words, at, time);
}

/** `alerts remind 4h`, `cancel files-1 later` */
function isArg({ args }: CommandShape, [only, ...others]: readonly Token[], { kind }: SaidTime): boolean {
  if (kind === 'later' && Object.hasOwn(args, 'when')) return true;
  return others.length === 0 && only !== undefined && Object.values(args).some(({ fits }) => fits?.(only.text));
}

/** A server may be called `daily`, and so may a project: `restart daily`, `move web-1 daily`. */
function isNoName({ args }: CommandShape, at: number, { kind, end }: SaidTime): boolean {
  return kind !== 'every' || end > at + 1 || (at > 0 && Object.values(args).some(isSeveralNames));
}

/** A quoted text is complete, and so is the value of a record that is no text. */
function isBehindValue(command: CommandShape, words: readonly Token[], at: number, { kind, end }: SaidTime): boolean {
  const args = Object.values(command.args);
  const isText = args.some((arg) => isPasted(arg) || arg.trails !== undefined);
  if (end < words.length || at < 2 || kind === 'span' || isText) return false;
  const isValue = ({ text }: Token, index: number) =>
    index < at &&
    text.toUpperCase() !== 'TXT' &&
    args.some(({ impliedBy, fits }) => impliedBy && (fits?.(text) || impliedBy(text)));
  return words[at - 1]?.isQuoted === true || (takesNames(command) && words.some(isValue));
}

/** Refuses a time for which there is no place, or that is the second one. */
export function putTime(
  command: CommandShape,
  raw: Record<string, string[]>,
  { kind, words }: SaidTime,
  typed: readonly Token[],
): void {
  if (kind === 'now' || (kind === 'later' && takesTiming(command))) return;
  const phrase = typed.map(withoutPoint).join(' ');
  const named = kind === 'span' ? { at: `for ${phrase}` } : kind === 'at' ? { at: atPlainly(phrase) } : words;
  const names = Object.keys(named) as (keyof typeof words)[];
  // `cancel web-1 tomorrow` may ask for an end then, and `freeze here every friday` for the end of a freeze.
  const isElse = Object.hasOwn(command.args, 'when') || names.some((name) => timingNamed(command, name) === undefined);
  if (!takesTiming(command) || isElse)
    throw new Refusal('impossible', `\`${shorten(phrase)}\` does not fit here.`, {
      hint: takesTiming(command) ? 'Write the hour to begin as at="sun 03:00".' : 'This takes effect at once.',
    });
  const isSecond = names.some(
    (name) => raw[timingKey(name)] !== undefined || (/^(?:at|every)$/.test(name) && hasHour(raw)),
  );
  if (isSecond)
    throw new Refusal('bad_value', `\`${shorten(phrase)}\` is a second hour.`, { hint: 'Write one of them.' });
  for (const name of names) raw[timingKey(name)] = [named[name] ?? ''];
}

/** Without `at` or `for`, which say nothing more: `at 22:00`, but not `at 9`. */
function atPlainly(phrase: string): string {
  const bare = phrase.replace(/^(?:at|on|for|to|@) /i, '');
  return partsOf(zoneBehind(bare).words) === undefined ? phrase : bare;
}

/** The number of words behind `at=2026-12-01` that belong to it, as in `at=2026-12-01 22:00`. */
export function wordsOfTime(name: string, value: string, behind: readonly Token[]): number {
  const opening = (['in', 'every', 'until', 'at'] as const).find((word) => name === timingKey(word));
  if (opening === undefined || /\s/.test(value)) return 0;
  const words = [value.toLowerCase(), ...behind.map(timeWord)];
  const time = timeAt([opening, ...words], 0);
  return Math.max(0, time === undefined ? (timeAt(words, 0)?.end ?? 0) - 1 : time.end - 2);
}

interface Head {
  readonly tokens: readonly Token[];
  readonly time?: SaidTime;
  /** The words of the time. */
  readonly typed?: readonly Token[];
}

/** `tomorrow 9am restart web-1`, `schedule a restart of web-1`: a line without what stands before its command. */
export function cutHead(tokens: readonly Token[], isCommand: (tokens: readonly Token[]) => boolean): Head {
  refuseCron(tokens, isCommand);
  const opening = tokens.findIndex((token) => !/^(?:schedule|an?|the)$/.test(bareWord(token)));
  const planned = opening > 0 && bareWord(tokens[0]) === 'schedule' ? tokens.slice(opening) : tokens;
  const isPlan = planned !== tokens && (isCommand(planned) || isCommand(planned.slice(1)));
  if (isPlan) return { tokens: planned, time: { kind: 'later', end: 0, words: {} } };
  const time = isCommand(tokens) ? undefined : timeAt(planned.map(timeWord), 0);
  const rest = withoutOpening(planned.slice(time?.end ?? 0));
  if (time === undefined || !isCommand(rest)) return { tokens };
  return { tokens: rest, ...defined({ time, typed: planned.slice(0, time.end) }) };
}

/** `later` lacks the hour, which the form asks for. */
export function lacksHour(raw: RawArgs, { time }: Pick<Head, 'time'>): readonly string[] {
  return time?.kind === 'later' && !hasHour(raw) ? [theHour] : [];
}

/** Refuses an expression of cron, and offers the days of the week and the hour that mean the same. */
function refuseCron(tokens: readonly Token[], isCommand: (tokens: readonly Token[]) => boolean): void {
  const line = tokens.map(({ text, isQuoted }) => (isQuoted && text.includes('"') ? quoteValue(text) : text)).join(' ');
  const { expression, same } = cronIn(line) ?? {};
  if (expression === undefined) return;
  const says = `\`${shorten(expression)}\` is an expression of cron`;
  const hint = `Write days of the week and one hour instead, like every="${same?.every ?? 'mon,thu 03:00'}".`;
  if (same === undefined) {
    const why = 'that cannot be done: runs again and again are on days of the week, at one hour.';
    throw new Refusal('not_understood', `${says} ${why}`, { hint });
  }
  const rest = tokenize(
    line
      .replace(expression, '')
      .replace(/(?:^| )(?:cron|crontab|schedule)(?= )|(?:at|every|cron)=(?= |$)|--(?:at|every|cron)(?= |$)/gi, ''),
  );
  const end = rest.some(({ text }) => /^(?:until|till?|for)\b/i.test(text)) ? '' : ' until="in 30 days"';
  const command = `${rest.map(({ text }) => quoteValue(text)).join(' ')} every="${same.every}"${end}`;
  const label = `${sentenceStart(same.says)}${end === '' ? '' : ', for 30 days'}`;
  throw new Refusal('not_understood', `${says}.`, { hint, suggestions: isCommand(rest) ? [{ label, command }] : [] });
}
