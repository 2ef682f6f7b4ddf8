import type { KnownBlock } from '@slack/types';
import type { View } from '../../core/view/view.ts';
import { drawAt } from './draw-at.ts';
import { proseOrder } from './paragraph.ts';
import { type DrawAttempt, firstAttempt } from './pen.ts';
import { allWords, summaryText, textBytes } from './plain-words.ts';

export interface SlackMessage {
  /** The text of the notification and for screen readers: escaped, never empty, at most 3,800 bytes. */
  readonly text: string;
  /** Empty if only the text is sent. */
  readonly blocks: readonly KnownBlock[];
  readonly cutCode: readonly string[];
}

export function drawMessage(view: View, attempt: DrawAttempt = firstAttempt('message'), generation = 0): SlackMessage {
  // Without any text block, buttons alone would be meaningless.
  if (attempt.rung === 'text' || proseOrder.every((type) => attempt.avoid.has(type))) {
    return { text: allWords(view, Math.floor(textBytes * attempt.share)), blocks: [], cutCode: [] };
  }
  return { text: summaryText(view), ...drawAt(view, attempt, { generation }) };
}
