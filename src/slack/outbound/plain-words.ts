import type { Intent } from '../../core/view/intent.ts';
import type { View, ViewPart } from '../../core/view/view.ts';
import { clipMarked, escapeText, harmless, neutral } from './escape.ts';
import { isControl } from './parts.ts';
import { notificationWithin as marked } from './spans.ts';

/** Writes a view as text in Slack's markup: only people and dates are markup. */

/** chat.update refuses more than 4,000 bytes. */
export const textBytes = 3_800;
/** More characters than a notification shows. */
const summaryCharacters = 300;

const nothing = 'A message without words';

/** The `text` beside blocks, for the notification and screen readers. Never empty. */
export function summaryText(view: View): string {
  const summary = marked(view.summary, summaryCharacters);
  if (summary.trim() !== '') return summary;
  for (const part of view.parts) {
    const words = wordsOf(part);
    if (words.trim() !== '') return clipMarked(words, 4 * summaryCharacters);
  }
  return nothing;
}

/** The complete text of a view, with the command to type for each missing button. */
export function allWords(view: View, mostBytes = textBytes, hasButtons = true): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const part of view.parts) {
    if (!hasButtons && isControl(part)) continue;
    const line = wordsOf(part);
    if (line.trim() === '') continue;
    lines.push(line);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > mostBytes) break;
  }
  const summary = marked(view.summary, summaryCharacters);
  const isSaid = summary.trim() === '' || lines.some((line) => line.includes(summary));
  const all = (isSaid ? lines : [summary, ...lines]).join('\n');
  return clipMarked(all.trim() === '' ? nothing : all, mostBytes);
}

const words = (text: string): string => escapeText(neutral(harmless(text.slice(0, 2 * textBytes))));

function wordsOf(part: ViewPart): string {
  switch (part.kind) {
    case 'heading':
      return [marked(part.text, textBytes), ...(part.aside === undefined ? [] : [words(part.aside)])].join(' · ');
    case 'text':
    case 'notice':
    case 'context':
      return marked(part.text, textBytes);
    case 'fields':
      return part.fields.map(([label, value]) => `${words(label)}: ${marked(value, 3_000)}`).join('\n');
    case 'table':
      return part.rows
        .slice(0, 100)
        .map((row) => row.map((cell) => marked(cell, 500)).join(' · '))
        .join('\n');
    case 'tasks':
      return [
        words(part.title),
        ...part.tasks.map(({ label, word, note }) =>
          words([label, word, ...(note === undefined ? [] : [note])].join(' \u00b7 ')),
        ),
      ].join('\n');
    case 'code':
      return words(part.text);
    case 'diff':
      return part.lines.map((line) => words(`${line.sign} ${line.text}`)).join('\n');
    case 'picture':
      return '';
    case 'buttons':
      return part.buttons.map((button) => words(instead(button.label, button.intent))).join('\n');
    case 'menu':
      return part.options.map((option) => words(instead(`${part.label}: ${option.label}`, option.intent))).join('\n');
    case 'find':
      return words(`${part.label}: /host status with its name`);
  }
}

/** The command to type instead of a missing button. */
function instead(label: string, intent: Intent): string {
  if (intent.do === 'run' || intent.do === 'form' || intent.do === 'open') return `${label}: /host ${intent.line}`;
  return `${label}: ${intent.do === 'alert' ? '/host alerts list' : '/host requests'} shows it with its buttons`;
}
