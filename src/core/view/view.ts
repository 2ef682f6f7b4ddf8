import { dayInWords } from '../text/words.ts';
import type { Intent } from './intent.ts';

/** The content of a message, independent of Slack: slack/ turns it into blocks, tests into lines. */

/** Strings are plain text from any source, escaped on the way out; objects are markup. */
export type Span =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  | { readonly user: string }
  | { readonly channel: string }
  | { readonly group: string }
  /** A time in the reader's own zone; a `day` is the day in UTC, the same for every reader. */
  | { readonly date: number; readonly style?: 'time' | 'day' | 'full'; readonly isBold?: true }
  | { readonly link: string; readonly text: string };
export type Text = string | readonly Span[];

type Tone = 'info' | 'success' | 'warning' | 'error';

export interface Button {
  readonly label: string;
  readonly intent: Intent;
  readonly style?: 'primary' | 'danger';
  /** The click opens a modal, for which Slack allows three seconds. */
  readonly opens?: boolean;
  /** The heading of the option in a menu. */
  readonly group?: string;
}

/** A phone shows three columns. The card of an item or a file has what does not fit. */
type UpToThree<T> = readonly [T] | readonly [T, T] | readonly [T, T, T];
export type Columns = UpToThree<{ readonly name: string; readonly align?: 'left' | 'right' }>;
export type Row = UpToThree<Text>;

export interface DiffLine {
  readonly sign: '+' | '−' | ' ';
  readonly text: string;
}

/** One step of several; `word` is its state in words. */
export interface TaskLine {
  readonly label: string;
  readonly status: 'pending' | 'running' | 'done' | 'trouble';
  readonly word: string;
  readonly note?: string;
}

export type ViewPart =
  | { readonly kind: 'heading'; readonly text: Text; readonly aside?: string }
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [label: string, value: Text])[] }
  | { readonly kind: 'table'; readonly columns: Columns; readonly rows: readonly Row[] }
  /** `title` shows the progress, also while the list is folded. */
  | { readonly kind: 'tasks'; readonly title: string; readonly tasks: readonly TaskLine[] }
  /** `folded` is the title of a folded part. `isFile`: sent as a file, and not drawn. */
  | { readonly kind: 'code'; readonly text: string; readonly folded?: string; readonly isFile?: true }
  | { readonly kind: 'diff'; readonly lines: readonly DiffLine[]; readonly folded?: string }
  | { readonly kind: 'notice'; readonly tone: Tone; readonly text: Text }
  | { readonly kind: 'context'; readonly text: Text }
  /**
   * The place of a picture among the words: one of the files of the view, by name. `id` is that of the uploaded file.
   * `isAside`: the answer is complete without the picture, so the file is never sent alone.
   */
  | {
      readonly kind: 'picture';
      readonly file: string;
      readonly alt: string;
      readonly id?: string;
      readonly isAside?: true;
    }
  | { readonly kind: 'buttons'; readonly buttons: readonly Button[] }
  /** One button that opens a short list, such as "Snooze". `isOverflow`: shown as `⋯`, for rare actions. */
  | {
      readonly kind: 'menu';
      readonly label: string;
      readonly options: readonly Button[];
      readonly isOverflow?: true;
    }
  /** A field that searches everything as people type and opens the chosen result in a dialog. */
  | { readonly kind: 'find'; readonly label: string };

/** A picture or a file of a response; never part of a stored message. */
export interface Attachment {
  readonly name: string;
  readonly title: string;
  /** The alternative text of a picture. */
  readonly alt: string;
  readonly bytes: Uint8Array;
}

export interface View {
  /** The notification and screen reader text. Keeps its markup, so that it shows names and not ids. */
  readonly summary: Text;
  readonly parts: readonly ViewPart[];
  readonly files?: readonly Attachment[];
  /** A command line that shows more, such as `list page:2`; shown as a button if content was cut. */
  readonly more?: string;
  /** Why nothing was done, as machines read it: a reason of a refusal, or another one of problem.ts. */
  readonly reason?: string;
}

/** The files that are sent where pictures cannot be shown: all but pictures that only repeat the words. */
export function filesToSend({ parts, files = [] }: View): readonly Attachment[] {
  const aside = new Set(parts.flatMap((part) => (part.kind === 'picture' && part.isAside === true ? [part.file] : [])));
  return files.filter(({ name }) => !aside.has(name));
}

type Fields = Extract<ViewPart, { kind: 'fields' }>['fields'];

export function fieldsWith(fields: readonly (readonly [label: string, value: Text | null | undefined])[]): Fields {
  return fields.flatMap(([label, value]) => (value == null || plain(value) === '' ? [] : [[label, value] as const]));
}

/** The fields with a value as a part. Empty without one. */
export function fieldsPart(fields: Parameters<typeof fieldsWith>[0]): ViewPart[] {
  const filled = fieldsWith(fields);
  return filled.length === 0 ? [] : [{ kind: 'fields', fields: filled }];
}

/** Shows text between backticks as code. */
export function withCode(text: string): Text {
  const pieces = text.split(/`([^`\n]+)`/);
  return pieces.length === 1 ? text : pieces.map((piece, at) => (at % 2 === 1 ? { code: piece } : piece));
}

/** A Text without its markup; mentions become ids. For summaries, logs and transcripts. */
export function plain(text: Text): string {
  if (typeof text === 'string') return text;
  return text.map(plainSpan).join('');
}

function plainSpan(span: Span): string {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('code' in span) return span.code;
  if ('user' in span) return `@${span.user}`;
  if ('channel' in span) return `#${span.channel}`;
  if ('group' in span) return `@${span.group}`;
  if ('date' in span && span.style === 'day') return dayInWords(span.date);
  if ('date' in span) return `${new Date(span.date).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return span.text;
}

/** Joins texts and keeps their markup. */
export function text(...parts: readonly (Text | Span)[]): Span[] {
  return parts.flatMap((part) => (Array.isArray(part) ? part : [part as Span]));
}

/** A text between plain words: still a string if it is one. */
export function between(before: string, inner: Text, after = ''): Text {
  return typeof inner === 'string' ? `${before}${inner}${after}` : [before, ...inner, after];
}

export function joined(parts: readonly (Text | Span)[], between: string, last = between): Text {
  return text(...parts.flatMap((part, at) => (at === 0 ? [part] : [at === parts.length - 1 ? last : between, part])));
}

/** `@lead, @operator` */
export function peopleIn(users: readonly string[]): Text {
  const people = users.map((user) => ({ user }));
  return joined(people, ', ');
}

/** `on · down 1–3 min · example.com points here`: the parts that are not empty, with dots between. */
export function dotted(parts: readonly Text[]): Text {
  const filled = parts.filter((part) => plain(part) !== '');
  return joined(filled, ' · ');
}

export function notice(tone: Tone, text: Text, buttons: readonly Button[] = []): View {
  return ofOnePart({ kind: 'notice', tone, text }, buttons);
}

export function says(text: Text, buttons: readonly Button[] = []): View {
  return ofOnePart({ kind: 'text', text }, buttons);
}

function ofOnePart(part: ViewPart & { readonly text: Text }, buttons: readonly Button[]): View {
  return { summary: part.text, parts: [part, ...buttonRow(buttons)] };
}

/** A line of text. Empty without words. */
export function textPart(kind: 'text' | 'context', text: Text): ViewPart[] {
  return text === '' ? [] : [{ kind, text }];
}

/** A row of buttons. Empty without buttons: Slack rejects an empty row. */
export function buttonRow(buttons: readonly Button[]): ViewPart[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}

/** Slack's limit of options in a menu. */
const mostOptions = 100;

/** A menu of things by name, so that no one has to copy an id. Empty without options. */
export function menuPart(label: string, options: readonly Button[]): ViewPart[] {
  return options.length === 0 ? [] : [{ kind: 'menu', label, options: options.slice(0, mostOptions) }];
}

/** A menu with an option for each item. */
export function menuOf<T>(label: string, all: readonly T[], option: (item: T) => Button): ViewPart[] {
  return menuPart(label, all.map(option));
}

export function offered(buttons: readonly (readonly [isOffered: boolean, button: Button])[]): Button[] {
  return buttons.filter(([isOffered]) => isOffered).map(([, button]) => button);
}

/** Runs the line at once. */
export function runButton(label: string, line: string): Button {
  return { label, intent: { do: 'run', line } };
}

/** Opens the form of a command, filled in as far as the line goes. */
export function formButton(label: string, line: string): Button {
  return { label, intent: { do: 'form', line }, opens: true };
}

/** Opens the form of a command that destroys something. */
export function dangerButton(label: string, line: string): Button {
  return { ...formButton(label, line), style: 'danger' };
}

/** Opens the facts of a request, for people who decide on it or may see it. */
export function reviewButton(label: string, operation: string): Button {
  return { label, intent: { do: 'review', operation }, opens: true };
}

/** The title of a request, linked to its card if the link is known. */
export function titleSpan(title: string, link: string | undefined): Span {
  return link === undefined ? { bold: title } : { link, text: title };
}

export const notificationsButton: Button = { label: 'Notifications…', intent: { do: 'notifications' }, opens: true };

/** A button that repeats the read and replaces the message. */
export function refreshButton(line: string): Button {
  return { label: 'Refresh', intent: { do: 'refresh', line } };
}

/** The diff of one value: `name web-1` → `name web-old`. */
export function valueDiff(of: string, before: string, after: string): DiffLine[] {
  return [
    { sign: '−', text: `${of}  ${before}` },
    { sign: '+', text: `${of}  ${after}` },
  ];
}

/** The removed and the added lines, without lines in both. */
export function linesDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((text): DiffLine => ({ sign: '−', text })),
    ...after.filter((line) => !before.includes(line)).map((text): DiffLine => ({ sign: '+', text })),
  ];
}
