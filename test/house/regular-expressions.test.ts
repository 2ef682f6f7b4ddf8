import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Hostile, hostileTexts, textOf } from './hostile-texts.ts';

// An expression that takes time by the square of a text's length holds up everybody with a long text: each expression of src
// and sandbox is tried with texts that are made from it.

const root = join(import.meta.dirname, '..', '..');
const files = [...globSync('src/**/*.ts', { cwd: root }), ...globSync('sandbox/**/*.{ts,js}', { cwd: root })].sort();

const literalSchema = z.object({ start: z.number(), regex: z.object({ pattern: z.string(), flags: z.string() }) });
const madeSchema = z.object({ callee: z.object({ type: z.literal('Identifier'), name: z.literal('RegExp') }) });

/** Parsing takes most of the time, and an expression stands behind one of these. */
const mayHaveSome = /(?:[([{=,:;!&|?>}+]|\b(?:return|case|typeof|of|in)|\n)\s*\/(?![/*\s])|\bRegExp\(/;

/** The expressions that are written out in the file, each with its line, and whether it makes others when it runs. */
function expressionsIn(file: string) {
  const source = readFileSync(join(root, file), 'utf8');
  const literals: { readonly expression: RegExp; readonly where: string }[] = [];
  let makes = false;
  const look = (node: object) => {
    const { type } = Object(node);
    const { data } = type === 'Literal' && 'regex' in node ? literalSchema.safeParse(node) : {};
    if (data !== undefined)
      literals.push({
        expression: new RegExp(data.regex.pattern, data.regex.flags),
        where: `${file}:${source.slice(0, data.start).split('\n').length}`,
      });
    makes ||= /^(?:New|Call)Expression$/.test(String(type)) && madeSchema.safeParse(node).success;
    for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) look(part);
  };
  if (mayHaveSome.test(source)) look(parseAst(source, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return { literals, makes };
}

const expressions = new Map(files.map((file) => [file, expressionsIn(file)]));

const called = z.custom<(...given: unknown[]) => unknown>((value) => typeof value === 'function');

/** Of the files that make an expression when one of their functions runs: the call. */
const calls: Readonly<Record<string, (module: Record<string, unknown>) => unknown>> = {
  'src/engine/form/draw-form.ts': ({ firstLine }) =>
    called.parse(firstLine)({ title: 'Add a DNS record', summary: 'Add a record to a domain' }, []),
  'src/slack/inbound/read-payload.ts': ({ lineOf }) => called.parse(lineOf)('hello', 'U0BOT00001'),
  'sandbox/slack/payloads/command.ts': ({ escapeTyped }) =>
    called.parse(escapeTyped)(
      { state: { people: [{ realName: 'Omar Operator' }], groups: [] }, rules: { isOn: () => false } },
      'hello',
      { isCommand: false },
    ),
};

/** The expressions that the file makes when it is loaded, and when its functions run. */
async function madeIn(file: string): Promise<readonly RegExp[]> {
  const made: RegExp[] = [];
  const real = globalThis.RegExp;
  globalThis.RegExp = new Proxy(real, {
    construct: (_, given: [string, string]) => {
      const expression = new real(...given);
      if (new Error('where').stack?.includes(file)) made.push(expression);
      return expression;
    },
  });
  try {
    const module: Record<string, unknown> = await import(/* @vite-ignore */ `${join(root, file)}?made`);
    calls[file]?.(module);
  } finally {
    globalThis.RegExp = real;
  }
  return made;
}

const lengths = [24, 200, 2_000];
/** An expression that takes longer for one text is measured closely. */
const suspiciousMs = 0.5;
/** A text of four times the length takes four times the time, or sixteen times if the time is quadratic. */
const mostGrowth = 8;
const runs = 6;
const tries = 30;
const quickTries = 10;
const pauseMs = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** One run of this is enough. */
const longMs = 100;
/** The clock says little about less. */
const shortMs = 0.005;

function took(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const before = performance.now();
  if (expression.global) text.replace(expression, '');
  else expression.exec(text);
  return performance.now() - before;
}

/** The fastest of some runs: other processes make some of them slower. */
function fastest(expression: RegExp, text: string): number {
  let best = took(expression, text);
  for (let n = 1; n < runs && best < longMs; n++) best = Math.min(best, took(expression, text));
  return best;
}

/** The growth of the time for a text of four times the length: of the fastest runs, repeated while it is too large. */
function growthOf(expression: RegExp, hostile: Hostile, length: number, most: number): number {
  const best = { long: Number.POSITIVE_INFINITY, short: Number.POSITIVE_INFINITY };
  const growth = () => best.long / Math.max(shortMs, best.short);
  for (let n = 0; n < most && !(growth() <= mostGrowth); n++) {
    // A busy machine is quiet for some moments.
    if (n > quickTries) Atomics.wait(sleeper, 0, 0, pauseMs);
    best.long = Math.min(best.long, fastest(expression, textOf(hostile, length)));
    best.short = Math.min(best.short, fastest(expression, textOf(hostile, length / 4)));
  }
  return growth();
}

/** A text whose time grows faster than its length; undefined if no such text was found. */
function slowText(expression: RegExp, most = tries): string | undefined {
  for (const hostile of hostileTexts(expression))
    for (const length of lengths) {
      const text = textOf(hostile, length);
      // The first run compiles it.
      if (took(expression, text) < suspiciousMs || took(expression, text) < suspiciousMs) continue;
      if (growthOf(expression, hostile, length, most) <= mostGrowth) continue;
      const { before: start, unit, after } = hostile;
      return `${JSON.stringify(start)} + ${JSON.stringify(unit)}, again and again, + ${JSON.stringify(after)}`;
    }
  return undefined;
}

describe('regular expressions', () => {
  test('in src and sandbox take time in proportion to the length of a text', () => {
    const found = [...expressions.values()].flatMap(({ literals }) => literals);
    expect(found.length).toBeGreaterThan(600);
    const unique = new Map(found.map((one) => [String(one.expression), one]));
    // Measured twice, and at another time: a busy machine may slow down all runs of one text.
    const suspects = [...unique.values()].filter(({ expression }) => slowText(expression) !== undefined);
    const tooSlow = suspects.flatMap(({ expression, where }) => {
      const text = slowText(expression);
      return text === undefined ? [] : [`${where} ${expression}: ${text}`];
    });
    expect(tooSlow).toEqual([]);
  });

  const making = [...expressions].filter(([, { makes }]) => makes).map(([file]) => file);
  test.each(making)('that %s makes take time in proportion to the length of a text', async (file) => {
    const made = await madeIn(file);
    expect(made.length).toBeGreaterThan(0);
    for (const expression of made) expect(slowText(expression), String(expression)).toBeUndefined();
  });

  test.each([
    ['a run at the end of a text', /[?!,]+$/],
    ['a run in front of a sign', /\s*,/],
    ['two runs of the same', /^\d+\d+$/],
    ['a run behind a beginning', /^[a-z]+:\s*\s*!$/],
    ['one choice in two ways', /^(?:a|aa)+$/],
    ['lines', /^\s*>/m],
  ])('with %s are reported', (_, expression) => expect(slowText(expression, 3)).toBeDefined());

  test.each([
    ['a class', /[a-z]+/],
    ['an address', /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i],
    ['words apart', /(?<!\d)\d+ GB/],
  ])('with %s are not reported', (_, expression) => expect(slowText(expression)).toBeUndefined());
});
