import type { Json } from '../../src/core/json.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { Button, Part, Text, View } from '../../src/core/view.ts';
import { plain } from '../../src/core/view.ts';

/** What people read, as lines for a snapshot. Dates become `‹day›`: the seed's move with the clock. */

export function said(text: Text): string {
  if (typeof text === 'string') return text;
  return text
    .map((span) => (typeof span === 'object' && 'date' in span ? `‹${span.style ?? 'full'}›` : plain([span])))
    .join('');
}

export function saidView(view: View): string {
  const files = (view.files ?? []).map((file) => `file ${file.name}: ${file.alt}`);
  const more = view.more === undefined ? [] : [`more: ${view.more}`];
  return [...view.parts.flatMap(saidPart), ...files, ...more].join('\n');
}

export function saidPlan(plan: Plan<Json>): string {
  if (plan.nothingToDo !== undefined) return `${plan.title}: ${plan.nothingToDo}`;
  return [
    plan.title,
    ...plan.subject.map((line) => `  ${said(line)}`),
    ...(plan.diff ?? []).map((line) => `  ${line.sign} ${line.text}`),
    `  Effect: ${plan.effect}`,
    ...plan.details.map(([label, value]) => `  ${label}: ${said(value)}`),
    ...(plan.raised ? [`  raised to ${plan.raised.risk}: ${plan.raised.why}`] : []),
  ].join('\n');
}

type Say = { readonly [K in Part['kind']]: (part: Extract<Part, { kind: K }>) => readonly string[] };

const say: Say = {
  heading: ({ text, aside }) => [`# ${text}${aside ? ` · ${aside}` : ''}`],
  text: ({ text }) => [said(text)],
  fields: ({ fields }) => fields.map(([label, value]) => `${label}: ${said(value)}`),
  table: ({ columns, rows }) => [
    columns.map((column) => column.name).join(' │ '),
    ...rows.map((row) => row.map(said).join(' │ ')),
  ],
  code: ({ text }) => ['```', text, '```'],
  diff: ({ lines }) => lines.map((line) => `${line.sign} ${line.text}`),
  notice: ({ tone, text }) => [`(${tone}) ${said(text)}`],
  context: ({ text }) => [`· ${said(text)}`],
  divider: () => ['---'],
  buttons: ({ buttons }) => [buttons.map(saidButton).join(' ')],
  menu: ({ label, options }) => [`[${label} ▾ ${options.map(saidButton).join(' ')}]`],
};

function saidPart(part: Part): readonly string[] {
  // Each kind has the function that takes it; TypeScript cannot pair the two.
  return say[part.kind](part as never);
}

function saidButton({ label, intent }: Button): string {
  return `[${label}${'line' in intent ? ` → ${intent.do === 'form' ? 'form ' : ''}${intent.line}` : ''}]`;
}
