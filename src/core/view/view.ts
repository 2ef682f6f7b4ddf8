import { dayInWords } from '../text/words.ts';

/** The content that a person sees, without a word about Slack: slack/ turns it into blocks, a test into lines. */

/** Plain strings are text from anywhere, escaped on the way out; only the objects mean something. */
export type Span =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  | { readonly user: string }
  | { readonly channel: string }
  | { readonly group: string }
  /** A moment, in the reader's own time; a `day` is the day in UTC, the same for every reader. */
  | { readonly date: number; readonly style?: 'time' | 'day' | 'full' }
  | { readonly link: string; readonly text: string };
export type Text = string | readonly Span[];

export type Tone = 'info' | 'success' | 'warning' | 'error';

/** The request that a button makes. It is parsed again on the way in and trusted no more than typed text. */
export type Intent =
  | { readonly do: 'vote'; readonly operation: string; readonly vote: Vote }
  /** As if the person had typed this line, in the channel the click comes from; `in`: under the rules of that channel; `anyway`: beside the same request that waits; `replaces`: the request that ends when this one is made; `alert`: the one that the person is on from then on. */
  | {
      readonly do: 'run';
      readonly line: string;
      readonly in?: string;
      readonly anyway?: true;
      readonly replaces?: string;
      readonly alert?: string;
    }
  /** The read on this line again, in place of the message. */
  | { readonly do: 'refresh'; readonly line: string }
  /** The read on this line, for everybody in the channel; once for each answer. */
  | { readonly do: 'share'; readonly line: string; readonly answer: string }
  /** The form of the command on this line, with what the line gives filled in; `in`: for that channel. */
  | { readonly do: 'form'; readonly line: string; readonly in?: string }
  /** The answer to the read on this line, in a dialog. */
  | { readonly do: 'open'; readonly line: string }
  /** Other servers on Home. */
  | { readonly do: 'home'; readonly filter: string; readonly page: number }
  /** Marks a server on Home as a favorite of the person who clicks, or no longer. */
  | { readonly do: 'favorite'; readonly order: string; readonly isFavorite: boolean }
  /** The dialog in which the person who clicks chooses what notifies them. */
  | { readonly do: 'notifications' }
  /** The facts of a request, for the person who decides on it or may see it. */
  | { readonly do: 'review'; readonly operation: string }
  /** Mentions the approvers of a request again. */
  | { readonly do: 'remind'; readonly operation: string }
  /** Why a request needs this decision, told to the person who clicks. */
  | { readonly do: 'why'; readonly operation: string }
  /** The right to what this line does, asked of the admins. */
  | { readonly do: 'ask-access'; readonly line: string; readonly in?: string }
  /** An admin's answer to that. */
  | { readonly do: 'access'; readonly request: string; readonly act: 'grant' | 'decline' }
  | { readonly do: 'reveal'; readonly secret: string }
  | {
      readonly do: 'alert';
      readonly alert: string;
      readonly act: 'acknowledge' | 'snooze' | 'accept';
      readonly forMs?: number;
    };

/** `stop` leaves the steps that have not begun; `continue` lets go on what waits for somebody to say so. */
export const votes = ['confirm', 'approve', 'decline', 'withdraw', 'stop', 'continue'] as const;
export type Vote = (typeof votes)[number];

export interface Button {
  readonly label: string;
  readonly intent: Intent;
  readonly style?: 'primary' | 'danger';
  /** The click opens a modal, so Slack's three seconds for opening one begin at once. */
  readonly opens?: boolean;
  /** The heading under which a menu lists it. */
  readonly group?: string;
}

export interface Column {
  readonly name: string;
  readonly align?: 'left' | 'right';
}

export interface DiffLine {
  readonly sign: '+' | '−' | ' ';
  readonly text: string;
}

/** One of several things that are done one after another; `word` is its state as a person says it. */
export interface TaskLine {
  readonly label: string;
  readonly status: 'pending' | 'running' | 'done' | 'trouble';
  readonly word: string;
  readonly note?: string;
}

export type ViewPart =
  | { readonly kind: 'heading'; readonly text: string; readonly aside?: string }
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [label: string, value: Text])[] }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly (readonly Text[])[] }
  /** `title` says how far they are: all that is seen where the rest is folded. */
  | { readonly kind: 'tasks'; readonly title: string; readonly tasks: readonly TaskLine[] }
  /** `folded` is the title of what is shown only to those who open it. */
  | { readonly kind: 'code'; readonly text: string; readonly folded?: string }
  | { readonly kind: 'diff'; readonly lines: readonly DiffLine[]; readonly folded?: string }
  | { readonly kind: 'notice'; readonly tone: Tone; readonly text: Text }
  | { readonly kind: 'context'; readonly text: Text }
  | { readonly kind: 'divider' }
  | { readonly kind: 'buttons'; readonly buttons: readonly Button[] }
  /** One button that opens a short list, such as Snooze. `isOverflow`: behind `⋯`, for what is rarely pressed. */
  | {
      readonly kind: 'menu';
      readonly label: string;
      readonly options: readonly Button[];
      readonly isOverflow?: true;
    }
  /** One field that searches everything as people type, and opens what they choose in a dialog. */
  | { readonly kind: 'find'; readonly label: string };

/** A picture or a file that comes with an answer; never part of a stored message. */
export interface Attachment {
  readonly name: string;
  readonly title: string;
  /** The words that a screen reader reads for a picture. */
  readonly alt: string;
  readonly bytes: Uint8Array;
}

export interface View {
  /** The notification and what a screen reader says. With its marks, so that people are named there and not their ids. */
  readonly summary: Text;
  readonly parts: readonly ViewPart[];
  readonly files?: readonly Attachment[];
  /** A command line that shows more, such as `list page:2`: a button, where something did not fit. */
  readonly more?: string;
}

/** Shows text between backticks as code. */
export function withCode(text: string): Text {
  const pieces = text.split(/`([^`\n]+)`/);
  return pieces.length === 1 ? text : pieces.map((piece, at) => (at % 2 === 1 ? { code: piece } : piece));
}

/** The text of a Text without its marks; mentions stay as ids. For summaries, logs and transcripts. */
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

/** Joins texts, keeping their marks. */
export function text(...parts: readonly (Text | Span)[]): Text {
  return parts.flatMap((part) => (Array.isArray(part) ? part : [part as Span]));
}

export function notice(
  tone: 'info' | 'success' | 'warning' | 'error',
  text: Text,
  buttons: readonly Button[] = [],
): View {
  const parts: ViewPart[] = [{ kind: 'notice', tone, text }];
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  return { summary: text, parts };
}

export function says(text: Text, buttons: readonly Button[] = []): View {
  const parts: ViewPart[] = [{ kind: 'text', text }];
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  return { summary: text, parts };
}

/** Reads the line again, in place of the message. */
export function refreshButton(line: string): Button {
  return { label: 'Refresh', intent: { do: 'refresh', line } };
}
