import type { KnownBlock } from '@slack/types';
import type { View } from '../../core/view/view.ts';
import { controlBlocks } from './actions.ts';
import { budgetOf, pay } from './budget.ts';
import { type Drawing, type DrawOptions, drawView } from './draw.ts';
import { inBox, proseOrder } from './paragraph.ts';
import { isControl } from './parts.ts';
import { blockTypes, type DrawAttempt, firstAttempt, newerBlocks } from './pen.ts';
import { allWords, summaryText, textBytes } from './plain-words.ts';

/** Without blocks, only the text is sent. */
export interface SlackMessage extends Drawing {
  /** The text of the notification and for screen readers: escaped, never empty, at most 3,800 bytes. */
  readonly text: string;
}

export function drawMessage(view: View, attempt: DrawAttempt = firstAttempt('message'), generation = 0): SlackMessage {
  // Without any text block, buttons alone would be meaningless.
  if (attempt.rung === 'text' || proseOrder.every((type) => attempt.avoid.has(type))) {
    return { text: allWords(view, Math.floor(textBytes * attempt.share)), blocks: [], cutCode: [] };
  }
  return { text: summaryText(view), ...drawAt(view, attempt, { generation }) };
}

/** Draws a view as blocks, as plain as the attempt requires. */
export function drawAt(view: View, attempt: DrawAttempt, options: DrawOptions = {}): Drawing {
  switch (attempt.rung) {
    case 'drawn':
      return drawView(view, attempt, options);
    case 'older':
      return drawView(view, { ...attempt, avoid: new Set([...attempt.avoid, ...newerBlocks]) }, options);
    case 'sections':
      return drawView(view, { ...attempt, avoid: plainest(attempt.avoid) }, options);
    case 'words':
      return { blocks: wordsAndButtons(view, attempt, options), cutCode: [] };
    case 'text':
      return { blocks: wordsBlock(view, attempt, true), cutCode: [] };
  }
}

const controls: ReadonlySet<string> = new Set(['actions', 'input', 'static_select', 'overflow']);

/** All types of blocks except the plainest accepted text block, controls and fields. */
function plainest(avoid: ReadonlySet<string>): ReadonlySet<string> {
  const words = (['section', 'context', 'rich_text'] as const).find((type) => !avoid.has(type));
  const others = blockTypes.filter((type) => type !== words && !controls.has(type));
  return new Set([...avoid, ...others, 'accessory']);
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
  const { rows } = controlBlocks(view.parts.filter(isControl), { next: 0, generation }, avoid);
  return [...words, ...rows.filter(({ blocks }) => pay(left, blocks)).flatMap(({ blocks }) => blocks)];
}

export function hasPicture({ blocks }: { readonly blocks: readonly { readonly type: string }[] }): boolean {
  return blocks.some(({ type }) => type === 'image');
}

/** Whether an attempt of the ladder still draws pictures. */
export function showsPictures({ rung, avoid }: DrawAttempt): boolean {
  return (rung === 'drawn' || rung === 'older') && !avoid.has('image');
}
