import type { Field, Form } from '../../../src/core/view/form.ts';
import type { Text, View, ViewPart } from '../../../src/core/view/view.ts';

/**
 * Words that people should never read: a date that Slack does not show in their own time zone, an id that a name or a button
 * can stand for, a hash. CONTRIBUTING.md has the rule and its exceptions.
 */
const raw: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a date of its own', /\b\d{4}-\d\d-\d\d(?!\d)/],
  ['a time zone of its own', /\bUTC\b/],
  ['a hash', /\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/],
  ['a UUID', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/],
  ['the id of a request', /\b(?=[a-z]*\d)(?=\d*[a-z])[a-hjkmnp-z2-9]{10}\b/],
  ['an id of Slack', /(?<![\w-])[UWCGSD]0[A-Z0-9]{3,}\b/],
];

/** Words that others chose, and places where the id is the point; each with its reason in CONTRIBUTING.md. */
const exceptions: readonly RegExp[] = [
  // A page of the provider.
  /https?:\/\/\S+/g,
  // The provider's own words about a comment.
  /New comment in ticket [0-9a-f]{24}/g,
  // An example of a date to type.
  /such as \d{4}-\d\d-\d\d/g,
  // The words of a person, in the test of secrets that are typed.
  /Api-Key \S+/g,
  // The log is searched for it.
  /under incident [0-9a-f]{8}/g,
];

/** The words in it that are raw, each with its sentence. */
export function rawWordsIn(texts: readonly Text[]): string[] {
  return texts.flatMap((text) => {
    // Words to type or to copy are code; dates and names are separate spans.
    const words = (typeof text === 'string' ? [text] : text).map((span) => {
      if (typeof span === 'string') return span;
      return 'bold' in span ? span.bold : '…';
    });
    const said = [/`[^`]*`/g, ...exceptions].reduce((left, pattern) => left.replace(pattern, '…'), words.join(''));
    return raw.flatMap(([what, pattern]) => (pattern.test(said) ? [`${what}: ${said}`] : []));
  });
}

/** Backticks that Slack would show: what is typed is a separate span. The notification is text with Slack's markup. */
export function backticksIn(texts: readonly Text[]): string[] {
  const plain = texts
    .flatMap((text) => (typeof text === 'string' ? [text] : text))
    .map((span) => {
      if (typeof span === 'string') return span;
      return 'bold' in span ? span.bold : '';
    });
  return plain.filter((words) => words.includes('`')).map((words) => `a literal backtick: ${words}`);
}

export function textsOfView({ summary, parts }: View): Text[] {
  return [summary, ...textsOfParts({ parts })];
}

export function textsOfParts({ parts }: Pick<View, 'parts'>): Text[] {
  return parts.flatMap(textsOfPart);
}

export function textsOfForm({ title, submit, notes, about = [], fields }: Form): Text[] {
  return [title, submit, ...notes, ...about.flatMap(textsOfPart), ...fields.flatMap(textsOfField)];
}

function textsOfField(field: Field): Text[] {
  const options = 'options' in field ? field.options.flatMap((one) => [one.label, one.description ?? '']) : [];
  return [field.label, field.hint ?? '', ...options];
}

/** Tables that a phone cannot show, or whose rows have other cells than columns. */
export function oddTablesIn(parts: readonly ViewPart[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'table') return [];
    const { length } = part.columns;
    if (length <= 3 && part.rows.every((row) => row.length === length)) return [];
    return [`a table of ${length} columns: ${part.columns.map(({ name }) => name).join(', ')}`];
  });
}

/** The cell of `/host audit` that says what happened and ends with the id of the request. */
function withoutId(name: string, cell: Text): Text {
  return name === 'What happened' && typeof cell !== 'string' ? cell.slice(0, -1) : cell;
}

function textsOfPart(part: ViewPart): readonly Text[] {
  switch (part.kind) {
    case 'heading':
      return [part.text, part.aside ?? ''];
    case 'text':
    case 'notice':
    case 'context':
      return [part.text];
    case 'fields':
      return part.fields.filter(([label]) => label !== 'Id').flat();
    case 'table':
      return part.columns.flatMap(({ name }, at) => [name, ...part.rows.map((row) => withoutId(name, row[at] ?? ''))]);
    case 'tasks':
      return [part.title, ...part.tasks.flatMap(({ label, word, note = '' }) => [label, word, note])];
    case 'buttons':
      return part.buttons.map(({ label }) => label);
    case 'menu':
      return [part.label, ...part.options.map(({ label }) => label)];
    case 'find':
      return [part.label];
    // Shown as it is sent: the text of a ticket, records, usage.
    case 'code':
    case 'diff':
    case 'picture':
      return [];
  }
}
