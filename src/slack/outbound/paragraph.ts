import type { ContextBlock, KnownBlock, RichTextBlock, RichTextElement, SectionBlock } from '@slack/types';
import type { Span, Text } from '../../core/view/view.ts';
import { plainText } from './escape.ts';
import type { Pen } from './pen.ts';
import { hasMarks, hasMentions, isBlank, mrkdwnWithin, plainWithin, richElements, summaryWithin } from './spans.ts';

/** The text blocks; the first that Slack accepts on the surface is drawn. */
type WordsBlock = 'rich_text' | 'section' | 'context';

export const proseOrder: readonly WordsBlock[] = ['rich_text', 'section', 'context'];
export const asideOrder: readonly WordsBlock[] = ['context', 'rich_text', 'section'];

const boxedLimit = 3_000;

/** Draws a text as one block; an empty list if Slack accepts no text block. */
export function paragraph(text: Text, most: number, pen: Pen, order = proseOrder): KnownBlock[] {
  const type = order.find((each) => !pen.avoid.has(each));
  if (type === undefined || isBlank(text)) return [];
  const within = type === 'rich_text' ? most : Math.min(most, boxedLimit);
  const { elements, isCut } = richElements(text, within);
  if (isCut) pen.left.isTextCut = true;
  if (type === 'rich_text') return [rich(elements)];
  const box = boxed(text, within);
  if (box !== undefined) return [inBox(type, box)];
  // If only rich text shows a context line exactly, it is drawn as rich text.
  return type === 'context' && !pen.avoid.has('rich_text') ? [rich(elements)] : [inBox(type, nearly(text, within))];
}

/** Draws lines as one block if that shows them exactly, otherwise as one block each, so that few are inexact. */
export function paragraphs(lines: readonly (readonly Span[])[], pen: Pen): KnownBlock[] {
  const all = lines.flatMap((line, index) => (index === 0 ? line : ['\n', ...line]));
  const isExact = !pen.avoid.has('rich_text') || boxed(all, boxedLimit) !== undefined;
  return (isExact ? [all] : lines).flatMap((text) => paragraph(text, boxedLimit, pen));
}

/**
 * Draws a text inexactly if Slack refuses rich text: as mrkdwn with its mentions and dates, and with signs replaced
 * that Slack would read as markup, or else as plain text.
 */
function nearly(text: Text, most: number): Box {
  const marked = hasMentions(text) ? summaryWithin(text, most) : '';
  return marked === '' || marked.length > most
    ? plainText(plainWithin(text, most))
    : { type: 'mrkdwn', text: marked, verbatim: true };
}

export function rich(elements: RichTextElement[]): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

type Box = ReturnType<typeof plainText> | { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true };

export function inBox(type: 'section' | 'context', box: Box): SectionBlock | ContextBlock {
  return type === 'section' ? { type, text: box } : { type, elements: [box] };
}

/**
 * A text object for blocks without rich text: plain text if the text has no marks, mrkdwn if it has mentions or dates
 * and no other text that Slack would read as markup. Undefined if only rich text is exact.
 */
export function boxed(text: Text, most: number): Box | undefined {
  if (!hasMarks(text)) return plainText(plainWithin(text, most));
  const marked = mrkdwnWithin(text, most);
  if (marked === undefined || marked === '' || isBlank(text)) return undefined;
  return { type: 'mrkdwn', text: marked, verbatim: true };
}

/** The length of a piece of preformatted lines, since Slack documents no limit. */
const pieceLimit = 3_000;

/** Joins lines into pieces of at most this length; a longer line is a piece alone. */
export function piecesOf(lines: readonly string[], most: number): string[] {
  const pieces: string[] = [];
  for (const line of lines) {
    const longer = `${pieces.at(-1)}\n${line}`;
    if (pieces.length > 0 && longer.length <= most) pieces[pieces.length - 1] = longer;
    else pieces.push(line);
  }
  return pieces;
}

export function preformatted(lines: readonly string[], pen: Pen): KnownBlock[] {
  const filled = piecesOf(lines, pieceLimit).filter((each) => each.trim() !== '');
  const type = proseOrder.find((each) => !pen.avoid.has(each));
  if (type === undefined || filled.length === 0) return [];
  if (type === 'rich_text') {
    return [
      {
        type,
        elements: filled.map((text) => ({ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] })),
      },
    ];
  }
  return filled.map((text) => inBox(type, plainText(text)));
}
