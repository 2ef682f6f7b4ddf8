import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Json } from '../../../src/core/text/json.ts';
import type { Vote } from '../../../src/core/view/intent.ts';
import { type Button, plain, type Span, type Text, type View, type ViewPart } from '../../../src/core/view/view.ts';

/** Draws views as lines for a snapshot. */

/** The parts of a view are drawn in one way; how texts and buttons are drawn depends on the reader. */
interface Voice {
  readonly text: (text: Text) => string;
  readonly button: (button: Button) => string;
}

/** Dates become `‹day›`: the seed's move with the clock. */
export function textOf(text: Text): string {
  if (typeof text === 'string') return text;
  return text
    .map((span) => (typeof span === 'object' && 'date' in span ? `‹${span.style ?? 'full'}›` : plain([span])))
    .join('');
}

/** The answer of a command: people by their ids, buttons with their intent. */
export const viewText = (view: View): string => sayView(view, { text: textOf, button: saidButton });

/** The text that a channel reads: people, groups and channels by their names, buttons by their labels. */
export function readView(view: View, nameOf: (id: string) => string): string {
  const named = (span: Span): Span => {
    if (typeof span === 'string') return span;
    if ('user' in span) return { user: nameOf(span.user) };
    if ('group' in span) return { group: nameOf(span.group) };
    return 'channel' in span ? { channel: nameOf(span.channel) } : span;
  };
  return sayView(view, {
    text: (text) => (typeof text === 'string' ? text : plain(text.map(named))),
    button: ({ label }) => `[${label}]`,
  });
}

export function planText(plan: Plan<Json>): string {
  if (plan.nothingToDo !== undefined) return `${plan.title}: ${plan.nothingToDo}`;
  return [
    plan.title.replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}$/, '‹day›'),
    ...plan.subject.map((line) => `  ${textOf(line)}`),
    ...(plan.diff ?? []).map((line) => `  ${line.sign} ${line.text}`),
    `  Effect: ${plan.effect}`,
    ...plan.details.map(([label, value]) => `  ${label}: ${textOf(value)}`),
    ...(plan.message === undefined ? [] : plan.message.split('\n').map((line) => `  > ${line}`)),
    ...(plan.warning ? [`  warning: ${plan.warning.text}`] : []),
    ...(plan.raised ? [`  raised to ${plan.raised.risk}: ${plan.raised.why}`] : []),
  ].join('\n');
}

export function buttonsIn(part: ViewPart): readonly Button[] {
  if (part.kind === 'buttons') return part.buttons;
  return part.kind === 'menu' ? part.options : [];
}

const votesByName: Readonly<Record<string, Vote>> = { Confirm: 'confirm', Approve: 'approve', Withdraw: 'withdraw' };

/** By its label, or by the vote that it casts: its label names the act, such as `Restart web-1`. */
export function isCalled({ label, intent }: Button, name: string): boolean {
  return label === name || (intent.do === 'vote' && votesByName[name] === intent.vote);
}

/** The same of a message that Slack shows. */
export function castsVote({ blocks }: { readonly blocks: unknown }, name: string): boolean {
  const vote = votesByName[name];
  return vote !== undefined && JSON.stringify(blocks).includes(`\\"vote\\":\\"${vote}\\"`);
}

function sayView(view: View, voice: Voice): string {
  const files = (view.files ?? []).map((file) => `file ${file.name}: ${file.alt}`);
  const more = view.more === undefined ? [] : [`more: ${view.more}`];
  return [...view.parts.flatMap((part) => sayPart(part, voice)), ...files, ...more].join('\n');
}

const toneSigns = { info: 'i', success: '✓', warning: '!', error: '✕' } as const;

type Say = {
  readonly [K in ViewPart['kind']]: (part: Extract<ViewPart, { kind: K }>, voice: Voice) => readonly string[];
};

const say: Say = {
  heading: ({ text, aside }, voice) => [`## ${voice.text(text)}${aside ? `  [${aside}]` : ''}`],
  text: ({ text }, voice) => [voice.text(text)],
  fields: ({ fields }, voice) => fields.map(([label, value]) => `${label}: ${voice.text(value)}`),
  table: ({ columns, rows }, voice) => [
    columns.map((column) => column.name).join(' │ '),
    ...rows.map((row) => row.map(voice.text).join(' │ ')),
  ],
  tasks: ({ title, tasks }) => [
    title,
    ...tasks.map(({ label, word, note }) =>
      [`  ${label} · ${word}`, note].filter((each) => each !== undefined).join(': '),
    ),
  ],
  code: ({ text, folded }) => [...(folded === undefined ? [] : [`▸ ${folded}`]), '```', text, '```'],
  diff: ({ lines, folded }) => [
    ...(folded === undefined ? [] : [`▸ ${folded}`]),
    ...lines.map((line) => `${line.sign} ${line.text}`),
  ],
  notice: ({ tone, text }, voice) => [`${toneSigns[tone]} ${voice.text(text)}`],
  context: ({ text }, voice) => [`· ${voice.text(text)}`],
  picture: ({ alt }) => [`(picture: ${alt})`],
  buttons: ({ buttons }, voice) => [buttons.map(voice.button).join(' ')],
  find: ({ label }) => [`[${label} ⌕]`],
  menu: ({ label, options }, voice) => [`[${label} ▾ ${options.map(voice.button).join(' ')}]`],
};

function sayPart(part: ViewPart, voice: Voice): readonly string[] {
  // Each kind has the function that takes it; TypeScript cannot pair the two.
  return say[part.kind](part as never, voice);
}

function saidButton({ label, intent }: Button): string {
  return `[${label}${'line' in intent ? ` → ${intent.do === 'form' ? 'form ' : ''}${intent.line}` : ''}]`;
}

/** Everybody whom this content would notify, if it were posted. */
export function mentionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mentionsIn);
  if (typeof value !== 'object' || value === null) return [];
  const span = value as Partial<Record<'user' | 'group', string>> & Span;
  if (typeof span === 'object' && ('user' in span || 'group' in span)) {
    return [String('user' in span ? span.user : 'group' in span ? span.group : '')];
  }
  return Object.values(value).flatMap(mentionsIn);
}
