import { z } from 'zod';
import { verdicts } from '../core/plan/say-state.ts';
import { firstLines } from '../core/text/words.ts';
import { plain } from '../core/view/view.ts';

/** The answers of the bot to calls of machines, and their words in a terminal. */

const text = z.string();
const texts = z.array(text);

const request = z
  .object({
    // The id becomes part of an address.
    id: text.regex(/^[a-z2-9]{10}$/),
    state: text.regex(/^[a-z]{1,20}$/),
    title: text,
    will: text,
    steps: z.array(z.object({ label: text })).default([]),
    changes: texts.default([]),
    warning: text.optional(),
    approvers: text.optional(),
    until: z.iso.datetime().optional(),
    card: text.optional(),
    // A verdict of a newer version is as good as unknown.
    end: z.object({ verdict: z.enum(verdicts).catch('not known: do not repeat'), text }).optional(),
    next: text.optional(),
  })
  .transform((fields) => ({ kind: 'request' as const, ...fields }));
export type AskedRequest = z.output<typeof request>;

const cells = z.record(z.string(), text);
const part = z.object({
  heading: text.optional(),
  text: text.optional(),
  code: text.optional(),
  changes: texts.optional(),
  fields: cells.optional(),
  rows: z.array(cells).optional(),
  steps: z.array(z.object({ label: text, state: text, note: text })).optional(),
});
const read = z
  .object({ text, parts: z.array(part), more: text.optional() })
  .transform((fields) => ({ kind: 'read' as const, ...fields }));

const problem = z
  .object({
    reason: text,
    status: z.number(),
    detail: text,
    hint: text.optional(),
    instead: texts.default([]),
  })
  .transform((fields) => ({ kind: 'problem' as const, ...fields }));
export type ProblemAnswer = z.output<typeof problem>;

export const answerSchema = z.union([request, problem, read]);
export type BotAnswer = z.output<typeof answerSchema>;

/** A change that was asked: what will happen, who decides, and where. */
export function sayRequest({ title, will, steps, changes, warning, approvers, until, card }: AskedRequest): string[] {
  const ending = until === undefined ? '' : `, until ${plain([{ date: Date.parse(until) }])}`;
  return [
    title,
    will,
    ...(steps.length > 1 ? steps.map(({ label }, n) => `${n + 1}. ${label}`) : []),
    ...changes,
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
    ...(approvers === undefined ? [] : [`Decides: ${approvers}${ending}`]),
    ...(card === undefined ? [] : [card]),
  ];
}

export function sayEnd({ text }: NonNullable<AskedRequest['end']>, next: string | undefined): string[] {
  return next === undefined ? [text] : [text, `The next request: ${next}`];
}

export function sayRead({ text, parts, more }: Extract<BotAnswer, { kind: 'read' }>): string[] {
  return [...(parts.length === 0 ? [text] : parts.flatMap(sayPart)), ...(more === undefined ? [] : [`More: ${more}`])];
}

export function sayProblem({ detail, hint, instead }: ProblemAnswer): string[] {
  return [detail, ...(hint === undefined ? [] : [hint]), ...firstLines(instead, 5).map((line) => `Instead: ${line}`)];
}

function sayPart({ heading, text, code, changes = [], fields = {}, rows = [], steps = [] }: z.output<typeof part>) {
  return [
    ...[heading, text, code].filter((words) => words !== undefined),
    ...changes,
    ...Object.entries(fields).map(([label, value]) => `${label}: ${value}`),
    ...(rows.length === 0 ? [] : sayTable(rows)),
    ...steps.map(({ label, state, note }) => `${label}: ${[state, note].filter(Boolean).join(' · ')}`),
  ];
}

/** The rows below the names of their columns, aligned. */
function sayTable(rows: readonly Readonly<Record<string, string>>[]): string[] {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const lines = [columns, ...rows.map((row) => columns.map((name) => (row[name] ?? '').replaceAll(/\s+/g, ' ')))];
  const widths = columns.map((_, at) => lines.reduce((most, cells) => Math.max(most, cells[at]?.length ?? 0), 0));
  return lines.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
