import type { KnownBlock } from '@slack/types';
import { count } from '../../core/text/words.ts';
import { plain, runButton, type View, type ViewPart } from '../../core/view/view.ts';
import { besideWords, controlBlocks } from './actions.ts';
import { budgetOf, pay, spend } from './budget.ts';
import { harmless } from './escape.ts';
import { boxed, inBox, proseOrder } from './paragraph.ts';
import { type Control, drawers, isControl, type Words } from './parts.ts';
import { type BlockBudget, blockTypes, type DrawAttempt, firstAttempt, newerBlocks, type Pen } from './pen.ts';
import { allWords, summaryText, textBytes } from './plain-words.ts';
import { isBlank } from './spans.ts';

interface Drawing {
  readonly blocks: KnownBlock[];
  /** The complete text of code that was cut; an answer sends it as a file. */
  readonly cutCode: readonly string[];
}

interface DrawOptions {
  readonly budget?: BlockBudget;
  readonly generation?: number;
}

/** The order in which parts get room: buttons and notices before text, and text before tables and code. */
const rank: Readonly<Record<ViewPart['kind'], number>> = {
  buttons: 0,
  menu: 0,
  find: 0,
  heading: 1,
  notice: 1,
  fields: 2,
  text: 2,
  tasks: 2,
  context: 3,
  table: 4,
  code: 4,
  diff: 4,
  picture: 2,
};

/** Room for the line that names missing parts, and its button. */
const reserved = { blocks: 2, characters: 400, bytes: 5_000 };

/**
 * Draws a view of any size as blocks that Slack accepts; a line counts the parts that do not fit. `generation` grows
 * with each edit of a message, since Slack's apps keep the picked option of a menu whose block keeps its id.
 */
function drawView(
  view: View,
  { surface, share, avoid }: DrawAttempt,
  { budget = budgetOf(surface, share), generation = 0 }: DrawOptions = {},
): Drawing {
  const pen: Pen = {
    budget,
    surface,
    avoid,
    numbering: { next: 0, generation },
    left: { rows: 0, lines: 0, parts: 0, buttons: 0, isTextCut: false },
    cutCode: [],
    caption: harmless(plain(view.summary).slice(0, 200)).replaceAll('\n', ' '),
    hasTable: false,
    hasPlan: false,
  };
  spend(budget, reserved);
  const groups = grouped(view.parts);
  const drawn = new Map<number, readonly KnownBlock[]>();
  for (const [index, group] of [...groups.entries()].sort((a, b) => rankOf(a[1]) - rankOf(b[1]) || a[0] - b[0])) {
    if (drawn.has(index)) continue;
    const beside = Array.isArray(group) ? drawBeside(groups[index - 1], group, pen) : undefined;
    if (beside !== undefined) {
      drawn.set(index - 1, beside).set(index, []);
      continue;
    }
    drawn.set(index, Array.isArray(group) ? drawControls(group, pen) : drawPart(group, pen));
  }

  spend(budget, { blocks: -reserved.blocks, characters: -reserved.characters, bytes: -reserved.bytes });
  const blocks = groups.flatMap((_, index) => drawn.get(index) ?? []);
  const missing = sayMissing(pen.left, view.parts);
  const tail = missing === '' ? [] : drawPart({ kind: 'context', text: missing }, pen);
  const more = view.more === undefined || missing === '' ? [] : [runButton('Show more', view.more)];
  const controls = drawControls([{ kind: 'buttons', buttons: more }], pen);
  return { blocks: [...blocks, ...tail, ...controls], cutCode: pen.cutCode };
}

/** Groups consecutive controls into one row. */
function grouped(parts: readonly ViewPart[]): (Words | Control[])[] {
  const groups: (Words | Control[])[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (!isControl(part)) groups.push(part);
    else if (Array.isArray(last)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function rankOf(group: Words | Control[]): number {
  return Array.isArray(group) ? rank.buttons : rank[group.kind];
}

function drawControls(controls: readonly Control[], pen: Pen): KnownBlock[] {
  const { rows, leftOut } = controlBlocks(controls, pen);
  pen.left.buttons += leftOut;
  return rows
    .filter(({ blocks, buttons }) => {
      const isPaid = pay(pen.budget, blocks);
      if (!isPaid) pen.left.buttons += buttons;
      return isPaid;
    })
    .flatMap(({ blocks }) => blocks);
}

const besideLimit = 1_000;

/** On Home, where each server has a line and a menu, draws a line's only control beside it. */
function drawBeside(words: Words | Control[] | undefined, controls: readonly Control[], pen: Pen) {
  if (pen.surface !== 'home' || words === undefined || Array.isArray(words) || words.kind !== 'text') return undefined;
  if (isBlank(words.text)) return undefined;
  const text = boxed(words.text, besideLimit);
  const drawn = text === undefined ? undefined : besideWords(text, controls, pen);
  if (drawn === undefined || !pay(pen.budget, [drawn.block])) return undefined;
  pen.left.buttons += drawn.leftOut;
  return [drawn.block];
}

function drawPart(part: Words, pen: Pen): KnownBlock[] {
  // Each kind of part has its own drawer; TypeScript cannot pair them.
  const blocks = drawers[part.kind](part as never, pen);
  if (blocks.length === 0) return [];
  if (pay(pen.budget, blocks)) return blocks;
  pen.left.parts += 1;
  return [];
}

/** `and 38 more` if only rows of the single table are missing, otherwise the missing parts by name. */
function sayMissing(left: Pen['left'], parts: readonly ViewPart[]): string {
  const counts = [
    [left.rows, 'row'],
    [left.lines, 'line'],
    [left.parts, 'part'],
    [left.buttons, 'button'],
  ] as const;
  const missing = counts.filter(([n]) => n > 0).map(([n, noun]) => count(n, noun));
  const tables = parts.filter((part) => part.kind === 'table').length;
  if (missing.length === 1 && left.rows > 0 && tables === 1 && !left.isTextCut) return `and ${left.rows} more`;
  if (missing.length === 0) return left.isTextCut ? 'Some text was too long for Slack and is cut (…).' : '';
  return `Not shown, because it is too much for one message: ${missing.join(', ')}${left.isTextCut ? ', and some text is cut (…)' : ''}.`;
}

/** Without blocks, only the text is sent. */
export interface SlackMessage extends Drawing {
  /** The text of the notification and for screen readers: escaped, never empty, at most 3,800 bytes. */
  readonly text: string;
}

export function drawMessage(view: View, attempt: DrawAttempt = firstAttempt('message'), generation = 0): SlackMessage {
  // Without any text block, buttons alone would be meaningless.
  if (attempt.rung === 'text' || proseOrder.every((type) => attempt.avoid.has(type)))
    return { text: allWords(view, Math.floor(textBytes * attempt.share)), blocks: [], cutCode: [] };
  return { text: summaryText(view), ...drawAt(view, attempt, { generation }) };
}

/** Draws a view as blocks, as plain as the attempt requires. */
export function drawAt(view: View, attempt: DrawAttempt, options: DrawOptions = {}): Drawing {
  const { rung, avoid } = attempt;
  if (rung === 'words') return { blocks: wordsAndButtons(view, attempt, options), cutCode: [] };
  if (rung === 'text') return { blocks: wordsBlock(view, attempt, true), cutCode: [] };
  const others = rung === 'older' ? newerBlocks : rung === 'sections' ? allButPlainest(avoid) : [];
  return drawView(view, { ...attempt, avoid: new Set([...avoid, ...others]) }, options);
}

const controls: ReadonlySet<string> = new Set(['actions', 'input', 'static_select', 'overflow']);

/** All types of blocks except the plainest accepted text block, controls and fields. */
function allButPlainest(avoid: ReadonlySet<string>): readonly string[] {
  const words = (['section', 'context', 'rich_text'] as const).find((type) => !avoid.has(type));
  return [...blockTypes.filter((type) => type !== words && !controls.has(type)), 'accessory'];
}

const wordsCharacters = 2_900;

function wordsBlock(view: View, { avoid, share }: DrawAttempt, hasButtons: boolean): KnownBlock[] {
  const type = (['section', 'context'] as const).find((each) => !avoid.has(each)) ?? 'section';
  const text = allWords(view, Math.floor(wordsCharacters * Math.max(share, 1 / 4)), hasButtons);
  return [inBox(type, { type: 'mrkdwn', text, verbatim: true })];
}

function wordsAndButtons(view: View, attempt: DrawAttempt, { budget, generation = 0 }: DrawOptions): KnownBlock[] {
  const left = budget ?? budgetOf(attempt.surface, attempt.share);
  const words = wordsBlock(view, attempt, false);
  pay(left, words);
  // Slack may not have named the refused block, so rows of controls and menus are avoided too.
  const avoid = new Set([
    ...attempt.avoid,
    'static_select',
    'overflow',
    'external_select',
    ...(attempt.avoid.has('section') ? [] : ['actions']),
  ]);
  const { rows } = controlBlocks(view.parts.filter(isControl), { numbering: { next: 0, generation }, avoid });
  return [...words, ...rows.filter(({ blocks }) => pay(left, blocks)).flatMap(({ blocks }) => blocks)];
}

export function hasPicture({ blocks }: { readonly blocks: readonly { readonly type: string }[] }): boolean {
  return blocks.some(({ type }) => type === 'image');
}

export function showsPictures({ rung, avoid }: DrawAttempt): boolean {
  return (rung === 'drawn' || rung === 'older') && !avoid.has('image');
}
