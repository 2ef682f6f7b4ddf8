import type { AlertBlock, ContainerBlock, KnownBlock, PlanBlock, SectionBlock, TaskCardBlock } from '@slack/types';
import type { Span, ViewPart } from '../../core/view/view.ts';
import { drawTable } from './draw-table.ts';
import { clip, countedLength, escapeText, harmless, orDash, plainText } from './escape.ts';
import { asideOrder, boxed, paragraph, paragraphs, piecesOf, preformatted, rich } from './paragraph.ts';
import { isView, type Pen } from './pen.ts';
import { hasMentions, isBlank, plainWithin, spanSize, textWithin } from './spans.ts';

/** Draws each kind of part, except controls, as blocks that Slack accepts on the surface. */

export type Control = Extract<ViewPart, { kind: 'buttons' | 'menu' | 'find' }>;
export const isControl = (part: ViewPart): part is Control => ['buttons', 'menu', 'find'].includes(part.kind);
export type Words = Exclude<ViewPart, Control>;

type Drawers = {
  readonly [K in Words['kind']]: (part: Extract<ViewPart, { kind: K }>, pen: Pen) => KnownBlock[];
};

const headerLimit = 150;
const altLimit = 1_900;
/** The most characters of Slack's alert block, which exists in modals only. */
const alertLimit = 200;

export const drawers: Drawers = {
  heading: ({ text, aside }, pen) => {
    const words = [text, ...(isBlank(aside ?? '') ? [] : [' · ', aside ?? ''])].flat();
    const spans = words.map((span) => (typeof span === 'string' ? span.replaceAll('\n', ' ') : span));
    if (isBlank(spans)) return [];
    // A header is plain text, which shows no time in the zone of its reader.
    if (!pen.avoid.has('header') && !hasMentions(spans))
      return [{ type: 'header', text: plainText(clip(plainWithin(spans, headerLimit).trim(), headerLimit)) }];
    const bold = spans.map((span) =>
      typeof span === 'string' ? { bold: span } : 'date' in span ? { ...span, isBold: true as const } : span,
    );
    return paragraph(bold, headerLimit * 5, pen);
  },
  text: ({ text }, pen) => paragraph(text, charactersLeft(pen), pen),
  fields: ({ fields }, pen) => {
    const lines: Span[][] = [];
    let left = charactersLeft(pen);
    for (const [label, value] of fields) {
      const name = clip(orDash(harmless(label)), 100);
      if (left < name.length + 20 || lines.length > 200) {
        pen.left.lines += 1;
        continue;
      }
      const most = Math.min(1_500, left - name.length);
      const { text, isCut } = textWithin(isBlank(value) ? '–' : value, most);
      if (isCut) pen.left.isTextCut = true;
      lines.push([{ bold: name }, '  ', ...text]);
      left -= countedLength(name) + 2 + text.reduce((sum, span) => sum + spanSize(span), 0);
    }
    return paragraphs(lines, pen);
  },
  table: drawTable,
  tasks: drawTasks,
  code: ({ text, folded, isFile }, pen) => {
    if (isFile !== true) return maybeFolded(folded, text.split('\n'), text, pen);
    pen.cutCode.push(text);
    return [];
  },
  diff: ({ lines, folded }, pen) => {
    const written = lines.map((line) => `${line.sign} ${line.text.replaceAll('\n', ' ')}`);
    return maybeFolded(folded, written, written.join('\n'), pen);
  },
  notice: ({ tone, text }, pen) => {
    if (isBlank(text)) return [];
    if (pen.surface === 'modal' && !pen.avoid.has('alert')) {
      const box = boxed(text, alertLimit * 5);
      if (box !== undefined && box.text.length <= alertLimit)
        return [{ type: 'alert', level: tone, text: box } satisfies AlertBlock];
    }
    const words = typeof text === 'string' ? [text] : text;
    // The sign of the title says that it is done.
    const sign: Span[] = tone === 'success' ? [] : [{ bold: `${toneWords[tone]}:` }, ' '];
    return paragraph([...sign, ...words], Math.min(2_500, charactersLeft(pen)), pen);
  },
  context: ({ text }, pen) => paragraph(text, Math.min(1_900, charactersLeft(pen)), pen, asideOrder),
  picture: ({ id, alt }, pen) =>
    id === undefined || pen.avoid.has('image')
      ? []
      : [{ type: 'image', slack_file: { id }, alt_text: clip(harmless(alt), altLimit) }],
};

const toneWords = { info: 'Note', warning: 'Warning', error: 'Error' } as const;

function charactersLeft(pen: Pen): number {
  return Math.max(10, Math.min(3_000, pen.budget.characters - 100));
}

/** Draws folded lines verbatim in a closed container, or open under a bold title if Slack accepts no container. */
function maybeFolded(title: string | undefined, lines: readonly string[], whole: string, pen: Pen): KnownBlock[] {
  if (title === undefined || whole.trim() === '') return verbatim(lines, whole, pen);
  const container = isView(pen.surface) || pen.avoid.has('container') ? undefined : containerOf(title, lines);
  if (container !== undefined && countedLength(lines.join('\n')) + 400 <= pen.budget.characters) return [container];
  return [...paragraph([{ bold: titleOf(title) }], titleLimit * 5, pen), ...verbatim(lines, whole, pen)];
}

function verbatim(lines: readonly string[], whole: string, pen: Pen): KnownBlock[] {
  if (whole.trim() === '') return [];
  let left = Math.min(9_000, pen.budget.characters - 200);
  const kept: string[] = [];
  let isCut = false;
  for (const line of lines) {
    const clean = clip(harmless(line), 2_900);
    const size = countedLength(clean) + 2;
    if (size > left) break;
    left -= size;
    kept.push(clean);
    if (clean.endsWith('…') && !line.endsWith('…')) isCut = true;
  }
  if (isCut) pen.left.isTextCut = true;
  if (kept.length < lines.length || isCut) pen.cutCode.push(whole);
  pen.left.lines += lines.length - kept.length;
  return preformatted(kept, pen);
}

type Tasks = Extract<ViewPart, { kind: 'tasks' }>;

const mostTasks = 50;
/** Slack documents no limit for a block's title; in a stream it is 256. */
const titleLimit = 200;
const noteLimit = 250;
const statuses = { pending: 'pending', running: 'in_progress', done: 'complete', trouble: 'error' } as const;
const signs = { pending: '\u25cb', running: '\u25d0', done: '\u25cf', trouble: '\u2715' } as const;

/** Draws a plan, or lines of text if Slack accepts no plan. */
function drawTasks({ title, tasks }: Tasks, pen: Pen): KnownBlock[] {
  const isPlan = !isView(pen.surface) && !pen.hasPlan && !pen.avoid.has('plan') && tasks.length <= mostTasks;
  if (isPlan) {
    pen.hasPlan = true;
    return [planOf(title, tasks)];
  }
  const lines = tasks.flatMap(({ label, word, status, note }): Span[][] => [
    [`${signs[status]} ${titleOf(label, word)}`],
    ...(note === undefined ? [] : [[`  ${clip(harmless(note), noteLimit)}`]]),
  ]);
  return paragraphs([[{ bold: titleOf(title) }], ...lines], pen);
}

const titleOf = (...words: readonly string[]) =>
  orDash(clip(words.map((each) => harmless(each).replaceAll('\n', ' ')).join(' \u00b7 '), titleLimit));

function planOf(title: string, tasks: Tasks['tasks']): PlanBlock {
  return {
    type: 'plan',
    // The same id in each edit of the message: with a new id Slack closes opened tasks.
    block_id: 'plan',
    title: titleOf(title),
    tasks: tasks.map(
      ({ label, word, status, note }, index): TaskCardBlock => ({
        type: 'task_card',
        task_id: `task ${index + 1}`,
        title: titleOf(label, word),
        status: statuses[status],
        ...(note === undefined
          ? {}
          : { output: rich([{ type: 'text', text: clip(orDash(harmless(note)), noteLimit) }]) }),
      }),
    ),
  };
}

const mostChildren = 10;
const childLimit = 2_900;

/** A container of sections, since Slack refused rich text in one; undefined if the lines do not fit. */
function containerOf(title: string, lines: readonly string[]): ContainerBlock | undefined {
  // Three backticks in the text would end the code fence.
  const clean = lines.map((line) => escapeText(harmless(line)).replaceAll('```', "'''"));
  const pieces = piecesOf(clean, childLimit);
  if (pieces.length === 0 || pieces.length > mostChildren || clean.some((line) => line.length > childLimit))
    return undefined;
  return {
    type: 'container',
    title: plainText(clip(titleOf(title), 150)),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: pieces.map(
      (piece): SectionBlock => ({
        type: 'section',
        text: { type: 'mrkdwn', text: `\`\`\`\n${piece}\n\`\`\``, verbatim: true },
      }),
    ),
  };
}
