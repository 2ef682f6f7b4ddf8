import type { Button, Part, Span, Text, View } from '../../src/core/view.ts';

export function buttonsIn(part: Part): readonly Button[] {
  if (part.kind === 'buttons') return part.buttons;
  return part.kind === 'menu' ? part.options : [];
}

/** A view as lines a person could read aloud. */
export function read(view: View, nameOf: (id: string) => string): string {
  return view.parts.map((part) => partLines(part, (text) => words(text, nameOf))).join('\n');
}

function words(text: Text, nameOf: (id: string) => string): string {
  return typeof text === 'string' ? text : text.map((span) => spanWords(span, nameOf)).join('');
}

const toneSigns = { info: 'i', success: '✓', warning: '!', error: '✕' } as const;

function partLines(part: Part, say: (text: Text) => string): string {
  switch (part.kind) {
    case 'heading':
      return `## ${part.text}${part.aside ? `  [${part.aside}]` : ''}`;
    case 'text':
      return say(part.text);
    case 'context':
      return `· ${say(part.text)}`;
    case 'notice':
      return `${toneSigns[part.tone]} ${say(part.text)}`;
    case 'fields':
      return part.fields.map(([label, value]) => `${label}: ${say(value)}`).join('\n');
    case 'table':
      return [part.columns.map((column) => column.name), ...part.rows.map((row) => row.map(say))]
        .map((row) => row.join(' │ '))
        .join('\n');
    case 'code':
      return part.text;
    case 'diff':
      return part.lines.map((line) => `${line.sign} ${line.text}`).join('\n');
    case 'divider':
      return '---';
    case 'buttons':
      return part.buttons.map((button) => `[${button.label}]`).join(' ');
    case 'menu':
      return `[${part.label} ▾ ${part.options.map((option) => option.label).join(' | ')}]`;
  }
}

function spanWords(span: Span, nameOf: (id: string) => string): string {
  if (typeof span === 'string') return span;
  if ('user' in span) return `@${nameOf(span.user)}`;
  if ('group' in span) return `@${nameOf(span.group)}`;
  if ('channel' in span) return `#${nameOf(span.channel)}`;
  if ('date' in span) return new Date(span.date).toISOString().slice(0, 10);
  if ('bold' in span) return span.bold;
  return 'code' in span ? span.code : span.text;
}
