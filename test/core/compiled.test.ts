import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compiled } from '../../src/core/async/compiled.ts';
import type { Json } from '../../src/core/text/json.ts';
import { receiptSchema, shownPlanSchema, shownRuleSchema } from '../../src/engine/operation/record.ts';
import type { Endpoint } from '../../src/provider/endpoint.ts';
import { table } from '../../src/provider/table.ts';
import { seenAnswers } from '../provider/seen-shapes.ts';

// A schema that zod wrote as a function must say the same as the schema: the value, or each word of what is wrong.

const endpoints = Object.values<Readonly<Record<string, Endpoint>>>(table).flatMap((area) => Object.values(area));

/** A schema with values that fit it. */
interface Sample {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly values: readonly unknown[];
}

async function answers(): Promise<Sample[]> {
  const page = z.object({ results: z.array(z.unknown()) });
  return [...(await seenAnswers())].flatMap(([route, seen]) =>
    endpoints
      .filter((row) => row.route === route)
      .map((row) => {
        const isList = row.paginated === true || row.listed === true;
        const items = (value: unknown) => page.safeParse(value).data?.results ?? z.array(z.unknown()).parse(value);
        return { name: route, schema: row.output, values: isList ? seen.flatMap(items).slice(0, 5) : seen };
      }),
  );
}

const target = { kind: 'order', id: '34-1', name: 'web-1', tags: ['prod'], project: null };
const rows: readonly Sample[] = [
  {
    name: 'plan',
    schema: shownPlanSchema,
    values: [
      { title: 'Restart web-1', subject: [], targets: [target], effect: 'It restarts', details: [], facts: {} },
      {
        title: 'Change records',
        subject: ['text'],
        targets: [target, { ...target, kind: 'domain', project: 'Shop' }],
        names: [target],
        effect: 'They change',
        details: [
          ['Record', 'www'],
          ['Value', []],
        ],
        diff: [{ sign: '+', text: 'www A 1.2.3.4' }],
        message: 'hello',
        facts: { one: 1, two: ['x', null] },
        parallel: 3,
        warning: { text: 'It is off', isAvoidable: true },
        build: 7,
        isSeveral: true,
        raised: { risk: 'dangerous', why: 'many' },
        typedName: 'web-1',
        reason: 'asked',
        widens: [{ channel: 'C1', grants: ['read'] }],
      },
    ],
  },
  {
    name: 'rule',
    schema: shownRuleSchema,
    values: [
      { rule: 'confirm', isSolo: false },
      { rule: 'none', isSolo: true },
    ],
  },
  { name: 'receipt', schema: receiptSchema, values: [{ text: 'done', data: { job: 1 } }] },
];

const odd: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  '12',
  ' 1.50 ',
  0,
  -1,
  1.5,
  2 ** 60,
  true,
  [],
  [null],
  {},
  { name: 'x' },
  { results: 1 },
];

/** All places of a value, each as the keys that lead there. */
function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, item]) => placesOf(item).map((rest) => [key, ...rest]))];
}

/** The value with something else in one of its places; `undefined` takes it away. */
function changedAt(value: unknown, [key, ...rest]: readonly string[], instead: unknown): unknown {
  if (key === undefined) return instead;
  if (Array.isArray(value)) return value.map((item, n) => (String(n) === key ? changedAt(item, rest, instead) : item));
  const entries = Object.entries(Object(value)).map(
    ([name, item]) => [name, name === key ? changedAt(item, rest, instead) : item] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function said(schema: z.ZodType, value: unknown): Json {
  try {
    const { success, data, error } = schema.safeParse(value);
    // As JSON, which has all that a row or an answer can hold.
    return success ? { data: JSON.stringify(data) ?? 'nothing' } : { issues: JSON.stringify(error.issues) };
  } catch (error) {
    return { thrown: String(error) };
  }
}

function isSaidAlike({ name, schema, values }: Sample) {
  for (const value of values) expect(said(compiled(schema), value), name).toHaveProperty('data');
  const changed = fc
    .constantFrom(...values)
    .chain((value) => fc.tuple(fc.constant(value), fc.constantFrom(...placesOf(value)), fc.constantFrom(...odd)))
    .map(([value, place, instead]) => changedAt(value, place, instead));
  fc.assert(
    fc.property(changed, (value) => {
      expect(said(compiled(schema), value), name).toEqual(said(schema, value));
    }),
    { numRuns: 150 },
  );
}

describe('a compiled schema says the same as the schema, also of what does not fit', () => {
  test('of each answer of the provider', async () => {
    const samples = await answers();
    expect(samples.length).toBeGreaterThan(30);
    for (const sample of samples) if (sample.values.length > 0) isSaidAlike(sample);
  });

  test.each(rows)('of a $name in a row', (sample) => {
    isSaidAlike(sample);
  });
});

test('zod compiles every schema of the table, so none is parsed the slow way unseen', () => {
  for (const { input, output, route } of endpoints)
    for (const schema of [input, output]) expect(() => z.compile(schema, { strict: true }), route).not.toThrow();
});

test('a schema is compiled once', () => {
  const schema = z.object({ a: z.string() });
  expect(compiled(schema)).toBe(compiled(schema));
  expect(compiled(schema)).not.toBe(schema);
});
