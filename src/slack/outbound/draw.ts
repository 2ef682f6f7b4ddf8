import type { AlertBlock, ContextBlock, KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';
import type { Text, View, ViewPart } from '../../core/view.ts';
import { actionBlocks } from './actions.ts';
import { pay, type Room } from './budget.ts';
import { hasMarks, isBlank, mrkdwnWithin, plainWithin, richElements, richSection } from './spans.ts';
import { tableBlock, tableText } from './table.ts';
import { clip, harmless, orDash } from './words.ts';

export interface Drawing {
  readonly blocks: KnownBlock[];
  /** Code that was cut, whole: an answer sends it as a file. */
  readonly cutCode: readonly string[];
}

interface Left {
  rows: number;
  columns: number;
  lines: number;
  parts: number;
  buttons: number;
  isTextCut: boolean;
}

interface Pen {
  readonly room: Room;
  readonly surface: 'message' | 'modal' | 'home';
  readonly left: Left;
  readonly cutCode: string[];
  hasTable: boolean;
}

type Kind = ViewPart['kind'];
type Control = Extract<ViewPart, { kind: 'buttons' | 'menu' }>;

const isControl = (part: ViewPart): part is Control => part.kind === 'buttons' || part.kind === 'menu';

/** Buttons decide things and notices warn: they get their room before text, and text before tables and code. */
const rank: Readonly<Record<Kind, number>> = {
  buttons: 0,
  menu: 0,
  heading: 1,
  notice: 1,
  fields: 2,
  text: 2,
  context: 3,
  table: 4,
  code: 4,
  diff: 4,
  divider: 5,
};

/** A view as blocks that Slack takes, whatever its size; what does not fit is counted and said. */
export function drawView(view: View, surface: Pen['surface'], room: Room): Drawing {
  const pen: Pen = {
    room,
    surface,
    left: { rows: 0, columns: 0, lines: 0, parts: 0, buttons: 0, isTextCut: false },
    cutCode: [],
    hasTable: false,
  };
  // The line that says what is missing, and its button.
  const reserved = { blocks: 2, characters: 400, bytes: 5_000 };
  room.blocks -= reserved.blocks;
  room.characters -= reserved.characters;
  room.bytes -= reserved.bytes;

  const groups = grouped(view.parts);
  const drawn = new Map<number, readonly KnownBlock[]>();
  const numbering = { next: 0 };
  for (const [index, group] of [...groups.entries()].sort((a, b) => rankOf(a[1]) - rankOf(b[1]) || a[0] - b[0])) {
    drawn.set(index, Array.isArray(group) ? drawControls(group, pen, numbering) : drawPart(group, pen));
  }

  room.blocks += reserved.blocks;
  room.characters += reserved.characters;
  room.bytes += reserved.bytes;
  const blocks = groups.flatMap((_, index) => drawn.get(index) ?? []);
  const missing = sayMissing(pen.left, view.parts);
  const tail = missing === '' ? [] : drawPart({ kind: 'context', text: missing }, pen);
  const button =
    view.more === undefined || missing === ''
      ? []
      : actionBlocks(
          [{ kind: 'buttons', buttons: [{ label: 'Show more', intent: { do: 'run', line: view.more } }] }],
          numbering,
        ).blocks;
  return { blocks: [...blocks, ...tail, ...(pay(room, button) ? button : [])], cutCode: pen.cutCode };
}

/** Controls that follow each other stand in one row. */
function grouped(parts: readonly ViewPart[]): (Exclude<ViewPart, Control> | Control[])[] {
  const groups: (Exclude<ViewPart, Control> | Control[])[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (!isControl(part)) groups.push(part);
    else if (Array.isArray(last)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function rankOf(group: Exclude<ViewPart, Control> | Control[]): number {
  return Array.isArray(group) ? rank.buttons : rank[group.kind];
}

function drawControls(controls: readonly Control[], pen: Pen, numbering: { next: number }): KnownBlock[] {
  const { blocks, leftOut } = actionBlocks(controls, numbering);
  pen.left.buttons += leftOut;
  return blocks.filter((block) => {
    const isPaid = pay(pen.room, [block]);
    if (!isPaid) pen.left.buttons += block.elements.length;
    return isPaid;
  });
}

function drawPart(part: Exclude<ViewPart, Control>, pen: Pen): KnownBlock[] {
  const blocks = drawers[part.kind](part as never, pen);
  if (blocks.length === 0) return [];
  if (pay(pen.room, blocks)) return blocks;
  if (part.kind !== 'divider') pen.left.parts += 1;
  return [];
}

type Drawers = {
  readonly [K in Exclude<Kind, 'buttons' | 'menu'>]: (part: Extract<ViewPart, { kind: K }>, pen: Pen) => KnownBlock[];
};

const drawers: Drawers = {
  heading: ({ text, aside }) => {
    const words = [text, aside ?? '']
      .map((each) => harmless(each).replaceAll('\n', ' ').trim())
      .filter((each) => each !== '');
    if (words.length === 0) return [];
    return [{ type: 'header', text: { type: 'plain_text', text: clip(words.join(' · '), 150), emoji: false } }];
  },
  text: ({ text }, pen) => {
    if (isBlank(text)) return [];
    const { elements, isCut } = richElements(text, textRoom(pen));
    if (isCut) pen.left.isTextCut = true;
    return [rich(elements)];
  },
  fields: ({ fields }, pen) => {
    const elements: RichTextElement[] = [];
    let left = textRoom(pen);
    for (const [label, value] of fields) {
      const name = clip(orDash(harmless(label)), 100);
      if (left < name.length + 20 || elements.length > 800) {
        pen.left.lines += 1;
        continue;
      }
      if (elements.length > 0) elements.push({ type: 'text', text: '\n' });
      elements.push({ type: 'text', text: name, style: { bold: true } }, { type: 'text', text: '  ' });
      const { elements: said, isCut } = richElements(isBlank(value) ? '–' : value, Math.min(1_500, left - name.length));
      if (isCut) pen.left.isTextCut = true;
      elements.push(...said);
      left -= JSON.stringify([name, said]).length;
    }
    return elements.length === 0 ? [] : [rich(elements)];
  },
  table: (table, pen) => {
    const characters = Math.max(0, pen.room.characters - 200);
    const isBlock = pen.surface === 'message' && !pen.hasTable;
    const drawn = isBlock ? tableBlock(table, characters) : tableText(table, Math.min(10_000, characters));
    if (drawn === undefined) {
      pen.left.rows += table.rows.length;
      return [];
    }
    if (isBlock) pen.hasTable = true;
    pen.left.rows += drawn.rowsLeftOut;
    pen.left.columns += drawn.columnsLeftOut;
    return [drawn.block];
  },
  code: ({ text }, pen) => preformatted(text.split('\n'), text, pen),
  diff: ({ lines }, pen) => {
    const written = lines.map((line) => `${line.sign} ${line.text.replaceAll('\n', ' ')}`);
    return preformatted(written, written.join('\n'), pen);
  },
  notice: ({ tone, text }, pen) => {
    if (isBlank(text)) return [];
    const said = boxed(text, Math.min(2_500, textRoom(pen)));
    if (said !== undefined) return [{ type: 'alert', level: tone, text: said } satisfies AlertBlock];
    const { elements } = richElements(
      [{ bold: `${toneWords[tone]}: ` }, ...(typeof text === 'string' ? [text] : text)],
      2_500,
    );
    return [rich(elements)];
  },
  context: ({ text }, pen) => {
    if (isBlank(text)) return [];
    const said = boxed(text, Math.min(1_900, textRoom(pen)));
    if (said !== undefined) return [{ type: 'context', elements: [said] } satisfies ContextBlock];
    return [rich(richElements(text, Math.min(1_900, textRoom(pen))).elements)];
  },
  divider: () => [{ type: 'divider' }],
};

const toneWords = { info: 'Note', success: 'Done', warning: 'Warning', error: 'Error' } as const;

function textRoom(pen: Pen): number {
  // A character can be sent as two (a quote, a line feed): half the room always fits.
  return Math.max(10, Math.min(3_000, Math.floor((pen.room.characters - 100) / 2)));
}

function rich(elements: RichTextElement[]): RichTextBlock {
  return { type: 'rich_text', elements: [richSection(elements)] };
}

/**
 * For the blocks that take no rich text. Plain where there is nothing but words; mrkdwn where there are mentions or
 * dates and nothing beside them that Slack would read as markup; undefined where only rich text is exact.
 */
function boxed(
  text: Text,
  most: number,
): { type: 'plain_text'; text: string; emoji: false } | { type: 'mrkdwn'; text: string; verbatim: true } | undefined {
  if (!hasMarks(text)) {
    const words = plainWithin(text, most);
    // An alert shows :name: as a picture even in plain text when emoji is left on; it is off here.
    return { type: 'plain_text', text: words, emoji: false };
  }
  const marked = mrkdwnWithin(text, most);
  if (marked === undefined || marked === '' || isBlank(text)) return undefined;
  return { type: 'mrkdwn', text: marked, verbatim: true };
}

function preformatted(lines: readonly string[], whole: string, pen: Pen): KnownBlock[] {
  if (whole.trim() === '') return [];
  let left = Math.min(9_000, pen.room.characters - 200);
  const kept: string[] = [];
  let isCut = false;
  for (const line of lines) {
    const clean = clip(harmless(line), 2_900);
    const size = JSON.stringify(clean).length + 2;
    if (size > left) break;
    left -= size;
    kept.push(clean);
    if (clean.endsWith('…') && !line.endsWith('…')) isCut = true;
  }
  if (isCut) pen.left.isTextCut = true;
  if (kept.length < lines.length || isCut) pen.cutCode.push(whole);
  pen.left.lines += lines.length - kept.length;
  if (kept.join('').trim() === '') return [];
  return [
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: kept.join('\n') }] }],
    },
  ];
}

/** `and 38 more`, where it is clear of what; else everything that is missing by name. */
function sayMissing(left: Left, parts: readonly ViewPart[]): string {
  const counts = [
    [left.rows, 'row'],
    [left.columns, 'column'],
    [left.lines, 'line'],
    [left.parts, 'part'],
    [left.buttons, 'button'],
  ] as const;
  const missing = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  const tables = parts.filter((part) => part.kind === 'table').length;
  if (missing.length === 1 && left.rows > 0 && tables === 1 && !left.isTextCut) return `and ${left.rows} more`;
  if (missing.length === 0) return left.isTextCut ? 'Some text was too long for Slack and is cut (…).' : '';
  return `Not shown, because it is too much for one message: ${missing.join(', ')}${left.isTextCut ? ', and some text is cut (…)' : ''}.`;
}
