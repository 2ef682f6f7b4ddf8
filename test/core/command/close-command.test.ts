import { expect, test } from 'vitest';
import { z } from 'zod';
import { orderTarget } from '../../../src/core/account/account.ts';
import { flag, integer, optional, orders, text } from '../../../src/core/command/args.ts';
import { closeAction, closeQuery } from '../../../src/core/command/close-command.ts';
import type { ActionDefinition, ReadContext, WriteContext } from '../../../src/core/command/command.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import type { Receipt, Verdict } from '../../../src/core/plan/plan.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { everything } from '../support.ts';

interface Reader {
  readonly power: (id: string) => string;
}
interface Provider {
  readonly paint: (id: string, color: string) => string;
}

const args = {
  servers: orders({ hint: 'what to paint' }),
  color: text({ hint: 'with what', place: 'option' }),
  coats: optional(integer({ hint: 'how often', min: 1, max: 3, place: 'option' })),
  now: flag({ hint: 'do not wait' }),
};
const stepSchema = z.strictObject({ id: z.string(), color: z.string() });
type PaintStep = z.infer<typeof stepSchema>;

const so = (text: string): Verdict => ({ is: 'so', text });

const definition: ActionDefinition<typeof args, PaintStep, Reader, Provider> = {
  path: 'paint',
  title: 'Paint',
  summary: 'Paints servers',
  examples: ['paint web-1 color=red', 'paint tag:web color=blue'],
  args,
  capability: 'operate',
  risk: 'routine',
  step: stepSchema,
  plan: async ({ servers, color, coats, now }, { reader }) => ({
    title: `Paint ${servers.length}`,
    subject: servers.map((server) => server.label),
    targets: servers.map(orderTarget),
    effect: `${color} ${coats ?? 1} ${now}`,
    details: [],
    facts: Object.fromEntries(servers.map((server) => [server.id, reader.power(server.id)])),
    steps: servers.map((server) => ({
      target: orderTarget(server),
      label: server.label,
      data: { id: server.id, color },
    })),
  }),
  execute: async ({ id, color }, { provider }) => ({ text: provider.paint(id, color), data: null }),
  verify: async ({ id, color }, { reader }, receipt) =>
    so(`${reader.power(id)} ${color} ${receipt?.text ?? 'without receipt'}`),
  done: (steps) => ({ text: steps.map(({ data, label }) => `${label} is ${data.color}`).join(', ') }),
};

// Only what these commands use of the contexts.
const reading = { reader: { power: (id: string) => `${id} on` } } as unknown as ReadContext<Reader>;
const writing = {
  provider: { paint: (id: string, color: string) => `${id} ${color}` },
} as unknown as WriteContext<Provider>;
const receipt: Receipt = { text: 'job 1', data: null };

const paint = closeAction(definition);

test('an action has the properties that the engine needs, and no way to run around the engine', () => {
  expect(paint).toMatchObject({ kind: 'action', path: 'paint', risk: 'routine', capability: 'operate' });
  expect(paint.needsAccount).toBe(true);
  expect(Object.keys(paint)).not.toContain('execute');
  expect(Object.keys(paint)).not.toContain('plan');
});

test('an action reads its arguments once, for the plan, the permission and the stored line', async () => {
  const { canonical, targets, plan } = paint.prepare({ servers: ['tag:web'], color: ['red'] }, everything);
  expect(canonical).toEqual({ servers: ['34-101', '34-102'], color: ['red'] });
  expect(targets.map((target) => target.id)).toEqual(['34-101', '34-102']);
  await expect(plan(reading)).resolves.toMatchObject({
    effect: 'red 1 false',
    facts: { '34-101': '34-101 on' },
    steps: [{ data: { id: '34-101', color: 'red' } }, { data: { id: '34-102', color: 'red' } }],
  });
});

test('the stored line of an action means the same when it is typed', () => {
  const raw = { servers: ['web-1', 'db'], color: ['dark  "red"'], coats: ['02'], now: ['on'] };
  const { canonical } = paint.prepare(raw, everything);
  const line = lineOf(paint, canonical);
  expect(line).toBe('paint 34-101 34-103 color="dark  \\"red\\"" coats=2 now=yes');
  const again = parse(line, [paint]);
  if (again.kind !== 'command') throw new Error(`${line} is no command`);
  expect(again.raw).toEqual(canonical);
  expect(paint.prepare(again.raw, everything).canonical).toEqual(canonical);
});

test.each<[raw: Record<string, string[]>, field: string]>([
  [{ servers: ['frobnicate'], color: ['red'] }, 'servers'],
  [{ servers: ['twin'], color: ['red'] }, 'servers'],
  [{ servers: ['web-1'] }, 'color'],
  [{ servers: ['web-1'], color: ['red'], coats: ['9'] }, 'coats'],
  [{ servers: ['web-1'], color: ['red'], now: ['perhaps'] }, 'now'],
  [{ color: ['red'] }, 'servers'],
])('the arguments %j are refused at the field %s', (raw, field) => {
  try {
    paint.prepare(raw, everything);
    expect.unreachable('it was not refused');
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ field });
  }
});

test('an error that is no refusal is passed on unchanged', () => {
  const broken = closeAction({
    ...definition,
    args: {
      ...args,
      color: {
        ...args.color,
        read: () => {
          throw new TypeError('a bug');
        },
      },
    },
  });
  expect(() => broken.prepare({ servers: ['web-1'] }, everything)).toThrow(TypeError);
});

test('a step is made of what was stored, which is checked again', async () => {
  const step = paint.step({ id: '34-101', color: 'red' });
  await expect(step.execute(writing)).resolves.toEqual({ text: '34-101 red', data: null });
  await expect(step.verify(reading, receipt, { wasOffline: false })).resolves.toEqual(so('34-101 on red job 1'));
  expect(step.follow(receipt)).toBeUndefined();
  expect(() => paint.step({ id: '34-101' })).toThrow(z.ZodError);
  expect(() => paint.step({ id: '34-101', color: 'red', all: true })).toThrow(z.ZodError);
});

test('after a lost response a step is read by verify, unless the command has its own reconcile', async () => {
  const data = { id: '34-101', color: 'red' };
  await expect(paint.step(data).reconcile(reading)).resolves.toEqual(so('34-101 on red without receipt'));
  const own = closeAction({ ...definition, reconcile: async ({ id }) => ({ is: 'unsure', text: `${id}?` }) });
  await expect(own.step(data).reconcile(reading)).resolves.toEqual({ is: 'unsure', text: '34-101?' });
});

test('the job to follow is derived from the step and its receipt', () => {
  const job = { kind: 'job', jobId: 1 } as const;
  const followed = closeAction({
    ...definition,
    follow: ({ id }, { text }) => ({ ...job, orderId: id, action: text }),
  });
  const seen = followed.step({ id: '34-101', color: 'red' }).follow(receipt);
  expect(seen).toEqual({ ...job, orderId: '34-101', action: 'job 1' });
});

test('the end of an action is worded from the stored steps', () => {
  const data = { id: '34-101', color: 'red' };
  expect(paint.done([{ label: 'web-1', data, receipt, verdict: undefined }], { id: 'a7f3c2' })).toEqual({
    text: 'web-1 is red',
  });
  expect(() => paint.done([{ label: 'web-1', data: 'x', receipt, verdict: undefined }], { id: 'a7f3c2' })).toThrow(
    z.ZodError,
  );
});

const answering = {
  ...reading,
  own: { favorites: async () => new Set<string>(), setFavorite: async () => 'same' as const },
};

test('a query runs with its values, and its risk is always safe', async () => {
  const query = closeQuery<{ coats: typeof args.coats }, Reader>({
    path: 'coats',
    title: 'Coats',
    summary: 'How many coats',
    examples: ['coats', 'coats coats=2'],
    args: { coats: args.coats },
    capability: 'none',
    visibility: 'person',
    run: async ({ coats }) => ({ summary: `${coats ?? 'no'} coats`, parts: [] }),
  });
  expect(query).toMatchObject({ kind: 'query', risk: 'safe', needsAccount: false, visibility: 'person' });
  await expect(query.prepare({ coats: ['2'] }, everything).run(answering)).resolves.toMatchObject({
    summary: '2 coats',
  });
  const left = query.prepare({}, everything);
  expect(left.canonical).toEqual({});
  await expect(left.run(answering)).resolves.toMatchObject({ summary: 'no coats' });
});
