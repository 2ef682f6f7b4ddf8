import type { Intent } from '../../core/view/intent.ts';
import type { Text, View, ViewPart } from '../../core/view/view.ts';
import { clipMarked, escapeText, harmless, neutral } from './escape.ts';
import { isControl } from './parts.ts';
import { summaryWithin as marked } from './spans.ts';

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

const paragraph = ({ text }: { readonly text: Text }): string => marked(text, textBytes);

const writers: { readonly [K in ViewPart['kind']]: (part: Extract<ViewPart, { kind: K }>) => string } = {
  heading: ({ text, aside }) => [marked(text, textBytes), ...(aside === undefined ? [] : [words(aside)])].join(' · '),
  text: paragraph,
  notice: paragraph,
  context: paragraph,
  fields: ({ fields }) => fields.map(([label, value]) => `${words(label)}: ${marked(value, 3_000)}`).join('\n'),
  table: ({ rows }) => {
    const lines = rows.slice(0, 100).map((row) => row.map((cell) => marked(cell, 500)).join(' · '));
    return lines.join('\n');
  },
  tasks: ({ title, tasks }) => {
    const each = tasks.map(({ label, word, note }) => [label, word, ...(note === undefined ? [] : [note])]);
    return [words(title), ...each.map((task) => words(task.join(' \u00b7 ')))].join('\n');
  },
  code: ({ text }) => words(text),
  diff: ({ lines }) => lines.map(({ sign, text }) => words(`${sign} ${text}`)).join('\n'),
  picture: () => '',
  buttons: ({ buttons }) => buttons.map(({ label, intent }) => words(instead(label, intent))).join('\n'),
  menu: (menu) => menu.options.map(({ label, intent }) => words(instead(`${menu.label}: ${label}`, intent))).join('\n'),
  find: ({ label }) => words(`${label}: /host status with its name`),
};

/** Each kind of part has its own writer; TypeScript cannot pair them. */
const wordsOf = (part: ViewPart): string => writers[part.kind](part as never);

/** The command to type instead of a missing button. */
function instead(label: string, intent: Intent): string {
  if (intent.do === 'run' || intent.do === 'form' || intent.do === 'open') return `${label}: /host ${intent.line}`;
  return `${label}: ${intent.do === 'alert' ? '/host alerts list' : '/host requests'} shows it with its buttons`;
}
