import { defined } from '../text/defined.ts';
import { undoKeyboards, withoutHost } from '../text/undo-typing.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { isPasted } from './cut-reason.ts';
import { lineOf, type Parsed, type ParsedCommand } from './parse.ts';
import { timingOf, withoutTiming } from './timing-keys.ts';
import { inQuotes, quote, readWord, tokenize } from './tokens.ts';

/** Splits a text into the lines of a plan: at newlines, `;` and `then`, outside of quotes. */

interface Cut {
  readonly text: string;
  /** The separator before it, as typed. */
  readonly behind: string;
}

/** A mark before a line of a pasted list: `- `, `2. `. */
const mark = /^(?:[-*•]|\d{1,2}[.)])\s+/;

const isThen = (word: string) => /^(?:then,?|->|→|&&)$/i.test(word);

/** The text between the fences of a pasted block. */
function unfenced(text: string): string {
  const block = text.trim();
  const isFenced = block.length > 6 && block.startsWith('```') && block.indexOf('```', 3) === block.length - 3;
  return isFenced ? block.slice(3, -3) : text;
}

/** The places of `;` in an unquoted word, or right behind a quoted one. */
function signsIn(text: string, start: number, end: number, isQuoted: boolean): readonly number[] {
  if (isQuoted) return text.charAt(end - 1) === ';' ? [end - 1] : [];
  const [plain = ''] = /^[^"'“„«`]*/.exec(text.slice(start, end)) ?? [];
  return [...plain.matchAll(/;/g)].map(({ index }) => start + index);
}

function cuts(input: string): readonly Cut[] {
  const text = undoKeyboards(unfenced(input));
  const all: Cut[] = [];
  const unclosed = new Set<string>();
  let [start, behind] = [0, ''];
  const cut = (end: number, next: number) => {
    all.push({ text: text.slice(start, end), behind });
    [start, behind] = [next, text.slice(end, next)];
  };
  for (let at = 0; at < text.length; ) {
    if (text.charAt(at) === '\n') cut(at, at + 1);
    if (/\s/.test(text.charAt(at))) at += 1;
    else {
      const [{ text: word, isQuoted }, end] = readWord(text, at, unclosed);
      if (!isQuoted && isThen(word)) cut(at, end);
      for (const sign of signsIn(text, at, end, isQuoted)) cut(sign, sign + 1);
      at = end;
    }
  }
  cut(text.length, text.length);
  return all;
}

const asLine = (text: string) => withoutHost(withoutJoin(text.trim().replace(mark, ''))).trim();

/** Without `, and` before `then`. */
function withoutJoin(text: string): string {
  const line = /\band$/i.test(text) ? text.slice(0, -'and'.length).trimEnd() : text;
  return line.endsWith(',') ? line.slice(0, -1) : line;
}

export function splitLines(text: string): readonly string[] {
  return cuts(text).flatMap((cut) => asLine(cut.text) || []);
}

type Read<C extends CommandShape> = (line: string) => Parsed<C>;

/** Far longer than twenty lines; the time to split a text grows with its length. */
const mostCharacters = 10_000;
/** More lines than this are not parsed to find out whether they are lines of a plan. */
const mostRead = 20;

/** The lines of a text that does not begin with `plan`; one if its separators are a part of a value or of a reason. */
function linesOfCommands<C extends CommandShape>(text: string, read: Read<C>): readonly string[] {
  const all = cuts(text).filter((cut) => asLine(cut.text) !== '');
  const [first] = all;
  if (first === undefined || all.length < 2) return [];
  const readings = new Map(all.slice(0, mostRead).map((cut) => [cut, read(asLine(cut.text))]));
  const opening = readings.get(first);
  const isText = (arg: ArgShape) => isPasted(arg) || arg.isOfLines;
  if (opening?.kind !== 'command' || Object.values(opening.command.args).some(isText)) return [];
  const isLine = (cut: Cut) => {
    const parsed = readings.get(cut);
    return parsed?.kind === 'command' && (parsed.isTaken !== true || parsed.missing.length === 0);
  };
  const isBlock = all.some((cut) => cut.behind.includes('\n') && isLine(cut));
  /** Behind a reason only a line that is written as a command begins: `because it hung and then the disk died`. */
  const isInReason = (cut: Cut, before = '') => {
    const [parsed, previous] = [readings.get(cut), read(asLine(before))];
    const isExact = parsed?.kind === 'command' && parsed.command.kind === 'action' && parsed.isTaken !== true;
    return !isExact && previous.kind === 'command' && previous.reason !== undefined;
  };
  const lines: string[] = [];
  for (const cut of all) {
    const isOwn = isLine(cut) && (cut.behind.includes('\n') || !isInReason(cut, lines.at(-1)));
    const isApart =
      isOwn ||
      (isBlock && cut.behind.includes('\n')) ||
      (!readings.has(cut) && lines.length > 1) ||
      (readings.has(cut) && isThen(cut.behind) && hasOnlyNames(read(asLine(lines.at(-1) ?? ''))));
    if (lines.length === 0 || isApart) lines.push(readings.has(cut) ? completed(cut, lines.at(-1), read) : cut.text);
    else lines.push(`${lines.pop()}${cut.behind}${cut.text}`);
  }
  return lines.map(asLine);
}

/** `restart web-1 then web-2` repeats the command, and `stop web-1 then start it` the name. */
function completed<C extends CommandShape>({ text, behind }: Cut, before: string | undefined, read: Read<C>): string {
  const previous = before === undefined || /[;\n]/.test(behind) ? undefined : read(asLine(before));
  if (previous?.kind !== 'command' || previous.command.kind !== 'action') return text;
  const { command, raw } = previous;
  const own = read(asLine(text));
  const name = Object.keys(command.args).find((arg) => command.args[arg]?.isName);
  const names = (name === undefined ? undefined : raw[name]) ?? [];
  if (own.kind === 'command' && own.command.kind === 'query' && own.isTaken) {
    const again = `${command.path} ${asLine(text)}`;
    return read(again).kind === 'command' ? again : text;
  }
  return names.length === 0 ? text : text.replace(/ (?:it|them)[.!]?\s*$/i, () => ` ${names.map(quote).join(' ')}`);
}

/**
 * Parses `restart web-1 then restart web-2` and `plan …` as a plan of several lines, whose last line may have the hour and
 * the reason of all. Undefined for any other text.
 */
export function parsePlan<C extends CommandShape>(
  text: string,
  commands: readonly C[],
  read: Read<C>,
): ParsedCommand<C> | undefined {
  const [plan, save] = ['plan', 'plan save'].map((path) => commands.find((command) => command.path === path));
  if (plan === undefined || save === undefined || text.length > mostCharacters) return undefined;
  const [, called = '', block] = /^\s*plan save (\S+)[ \t]*\n([\s\S]+)$/i.exec(text) ?? [];
  if (block !== undefined) return { ...asCommand(save), raw: { called: [called], lines: splitLines(block) } };
  const whole = /^\s*plan[:\s]+(?!["'“„«`])(?!(?:save|list|delete)(?:\s|$))([\s\S]+)$/i.exec(text)?.[1];
  const lines = whole === undefined ? linesOfCommands(text, read) : splitLines(whole);
  // The name of a saved plan, and its values.
  if (whole !== undefined && read(lines[0] ?? '').kind !== 'command') return undefined;
  if (lines.length < 2)
    return whole !== undefined || endsInNames(text, read) ? ofOneLine(splitLines(whole ?? text), read) : undefined;
  const command = asCommand(plan);
  const [before, last = ''] = [lines.slice(0, -1), lines.at(-1)];
  const parsed = lines.length <= mostRead ? read(last) : undefined;
  if (parsed?.kind !== 'command' || parsed.missing.length > 0) return { ...command, raw: { lines } };
  const { raw, reason, under } = parsed;
  const timing = timingOf(raw);
  const own =
    reason === undefined && Object.keys(timing).length === 0 ? last : lineOf(parsed.command, withoutTiming(raw));
  const isTaken = own !== last && parsed.isTaken;
  return {
    ...command,
    raw: { lines: [...before, own], ...timing },
    ...defined({ reason, under, isTaken: isTaken || undefined }),
  };
}

const asCommand = <C>(command: C) => ({ kind: 'command', command, missing: [], isShared: false }) as const;

/** `restart web-1;`: the sign at the end belongs to no value. */
function endsInNames<C extends CommandShape>(text: string, read: Read<C>): boolean {
  return /;\s*$/.test(text) && hasOnlyNames(read(text));
}

/** `restart web-1`: nothing of it is a text that could go on. */
function hasOnlyNames<C extends CommandShape>(parsed: Parsed<C>): boolean {
  if (parsed.kind !== 'command' || parsed.command.kind !== 'action' || parsed.reason !== undefined) return false;
  const { command, raw } = parsed;
  return Object.keys(raw).every((name) => command.args[name]?.isName);
}

/** `plan restart web-1` is `restart web-1`, and `plan a restart of web-1` asks for its hour; undefined for the name of a saved plan. */
function ofOneLine<C extends CommandShape>(
  [line = '', ...others]: readonly string[],
  read: Read<C>,
): ParsedCommand<C> | undefined {
  if (others.length > 0) return undefined;
  const parsed = read(/^(?:an?|the)\s/i.test(line) ? `schedule ${line}` : line);
  return parsed.kind === 'command' && parsed.command.kind === 'action' ? parsed : undefined;
}

const placeholder = /\{([a-z][a-z0-9-]{0,30})\}/g;

/** `server` of `restart {server}`. */
export function placeholdersIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => [...line.matchAll(placeholder)].map(([, name = '']) => name)))];
}

/** The lines with the values that are known, whose words begin no other line; the other placeholders stay. */
export function filledIn(lines: readonly string[], values: Readonly<Record<string, string>>): readonly string[] {
  const words = (value: string) =>
    tokenize(value).map(({ text, isQuoted }) => (isQuoted || isThen(text) ? inQuotes(text) : quote(text)));
  return lines.map((line) =>
    line.replace(placeholder, (whole, name: string) =>
      Object.hasOwn(values, name) && values[name] ? words(values[name]).join(' ') : whole,
    ),
  );
}

/** The name and the values of `failover server=web-1`. */
export function savedCall(line: string): {
  readonly name: string;
  readonly values: readonly (readonly [string, string])[];
} {
  const [name = '', ...words] = tokenize(line).map(({ text }) => text);
  const pair = (word: string) => [word.replace(/[=:].*$/s, ''), word.replace(/^[^=:]*[=:]?/, '')] as const;
  return { name: name.toLowerCase(), values: words.map(pair) };
}
