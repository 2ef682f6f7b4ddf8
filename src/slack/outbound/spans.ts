import type { RichTextElement } from '@slack/types';
import { dayInWords } from '../../core/text/words.ts';
import type { Span, Text } from '../../core/view/view.ts';
import { clip, clipCounted, countedLength, escapeText, harmless, isMarkup, neutral } from './escape.ts';

/** Draws texts as rich_text elements, which need no escaping, and as mrkdwn if necessary. */

const dateFormats = { time: '{time}', full: '{date_short_pretty} {time}' } as const;

const userId = /^[UW][A-Z0-9]{2,20}$/;
const channelId = /^[CG][A-Z0-9]{2,20}$/;
const groupId = /^S[A-Z0-9]{2,20}$/;

type Style = 'bold' | 'code' | undefined;

/** A validated span in each notation of Slack: an invalid id, link or date becomes plain text. */
interface Mark {
  /** The characters of the budget that it uses. */
  readonly size: number;
  readonly rich: RichTextElement;
  readonly plain: string;
  /** Undefined if Slack would read markup into the words. */
  readonly mrkdwn: () => string | undefined;
  readonly notification: () => string;
  /** The words that can be cut; absent for names, times and links. */
  readonly words?: { readonly text: string; readonly style: Style };
  /** Only Slack can show it: a name, or a time in the reader's zone. */
  readonly isMention?: true;
}

function spansOf(text: Text): readonly Span[] {
  return typeof text === 'string' ? [text] : text;
}

function markOf(span: Span): Mark {
  if (typeof span === 'string') return words(span);
  if ('bold' in span) return words(span.bold, 'bold');
  if ('code' in span) return words(span.code, 'code');
  if ('user' in span) {
    const { user } = span;
    return userId.test(user) ? mention({ type: 'user', user_id: user }, `@${user}`, `<@${user}>`) : words(`@${user}`);
  }
  if ('channel' in span) {
    const { channel: id } = span;
    return channelId.test(id) ? mention({ type: 'channel', channel_id: id }, `#${id}`, `<#${id}>`) : words(`#${id}`);
  }
  if ('group' in span) {
    const { group: id } = span;
    if (!groupId.test(id)) return words(`@${id}`);
    const drawn = mention({ type: 'usergroup', usergroup_id: id }, `@${id}`, `<!subteam^${id}>`);
    return { ...drawn, notification: () => 'a user group' };
  }
  return 'date' in span ? dateOf(span) : linkOf(span.link, span.text);
}

function mention(rich: RichTextElement, plain: string, mrkdwn: string): Mark {
  return { size: 24, rich, plain, mrkdwn: () => mrkdwn, notification: () => mrkdwn, isMention: true };
}

function words(content: string, style?: Style): Mark {
  // No message holds more, and processing more takes time.
  return harmlessWords(harmless(content.slice(0, 16_000)), style);
}

function harmlessWords(text: string, style: Style): Mark {
  return {
    size: countedLength(text),
    rich: style === undefined ? { type: 'text', text } : { type: 'text', text, style: { [style]: true } },
    plain: text,
    mrkdwn: () => {
      if (isMarkup(text)) return undefined;
      const escaped = escapeText(text);
      if (style === undefined) return escaped;
      // Emphasis cannot span lines, and cannot begin or end with a space.
      if (text.trim() !== text || text.includes('\n')) return undefined;
      return style === 'bold' ? `*${escaped}*` : `\`${escaped}\``;
    },
    notification: () => escapeText(neutral(text)),
    words: { text, style },
  };
}

function dateOf({ date, style = 'full', isBold }: Extract<Span, { date: number }>): Mark {
  const timestamp = Math.floor(date / 1_000);
  if (!(timestamp >= 0 && timestamp < 8_640_000_000)) return words('an unknown time');
  const day = dayInWords(timestamp * 1_000);
  // Not as a date for Slack, which would show each reader's local day.
  if (style === 'day') return words(day);
  // The fallback names UTC, since an app without support for dates does not know the reader's zone.
  const clock = `${new Date(timestamp * 1_000).toISOString().slice(11, 16)} UTC`;
  const fallback = style === 'time' ? clock : `${day} ${clock}`;
  const format = dateFormats[style];
  const plain = `<!date^${timestamp}^${format}|${fallback}>`;
  const rich = { type: 'date', timestamp, format, fallback, ...(isBold && { style: { bold: true } }) } as const;
  return { ...mention(rich, fallback, isBold ? `*${plain}*` : plain), size: 64 };
}

function linkOf(address: string, shown: string): Mark {
  const parsed = URL.parse(address);
  const isWeb = parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:');
  if (!isWeb || parsed.href.length > 2_000) return words(shown === '' ? address : shown);
  const [url, text] = [parsed.href, harmless(shown === '' ? address : shown)];
  const isPlain = () => !isMarkup(text) && !/[\n|]/.test(text) && !/[<>|]/.test(url);
  return {
    size: countedLength(text) + countedLength(url),
    rich: { type: 'link', url, text },
    plain: text,
    mrkdwn: () => (isPlain() ? `<${url.replaceAll('&', '&amp;')}|${escapeText(text)}>` : undefined),
    notification: () => escapeText(neutral(text)),
  };
}

/** The marks of a text, cut at `most` characters as Slack counts them; mentions, dates and links count as sent. */
function marksWithin(text: Text, most: number): { marks: readonly Mark[]; isCut: boolean } {
  const marks: Mark[] = [];
  let left = most;
  for (const span of spansOf(text)) {
    const mark = markOf(span);
    if (mark.size === 0) continue;
    if (mark.size > left || marks.length >= 500) {
      const cut = left > 1 ? mark.words : undefined;
      marks.push(harmlessWords(cut === undefined ? '…' : clipCounted(cut.text, left), cut?.style));
      return { marks, isCut: true };
    }
    marks.push(mark);
    left -= mark.size;
  }
  return { marks, isCut: false };
}

export const spanSize = (span: Span): number => markOf(span).size;

export function isBlank(text: Text): boolean {
  return spansOf(text).every((span) => markOf(span).words?.text.trim() === '');
}

export function hasMarks(text: Text): boolean {
  return spansOf(text).some((span) => typeof span !== 'string');
}

export function hasMentions(text: Text): boolean {
  return spansOf(text).some((span) => markOf(span).isMention === true);
}

export function richElements(text: Text, most: number): { elements: RichTextElement[]; isCut: boolean } {
  const { marks, isCut } = marksWithin(text, most);
  return { elements: marks.map(({ rich }) => rich), isCut };
}

/** The text without markup, made harmless and cut, for plain text objects. */
export function plainWithin(text: Text, most: number): string {
  const { marks } = marksWithin(text, most);
  return clip(marks.map(({ plain }) => plain).join(''), most);
}

/** The text cut at `most` characters, with its marks. */
export function textWithin(text: Text, most: number): { text: readonly Span[]; isCut: boolean } {
  const { marks, isCut } = marksWithin(text, most);
  const spans = spansOf(text);
  if (!isCut) return { text: spans, isCut };
  // All spans but the last are unchanged, except that empty ones are dropped.
  const kept = spans.filter((span) => spanSize(span) > 0).slice(0, marks.length - 1);
  const last = marks.at(-1)?.words;
  if (last === undefined) return { text: kept, isCut };
  const { text: words, style } = last;
  const cut = style === undefined ? words : style === 'bold' ? { bold: words } : { code: words };
  return { text: [...kept, cut], isCut };
}

/**
 * The text for a message's `text`, which is for phones, search and screen readers. Slack resolves people, channels and
 * dates in it. A user group would be notified, so its name is plain text.
 */
export function summaryWithin(text: Text, most: number): string {
  const { marks } = marksWithin(text, most);
  return marks.map(({ notification }) => notification()).join('');
}

/** The text as mrkdwn; undefined if Slack would read markup into its words. */
export function mrkdwnWithin(text: Text, most: number): string | undefined {
  const { marks } = marksWithin(text, most);
  let out = '';
  for (const [index, mark] of marks.entries()) {
    const written = mark.mrkdwn();
    if (written === undefined) return undefined;
    // Slack shows emphasis beside a letter as an asterisk.
    const isStyled = (candidate: Mark | undefined) => candidate?.words?.style !== undefined;
    const touches = /[^\s(]$/.test(out) && /^[^\s.,;:)]/.test(written);
    if (touches && (isStyled(mark) || isStyled(marks[index - 1]))) return undefined;
    out += written;
  }
  return out.length <= most ? out : undefined;
}
