import type { RichTextElement } from '@slack/types';
import { dayInWords } from '../../core/text/words.ts';
import type { Span, Text } from '../../core/view/view.ts';
import { clip, clipCounted, countedLength, escapeText, harmless, isMarkup, neutral } from './escape.ts';

/** Draws texts as rich_text elements, which need no escaping, and as mrkdwn if necessary. */

const dateFormats = { time: '{time}', full: '{date_short_pretty} {time}' } as const;

const userId = /^[UW][A-Z0-9]{2,20}$/;
const channelId = /^[CG][A-Z0-9]{2,20}$/;
const groupId = /^S[A-Z0-9]{2,20}$/;

/** A validated span: an invalid id, link or date becomes plain text. */
type Mark =
  | { readonly kind: 'words'; readonly text: string; readonly style?: 'bold' | 'code' }
  | { readonly kind: 'user' | 'channel' | 'group'; readonly id: string }
  | { readonly kind: 'date'; readonly seconds: number; readonly format: string; readonly fallback: string }
  | { readonly kind: 'link'; readonly url: string; readonly text: string };

function spansOf(text: Text): readonly Span[] {
  return typeof text === 'string' ? [text] : text;
}

function markOf(span: Span): Mark {
  if (typeof span === 'string') return words(span);
  if ('bold' in span) return words(span.bold, 'bold');
  if ('code' in span) return words(span.code, 'code');
  if ('user' in span) return userId.test(span.user) ? { kind: 'user', id: span.user } : words(`@${span.user}`);
  if ('channel' in span) {
    return channelId.test(span.channel) ? { kind: 'channel', id: span.channel } : words(`#${span.channel}`);
  }
  if ('group' in span) return groupId.test(span.group) ? { kind: 'group', id: span.group } : words(`@${span.group}`);
  if ('date' in span) return dateOf(span.date, span.style ?? 'full');
  return linkOf(span.link, span.text);
}

function words(content: string, style?: 'bold' | 'code'): Mark {
  // No message holds more, and processing more takes time.
  const text = content.slice(0, 16_000);
  return style === undefined ? { kind: 'words', text: harmless(text) } : { kind: 'words', text: harmless(text), style };
}

function dateOf(ms: number, style: keyof typeof dateFormats | 'day'): Mark {
  const seconds = Math.floor(ms / 1_000);
  if (!(seconds >= 0 && seconds < 8_640_000_000)) return words('an unknown time');
  const day = dayInWords(seconds * 1_000);
  // Not as a date for Slack, which would show each reader's local day.
  if (style === 'day') return words(day);
  // The fallback names UTC, since an app without support for dates does not know the reader's zone.
  const clock = `${new Date(seconds * 1_000).toISOString().slice(11, 16)} UTC`;
  const fallback = style === 'time' ? clock : `${day} ${clock}`;
  return { kind: 'date', seconds, format: dateFormats[style], fallback };
}

function linkOf(url: string, text: string): Mark {
  const parsed = URL.parse(url);
  const isWeb = parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:');
  if (!isWeb || parsed.href.length > 2_000) return words(text === '' ? url : text);
  return { kind: 'link', url: parsed.href, text: harmless(text === '' ? url : text) };
}

/**
 * The marks of a text, cut at `most` characters as Slack counts them; mentions, dates and links count as they are sent.
 */
function marksWithin(text: Text, most: number): { marks: readonly Mark[]; isCut: boolean } {
  const marks: Mark[] = [];
  let left = most;
  for (const span of spansOf(text)) {
    const mark = markOf(span);
    const size = sizeOf(mark);
    if (size === 0) continue;
    if (size > left || marks.length >= 500) {
      if (mark.kind === 'words' && left > 1) marks.push({ ...mark, text: clipCounted(mark.text, left) });
      else marks.push({ kind: 'words', text: '…' });
      return { marks, isCut: true };
    }
    marks.push(mark);
    left -= size;
  }
  return { marks, isCut: false };
}

function sizeOf(mark: Mark): number {
  if (mark.kind === 'words') return countedLength(mark.text);
  if (mark.kind === 'link') return countedLength(mark.text) + countedLength(mark.url);
  return mark.kind === 'date' ? 64 : 24;
}

/** The characters of the budget that a span uses. */
export const spanSize = (span: Span): number => sizeOf(markOf(span));

export function isBlank(text: Text): boolean {
  return spansOf(text).every((span) => {
    const mark = markOf(span);
    return mark.kind === 'words' && mark.text.trim() === '';
  });
}

export function hasMarks(text: Text): boolean {
  return spansOf(text).some((span) => typeof span !== 'string');
}

/** Whether the text has a span that only Slack can show: a name, or a time in the reader's zone. */
export function hasMentions(text: Text): boolean {
  return spansOf(text).some((span) => !['words', 'link'].includes(markOf(span).kind));
}

export function richElements(text: Text, most: number): { elements: RichTextElement[]; isCut: boolean } {
  const { marks, isCut } = marksWithin(text, most);
  return { elements: marks.map(richElement), isCut };
}

function richElement(mark: Mark): RichTextElement {
  switch (mark.kind) {
    case 'words':
      return mark.style === undefined
        ? { type: 'text', text: mark.text }
        : { type: 'text', text: mark.text, style: { [mark.style]: true } };
    case 'user':
      return { type: 'user', user_id: mark.id };
    case 'channel':
      return { type: 'channel', channel_id: mark.id };
    case 'group':
      return { type: 'usergroup', usergroup_id: mark.id };
    case 'date':
      return { type: 'date', timestamp: mark.seconds, format: mark.format, fallback: mark.fallback };
    case 'link':
      return { type: 'link', url: mark.url, text: mark.text };
  }
}

/** The text without markup, made harmless and cut, for plain text objects. */
export function plainWithin(text: Text, most: number): string {
  const { marks } = marksWithin(text, most);
  return clip(marks.map(plainMark).join(''), most);
}

function plainMark(mark: Mark): string {
  if (mark.kind === 'date') return mark.fallback;
  if (mark.kind === 'words' || mark.kind === 'link') return mark.text;
  return `${mark.kind === 'channel' ? '#' : '@'}${mark.id}`;
}

/** The text cut at `most` characters, with its marks. */
export function textWithin(text: Text, most: number): { text: readonly Span[]; isCut: boolean } {
  const { marks, isCut } = marksWithin(text, most);
  const spans = spansOf(text);
  if (!isCut) return { text: spans, isCut };
  // All spans but the last are unchanged, except that empty ones are dropped.
  const kept = spans.filter((span) => sizeOf(markOf(span)) > 0).slice(0, marks.length - 1);
  const last = marks.at(-1);
  return { text: last?.kind === 'words' ? [...kept, spanOf(last)] : kept, isCut };
}

function spanOf({ text, style }: Extract<Mark, { kind: 'words' }>): Span {
  if (style === undefined) return text;
  return style === 'bold' ? { bold: text } : { code: text };
}

/**
 * The text for a message's `text`, which is for phones, search and screen readers. Slack resolves people, channels and
 * dates in it. A user group would be notified, so its name is plain text.
 */
export function notificationWithin(text: Text, most: number): string {
  const { marks } = marksWithin(text, most);
  return marks.map(notificationMark).join('');
}

function notificationMark(mark: Mark): string {
  if (mark.kind === 'group') return 'a user group';
  if (mark.kind === 'link' || mark.kind === 'words') return escapeText(neutral(mark.text));
  return mrkdwnMark(mark) ?? '';
}

/** The text as mrkdwn; undefined if Slack would read markup into its words. */
export function mrkdwnWithin(text: Text, most: number): string | undefined {
  const { marks } = marksWithin(text, most);
  let out = '';
  for (const [index, mark] of marks.entries()) {
    const written = mrkdwnMark(mark);
    if (written === undefined) return undefined;
    // Slack shows emphasis beside a letter as an asterisk.
    const isStyled = (candidate: Mark | undefined) => candidate?.kind === 'words' && candidate.style !== undefined;
    const touches = /[^\s(]$/.test(out) && /^[^\s.,;:)]/.test(written);
    if (touches && (isStyled(mark) || isStyled(marks[index - 1]))) return undefined;
    out += written;
  }
  return out.length <= most ? out : undefined;
}

function mrkdwnMark(mark: Mark): string | undefined {
  switch (mark.kind) {
    case 'words':
      if (isMarkup(mark.text)) return undefined;
      if (mark.style === undefined) return escapeText(mark.text);
      // Emphasis cannot span lines, and cannot begin or end with a space.
      if (mark.text.trim() !== mark.text || mark.text.includes('\n')) return undefined;
      return mark.style === 'bold' ? `*${escapeText(mark.text)}*` : `\`${escapeText(mark.text)}\``;
    case 'user':
      return `<@${mark.id}>`;
    case 'channel':
      return `<#${mark.id}>`;
    case 'group':
      return `<!subteam^${mark.id}>`;
    case 'date':
      return `<!date^${mark.seconds}^${mark.format}|${mark.fallback}>`;
    case 'link':
      if (isMarkup(mark.text) || /[\n|]/.test(mark.text) || /[<>|]/.test(mark.url)) return undefined;
      return `<${mark.url.replaceAll('&', '&amp;')}|${escapeText(mark.text)}>`;
  }
}
