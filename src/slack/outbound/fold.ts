import type { ContainerBlock, KnownBlock, PlanBlock, SectionBlock, TaskCardBlock } from '@slack/types';
import type { Span, ViewPart } from '../../core/view/view.ts';
import { clip, countedLength, escapeText, harmless, orDash, plainText } from './escape.ts';
import { paragraph, paragraphs, piecesOf, rich } from './paragraph.ts';
import { isView, type Pen } from './pen.ts';

/** Draws blocks that people open and close: the tasks of a plan, and long text in a container. */

type Tasks = Extract<ViewPart, { kind: 'tasks' }>;

const mostTasks = 50;
/** Slack documents no limit for a block's title; in a stream it is 256. */
const titleLimit = 200;
const noteLimit = 250;
const statuses = { pending: 'pending', running: 'in_progress', done: 'complete', trouble: 'error' } as const;
const signs = { pending: '\u25cb', running: '\u25d0', done: '\u25cf', trouble: '\u2715' } as const;

/** Draws a plan, or lines of text if Slack accepts no plan. */
export function drawTasks({ title, tasks }: Tasks, pen: Pen): KnownBlock[] {
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

/** Draws lines verbatim in a closed container, or the open drawing under a bold title if Slack accepts no container. */
export function drawFolded(title: string, lines: readonly string[], open: () => KnownBlock[], pen: Pen): KnownBlock[] {
  const container = isView(pen.surface) || pen.avoid.has('container') ? undefined : containerOf(title, lines);
  if (container !== undefined && countedLength(lines.join('\n')) + 400 <= pen.budget.characters) return [container];
  return [...paragraph([{ bold: titleOf(title) }], titleLimit * 5, pen), ...open()];
}

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
