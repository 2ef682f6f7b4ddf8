import { renderDate } from '../../sandbox/slack/reading/dates.ts';
import { dayInWords } from '../../src/core/text/words.ts';
import type { Field, Form } from '../../src/core/view/form.ts';
import type { Span, TaskLine, Text, View, ViewPart } from '../../src/core/view/view.ts';
import { filesToSend } from '../../src/core/view/view.ts';

/**
 * Views and forms as lines, in the notation in which the simulated Slack reads blocks aloud. Two roads from one View to
 * words: straight here; there through the drawing of blocks, Slack's rules and back. A difference shows a loss in the
 * drawing.
 */

export type NameOf = (id: string) => string;

const toneWords = { info: 'Note: ', success: '', warning: 'Warning: ', error: 'Error: ' } as const;
const dateFormats = { time: '{time}', full: '{date_short_pretty} {time}' } as const;

export function viewLines(view: View, nameOf: NameOf): string[] {
  const lines: string[] = [];
  let row: string[] = [];
  let hasMenu = false;
  const endRow = () => {
    if (row.length > 0) lines.push(row.join(' '));
    row = [];
    hasMenu = false;
  };
  for (const part of view.parts) {
    // Controls that follow each other share one row, with one menu at most.
    if (part.kind === 'buttons') row.push(...part.buttons.map(({ label }) => `[${label}]`));
    else if (part.kind === 'find') row.push(`[${part.label} ▾]`);
    else if (part.kind === 'menu') {
      if (hasMenu) endRow();
      hasMenu = true;
      const options = part.options.map(({ label }) => label).join(' | ');
      row.push(part.isOverflow === true ? `[… ${options}]` : `[${part.label} ▾]`);
    } else {
      endRow();
      lines.push(...spokenPart(part, (text) => words(text, nameOf)));
    }
  }
  endRow();
  return [...lines, ...filesToSend(view).map((file) => `(file: ${file.title})`)].flatMap((line) => line.split('\n'));
}

function spokenPart(
  part: Exclude<ViewPart, { kind: 'buttons' | 'menu' | 'find' }>,
  say: (text: Text) => string,
): string[] {
  switch (part.kind) {
    case 'heading':
      return [[say(part.text), part.aside ?? ''].filter((each) => each !== '').join(' · ')];
    case 'picture':
      return [];
    case 'text':
    case 'context':
      return [say(part.text)];
    case 'notice':
      return [`${toneWords[part.tone]}${say(part.text)}`];
    case 'fields':
      return part.fields.map(([label, value]) => `${label}  ${say(value) || '–'}`);
    case 'table':
      return [part.columns.map(({ name }) => name), ...part.rows.map((row) => row.map((cell) => say(cell) || '–'))].map(
        (row) => row.join(' | '),
      );
    case 'tasks':
      return [part.title, ...part.tasks.flatMap(taskLines)];
    case 'code':
      return [...(part.folded === undefined ? [] : [part.folded]), '```', part.text, '```'];
    case 'diff':
      return [
        ...(part.folded === undefined ? [] : [part.folded]),
        ...['```', ...part.lines.map((line) => `${line.sign} ${line.text}`), '```'],
      ];
  }
}

const taskSigns = { pending: '○', running: '◐', done: '●', trouble: '✕' } as const;

function taskLines({ label, status, word, note }: TaskLine): string[] {
  return [`${taskSigns[status]} ${label} · ${word}`, ...(note === undefined ? [] : [`  ${note}`])];
}

function words(text: Text, nameOf: NameOf): string {
  return typeof text === 'string' ? text : text.map((span) => spokenSpan(span, nameOf)).join('');
}

function spokenSpan(span: Span, nameOf: NameOf): string {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('code' in span) return `\`${span.code}\``;
  if ('user' in span) return `@${nameOf(span.user)}`;
  if ('group' in span) return `@${nameOf(span.group)}`;
  if ('channel' in span) return `#${nameOf(span.channel)}`;
  if ('link' in span) return span.text;
  if (span.style === 'day') return dayInWords(span.date);
  return renderDate(span.date / 1_000, dateFormats[span.style ?? 'full'], { nowMs: Date.now(), timeZone: 'UTC' });
}

export interface Filled {
  readonly form: Form;
  values: Readonly<Record<string, string | readonly string[]>>;
  errors: Readonly<Record<string, string>>;
}

export function formLines({ form, values, errors }: Filled, nameOf: NameOf): string[] {
  const fields = form.fields.flatMap((field) => {
    const error = errors[field.name];
    return [
      `${field.label}${field.optional ? ' (optional)' : ''}: ${spokenField(field, values[field.name])}`,
      ...(field.hint === undefined ? [] : [`  ${field.hint}`]),
      // Slack shows errors as they are written, without markup.
      ...(error === undefined ? [] : [`  ! ${error.replaceAll('`', '')}`]),
    ];
  });
  const isOnlyShown = form.fields.length === 0 && form.code !== undefined;
  return [
    `== ${form.title} ==`,
    ...form.notes.map((note) => words(note, nameOf)),
    ...(form.code === undefined ? [] : ['```', form.code, '```']),
    ...fields,
    isOnlyShown ? '[Close]' : `[Close] [${form.submit}]`,
  ].flatMap((line) => line.split('\n'));
}

function spokenField(field: Field, value: string | readonly string[] | undefined): string {
  const given = typeof value === 'string' ? value : value?.join(', ');
  switch (field.widget) {
    case 'text':
    case 'multiline':
    case 'number':
      return `[${given ?? field.initial ?? field.example ?? ''}]`;
    case 'choice': {
      const chosen = field.options.find((option) => option.value === (given ?? field.initial));
      return `[${chosen?.label ?? 'Choose'} ▾]`;
    }
    case 'search':
      return `[${(given ?? field.initial?.map(({ label }) => label).join(', ')) || 'Choose'} ▾]`;
    default:
      return `[${given ?? 'Choose'} ▾]`;
  }
}
