import type { KnownBlock } from '@slack/types';
import type { Intent, View, ViewPart } from '../../core/view.ts';
import { messageRoom } from './budget.ts';
import { drawView } from './draw.ts';
import { plainWithin } from './spans.ts';
import { escapeWithin, harmless } from './words.ts';

const textLimit = 4_000;

export interface SlackMessage {
  /** The notification and what a screen reader says; escaped, never empty, at most 4,000 characters. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly cutCode: readonly string[];
}

export function drawMessage(view: View): SlackMessage {
  const { blocks, cutCode } = drawView(view, 'message', messageRoom());
  return { text: summaryText(view), blocks, cutCode };
}

function summaryText(view: View): string {
  const isSaid = (words: string) => words.trim() !== '';
  const said = isSaid(view.summary) ? view.summary : view.parts.map(wordsOf).find(isSaid);
  return escapeWithin(harmless((said ?? 'A message without words').slice(0, 2 * textLimit)), textLimit);
}

/** Everything a view says without any block: what is sent when Slack refuses the blocks. Nothing is lost but the look. */
export function asPlainMessage(view: View): string {
  const lines: string[] = [];
  for (const part of view.parts) {
    const line = wordsOf(part);
    if (line.trim() !== '') lines.push(line);
    if (lines.join('\n').length > 2 * textLimit) break;
  }
  const hasSummary = view.summary.trim() === '' || lines.some((line) => line.includes(view.summary));
  const all = (hasSummary ? lines : [view.summary, ...lines]).join('\n').slice(0, 2 * textLimit);
  return escapeWithin(harmless(all === '' ? 'A message without words' : all), textLimit);
}

function wordsOf(part: ViewPart): string {
  switch (part.kind) {
    case 'heading':
      return part.aside === undefined ? part.text : `${part.text} · ${part.aside}`;
    case 'text':
    case 'notice':
    case 'context':
      return plainWithin(part.text, 3_000);
    case 'fields':
      return part.fields.map(([label, value]) => `${label}: ${plainWithin(value, 3_000)}`).join('\n');
    case 'table':
      return part.rows
        .slice(0, 100)
        .map((row) => row.map((cell) => plainWithin(cell, 500)).join(' · '))
        .join('\n');
    case 'code':
      return part.text;
    case 'diff':
      return part.lines.map((line) => `${line.sign} ${line.text}`).join('\n');
    case 'divider':
      return '';
    case 'buttons':
      return part.buttons.map((button) => instead(button.label, button.intent)).join('\n');
    case 'menu':
      return part.options.map((option) => instead(`${part.label}: ${option.label}`, option.intent)).join('\n');
  }
}

/** What a person can type where the button is missing. */
function instead(label: string, intent: Intent): string {
  if (intent.do === 'run' || intent.do === 'form') return `${label}: /host ${intent.line}`;
  return `${label}: ${intent.do === 'alert' ? '/host alerts list' : '/host requests'} shows it with its buttons`;
}
