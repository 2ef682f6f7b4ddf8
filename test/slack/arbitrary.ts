import fc from 'fast-check';
import type { Field, Form, FormOption } from '../../src/core/view/form.ts';
import type { Intent } from '../../src/core/view/intent.ts';
import type { Button, Span, Text, View, ViewPart } from '../../src/core/view/view.ts';
import { codePoint } from '../support/values/code-point.ts';

/** Random views and forms: any size, any text, any id. */

const nasty = fc.constantFrom(
  '<!channel>',
  '<@U0LEAD0001>',
  '<http://evil.example|web-1>',
  '*bold* _it_ ~no~ `code`',
  '```\nfence',
  '&lt;!here&gt;',
  'web\u202e1-bew',
  'a\u200bb',
  ':smile:',
  '> quoted',
  '"quotes"\\',
  '👩‍👩‍👧 family',
  '\u0000\u0007',
  '',
  ' ',
  '\n',
);
const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 60, unit: codePoint }) },
  { weight: 3, arbitrary: nasty },
  {
    weight: 1,
    arbitrary: fc.tuple(nasty, fc.integer({ min: 1, max: 2_000 })).map(([word, times]) => word.repeat(times)),
  },
);

const span: fc.Arbitrary<Span> = fc.oneof(
  words,
  words.map((bold) => ({ bold })),
  words.map((code) => ({ code })),
  fc.oneof(fc.constant('U0LEAD0001'), words).map((user) => ({ user })),
  fc.oneof(fc.constant('C0OPS00001'), words).map((channel) => ({ channel })),
  fc.oneof(fc.constant('S0OPS00001'), words).map((group) => ({ group })),
  fc.record({ date: fc.double(), style: fc.constantFrom('time', 'day', 'full') }),
  fc.record({ date: fc.integer({ min: 0, max: 4_000_000_000_000 }) }),
  fc.record({ link: fc.oneof(fc.webUrl(), words), text: words }),
);
const text: fc.Arbitrary<Text> = fc.oneof(words, fc.array(span, { maxLength: 12 }));

const intent: fc.Arbitrary<Intent> = fc.oneof(
  fc.record({
    do: fc.constant('vote'),
    operation: words,
    vote: fc.constantFrom('confirm', 'approve', 'decline', 'withdraw'),
  }),
  fc.record({ do: fc.constant('run'), line: words }),
  fc.record({ do: fc.constant('form'), line: words }),
  fc.record({ do: fc.constant('reveal'), secret: words }),
  fc.record({
    do: fc.constant('alert'),
    alert: words,
    act: fc.constantFrom('acknowledge', 'snooze', 'accept'),
    forMs: fc.integer({ min: 1 }),
    seen: words,
  }),
);
const button: fc.Arbitrary<Button> = fc.record(
  { label: words, intent, style: fc.constantFrom('primary', 'danger'), opens: fc.boolean() },
  { requiredKeys: ['label', 'intent'] },
);

const many = { maxLength: 130 };
const column = fc.record({ name: words, align: fc.constantFrom('left', 'right') });
const part: fc.Arbitrary<ViewPart> = fc.oneof(
  fc.record({ kind: fc.constant('heading'), text: words, aside: words }, { requiredKeys: ['kind', 'text'] }),
  fc.record({ kind: fc.constant('text'), text }),
  fc.record({ kind: fc.constant('fields'), fields: fc.array(fc.tuple(words, text), { maxLength: 30 }) }),
  fc.record({
    kind: fc.constant('table'),
    columns: fc.oneof(fc.tuple(column), fc.tuple(column, column), fc.tuple(column, column, column)),
    rows: fc.oneof(fc.array(fc.tuple(text, text, text), { maxLength: 12 }), fc.array(fc.tuple(words), many)),
  }),
  fc.record(
    {
      kind: fc.constant('tasks'),
      title: words,
      tasks: fc.array(
        fc.record(
          { label: words, word: words, note: words, status: fc.constantFrom('pending', 'running', 'done', 'trouble') },
          { requiredKeys: ['label', 'word', 'status'] },
        ),
        { maxLength: 60 },
      ),
    },
    { requiredKeys: ['kind', 'title', 'tasks'] },
  ),
  fc.record({ kind: fc.constant('code'), text: words, folded: words }, { requiredKeys: ['kind', 'text'] }),
  fc.record(
    {
      kind: fc.constant('diff'),
      lines: fc.array(fc.record({ sign: fc.constantFrom('+', '−', ' '), text: words }), many),
      folded: words,
    },
    { requiredKeys: ['kind', 'lines'] },
  ),
  fc.record({ kind: fc.constant('notice'), tone: fc.constantFrom('info', 'success', 'warning', 'error'), text }),
  fc.record({ kind: fc.constant('context'), text }),
  fc.record({ kind: fc.constant('buttons'), buttons: fc.array(button, { maxLength: 40 }) }),
  fc.record({ kind: fc.constant('find'), label: words }),
  fc.record({ kind: fc.constant('menu'), label: words, options: fc.array(button, { maxLength: 12 }) }),
);

export const view: fc.Arbitrary<View> = fc.record(
  { summary: words, parts: fc.array(part, { maxLength: 70, size: '+1' }), more: words },
  { requiredKeys: ['summary', 'parts'] },
);

const option: fc.Arbitrary<FormOption> = fc.record(
  { value: words, label: words, description: words },
  { requiredKeys: ['value', 'label'] },
);
const base = { name: fc.string({ minLength: 1, maxLength: 40 }), label: words, optional: fc.boolean() };
const options = fc.array(option, many);
const ids = fc.array(fc.oneof(fc.constantFrom('U0LEAD0001', 'C0OPS00001', 'S0OPS00001'), words), { maxLength: 5 });
const field: fc.Arbitrary<Field> = fc.oneof(
  fc.record(
    { ...base, hint: words, widget: fc.constantFrom('text', 'multiline', 'number'), initial: words, example: words },
    { requiredKeys: ['name', 'label', 'optional', 'widget'] },
  ),
  fc.record({ ...base, widget: fc.constant('choice'), options, initial: words }),
  fc.record({ ...base, widget: fc.constant('search'), source: words, many: fc.boolean(), initial: options }),
  fc.record({ ...base, widget: fc.constant('toggle'), initial: fc.boolean() }),
  fc.record({ ...base, widget: fc.constant('checks'), options, initial: fc.array(words, { maxLength: 4 }) }),
  fc.record({ ...base, widget: fc.constantFrom('people', 'groups'), initial: ids }),
  fc.record({
    ...base,
    widget: fc.constant('file'),
    types: fc.array(fc.constantFrom('png', 'jpg', ''), { maxLength: 3 }),
  }),
);

export const form: fc.Arbitrary<Form> = fc.record(
  {
    title: words,
    submit: words,
    id: fc.string({ minLength: 1, maxLength: 40 }),
    notes: fc.array(words, { maxLength: 8 }),
    fields: fc.uniqueArray(field, { maxLength: 110, size: '+1', selector: (each) => each.name }),
    code: words,
  },
  { requiredKeys: ['title', 'submit', 'id', 'notes', 'fields'] },
);
